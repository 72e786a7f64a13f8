import DataConnectCompiler

/// A query that somebody listens to.
struct LiveQuery: Sendable {
  let key: QueryKey
  /// On whose behalf it is executed.
  let caller: OperationCaller
  var subscribers: [UInt64: Subscriber] = [:]
  /// How many executions have begun.
  var runs: UInt64 = 0
  var isRunning = false
  /// Whether it has to be executed once more.
  var isDirty = false
  /// What the last result is known by.
  var etag: String?
  /// The rows whose changes concern it.
  var watched: Set<String> = []
  var refreshes: [RefreshRule] = []
  /// The time after which it is executed again, if a timer runs.
  var interval: Int?

  init(_ key: QueryKey, _ caller: OperationCaller) {
    self.key = key
    self.caller = caller
  }

  /// The shortest time after which it wants to be executed again, in milliseconds.
  var wantedInterval: Int? {
    refreshes.compactMap { if case .every(let milliseconds) = $0 { milliseconds } else { nil } }.min()
  }
}
