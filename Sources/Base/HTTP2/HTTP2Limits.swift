/// What one connection may cost, in bytes, frames and time.
package struct HTTP2Limits: Sendable, Hashable {
  /// Requests at one time (SETTINGS_MAX_CONCURRENT_STREAMS), those whose handler has not returned among them.
  package var streams = 100
  /// The most bytes of a request's fields, each with 32 more (SETTINGS_MAX_HEADER_LIST_SIZE).
  package var headerListBytes = 16 << 10
  /// The most fields of a request.
  package var fields = 100
  /// The most CONTINUATION frames behind a HEADERS frame.
  package var continuations = 4
  /// Streams that may end before their answer at once, whoever resets them, and for each second.
  package var resets = Allowance(burst: 200, perSecond: 20)
  /// Frames that carry nothing, such as SETTINGS, PING, WINDOW_UPDATE and empty DATA, at once and for each second. Each
  /// answered request pays for some.
  package var idleFrames = Allowance(burst: 1_000, perSecond: 100)
  /// The idle frames that an answered request pays for.
  package var idleFramesOfRequest = 16
  /// Frames of the library's own, such as acknowledgements, that may wait for a client that does not read.
  package var waitingFrames = 256
  /// Bytes of an answer that may wait before `write` waits. One write goes in alone, however large it is.
  package var queuedBytes = 256 << 10
  /// Bytes of all answers of the connection that may wait before further requests are refused.
  package var queuedBytesInAll = 64 << 20
  /// How long a client may take for the preface and its first SETTINGS, and for the rest of a header that it has begun.
  package var headerLimit: Duration = .seconds(10)
  /// How long a client may take nothing of what is to be sent, because it does not read or opens no window.
  package var stallLimit: Duration = .seconds(30)
  /// How long a client that has its whole answer may take to end its request, before the request is reset.
  package var answeredLimit: Duration = .seconds(1)
  /// After so long a silence of a client with open requests a ping asks whether it is there.
  package var pingInterval: Duration = .seconds(30)
  /// How long the client may take to answer a ping.
  package var pongLimit: Duration = .seconds(20)
  /// After so long without a request the connection is closed.
  package var idleLimit: Duration = .seconds(300)
  /// How long the requests of a connection may take to end once the server stops.
  package var closeLimit: Duration = .seconds(5)

  /// Creates the default limits.
  package init() {}

  /// So many at once, and so many more for each second.
  package struct Allowance: Sendable, Hashable {
    /// The number that may come at once.
    package var burst: Int
    /// The number that each second adds, up to `burst`.
    package var perSecond: Int

    /// Creates an allowance.
    package init(burst: Int, perSecond: Int) {
      self.burst = burst
      self.perSecond = perSecond
    }
  }
}

/// An allowance that is drawn on. Pure.
struct Budget {
  private let allowance: HTTP2Limits.Allowance
  private var left: Int
  private var filled: UInt64

  /// - Parameter now: monotonic nanoseconds.
  init(_ allowance: HTTP2Limits.Allowance, at now: UInt64) {
    self.allowance = allowance
    left = allowance.burst
    filled = now
  }

  /// - Returns: false when nothing is left.
  mutating func take(at now: UInt64) -> Bool {
    if left <= 0 { fill(at: now) }
    guard left > 0 else { return false }
    left -= 1
    return true
  }

  /// Adds to what is left, up to the burst.
  mutating func give(_ count: Int) { left = min(allowance.burst, left + count) }

  private mutating func fill(at now: UInt64) {
    guard now > filled, allowance.perSecond > 0 else { return }
    let interval = 1_000_000_000 / UInt64(allowance.perSecond)
    let count = (now - filled) / interval
    filled += count * interval
    give(Int(min(count, UInt64(allowance.burst))))
  }
}
