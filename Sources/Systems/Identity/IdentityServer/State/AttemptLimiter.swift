/// Counts the attempts of each name within a window of time. The caller supplies the time.
struct AttemptLimiter: Sendable {
  private struct Window {
    var ends: Int64
    var count: Int
  }

  private let most: Int
  private let seconds: Int64
  private let limit: Int
  private var windows: [String: Window] = [:]

  /// - Parameters:
  ///   - most: how often in a window.
  ///   - seconds: the length of a window.
  ///   - limit: how many names are remembered.
  init(most: Int, seconds: Int64, limit: Int) {
    self.most = max(1, most)
    self.seconds = max(1, seconds)
    self.limit = max(1, limit)
  }

  /// The seconds until the name may try again; `nil` when it may.
  func wait(_ name: String, at now: Int64) -> Int64? {
    guard let window = windows[name], window.ends > now, window.count >= most else { return nil }
    return window.ends - now
  }

  mutating func count(_ name: String, at now: Int64) {
    if var window = windows[name], window.ends > now {
      window.count += 1
      windows[name] = window
      return
    }
    if windows.count >= limit { windows = windows.filter { $0.value.ends > now } }
    // All windows are open because a client tries many names. The limiter keeps them, so that the new name is not
    // counted.
    guard windows.count < limit else { return }
    windows[name] = Window(ends: now + seconds, count: 1)
  }

  mutating func reset(_ name: String) { windows[name] = nil }
}
