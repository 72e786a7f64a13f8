/// How far a call has come: the params of `$/progress`, without the token.
public struct CallProgress: Sendable, Hashable {
  /// Grows from report to report.
  public var progress: Double
  /// What `progress` will be at the end, when that is known.
  public var total: Double?
  /// For people; one line.
  public var message: String?

  /// - Parameters:
  ///   - progress: more than in the report before.
  ///   - total: what `progress` will be at the end, when that is known.
  ///   - message: for people; one line.
  public init(_ progress: Double, total: Double? = nil, message: String? = nil) {
    self.progress = progress
    self.total = total
    self.message = message
  }
}

/// The params of `$/progress`.
struct ProgressNotice: Codable, Sendable {
  static let method = "$/progress"

  var token: RequestID
  var progress: Double
  var total: Double?
  var message: String?
}

/// Decides which progress reports are sent: increasing ones, at most ten a second, and the last of several. Pure.
struct ProgressMeter {
  enum Verdict: Equatable {
    case send
    /// Kept; at this time what is kept then is to be sent. `nil`: a time has been set already.
    case keep(until: UInt64?)
    /// The report does not increase, or the request has ended.
    case ignore
  }

  /// The shortest time between two reports, in nanoseconds.
  static let interval: UInt64 = 100_000_000

  private var last: Double?
  private var next: UInt64 = 0
  private var kept: CallProgress?
  private var isTimed = false
  private var isOver = false

  mutating func report(_ progress: CallProgress, at now: UInt64) -> Verdict {
    guard !isOver, progress.progress.isFinite, progress.progress > (last ?? -.infinity) else { return .ignore }
    last = progress.progress
    if now >= next, !isTimed {
      next = now &+ Self.interval
      return .send
    }
    kept = progress
    defer { isTimed = true }
    return .keep(until: isTimed ? nil : next)
  }

  /// The time that was set has come.
  mutating func due(at now: UInt64) -> CallProgress? {
    isTimed = false
    guard !isOver, let progress = kept else { return nil }
    kept = nil
    next = now &+ Self.interval
    return progress
  }

  /// The request is answered: nothing more is to be said of it.
  mutating func finish() { isOver = true }
}
