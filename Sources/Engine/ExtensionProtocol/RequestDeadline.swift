/// How long an extension may take for one call.
public struct RequestDeadline: Sendable, Equatable {
  /// The time after which the host logs that the call is slow; `$/progress` restarts it. Nil for no such line.
  public var soft: Duration?
  /// The time after which the call ends. Nothing postpones it, unless it is counted from the last activity.
  public var hard: Duration
  /// The longest duration of a call whose ``hard`` deadline is counted from the extension's last call, log line or
  /// progress report.
  public var limit: Duration?

  /// A deadline; the parameters are as the properties say.
  public init(soft: Duration? = nil, hard: Duration, limit: Duration? = nil) {
    self.soft = soft
    self.hard = hard
    self.limit = limit
  }

  /// For methods that name no deadline: 10 s.
  public static let standard = RequestDeadline(hard: .seconds(10))
  /// For an extension that works on a user's request, and shows that it does: 60 s after its last sign of life, 10
  /// minutes in all.
  public static let request = RequestDeadline(hard: .seconds(60), limit: .seconds(600))

  /// One hour: no request is open for longer, whatever signs of life there are.
  public static let longest = Duration.seconds(3600)

  /// Whether ``hard`` counts from the last sign of life.
  package var isIdleBased: Bool { limit != nil }

  /// The same rule with a deadline of the caller's own.
  package func with(_ deadline: Duration?) -> RequestDeadline {
    guard let deadline else { return self }
    return RequestDeadline(
      soft: soft.map { min($0, deadline) }, hard: deadline, limit: limit.map { max($0, deadline) })
  }
}
