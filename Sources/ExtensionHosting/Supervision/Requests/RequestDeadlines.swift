/// How long an extension may take for one call.
package struct RequestDeadline: Sendable, Equatable {
  /// After which the log says so; `$/progress` begins it anew.
  package var soft: Duration?
  /// After which the call ends. Nothing moves it, unless it is counted from the last sign of life.
  package var hard: Duration
  /// The end of a call whose ``hard`` deadline counts from the extension's last call, log line or progress: so much
  /// after its begin, it ends anyway.
  package var limit: Duration?

  package init(soft: Duration? = nil, hard: Duration, limit: Duration? = nil) {
    self.soft = soft
    self.hard = hard
    self.limit = limit
  }

  /// Whether ``hard`` counts from the last sign of life.
  package var isIdleBased: Bool { limit != nil }

  /// The same rule with a deadline of the caller's own.
  package func with(_ deadline: Duration?) -> RequestDeadline {
    guard let deadline else { return self }
    return RequestDeadline(
      soft: soft.map { min($0, deadline) }, hard: deadline, limit: limit.map { max($0, deadline) })
  }
}

/// The deadlines of the host's calls, as one table.
package enum RequestDeadlines {
  /// For methods that the table lacks.
  package static let standard = RequestDeadline(hard: .seconds(10))
  /// An extension that works on a user's request, and shows that it does.
  package static let request = RequestDeadline(hard: .seconds(60), limit: .seconds(600))

  private static let table: [String: RequestDeadline] = [
    "widget/performUpdate": RequestDeadline(hard: .seconds(10)),
    "share/didSelectPost": request,
    "action/perform": request,
    "keyboard/input": RequestDeadline(soft: .milliseconds(100), hard: .seconds(2)),
    "photo/finishContentEditing": RequestDeadline(hard: .seconds(120)),
    "provider/startProviding": RequestDeadline(hard: .seconds(30), limit: .seconds(3600)),
    "provider/providePlaceholder": RequestDeadline(hard: .seconds(30), limit: .seconds(300)),
  ]

  /// The deadline of a method.
  package static func deadline(of method: String) -> RequestDeadline { table[method] ?? standard }

  /// How long the host may take for a call of an extension. One that waits for a document ends with what it waits for: with
  /// the provider's error, or when others use the document for too long.
  ///
  /// - Parameter ordinary: for every other method.
  package static func service(_ method: String, ordinary: Duration) -> Duration {
    method == "provider/coordinate" ? max(longest, ordinary) : ordinary
  }

  /// No request is open for longer, whatever signs of life there are.
  package static let longest = Duration.seconds(3600)

  /// From a request's end to the end of what the extension still does for it.
  package static let completionGrace = Duration.seconds(5)
}
