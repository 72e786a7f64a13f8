import DataConnectCompiler
import JSON

/// A subscribed query.
struct LiveQuery: Sendable {
  let key: QueryKey
  /// The caller on whose behalf the query is executed.
  let caller: OperationCaller
  var subscribers: [UInt64: Subscriber] = [:]
  /// How many executions have begun.
  var runs: UInt64 = 0
  var isRunning = false
  /// Whether the query must be executed again.
  var isDirty = false
  /// The tag of the last result; `nil` before the first.
  var etag: String?
  /// The rows whose changes concern it.
  var watched: Set<String> = []
  var refreshes: [RefreshRule] = []
  /// The timer that executes the query again and again, if there is one.
  var timer: QueryTimer?

  init(_ key: QueryKey, _ caller: OperationCaller) {
    self.key = key
    self.caller = caller
  }

  /// The shortest time after which it wants to be executed again, in milliseconds.
  var wantedInterval: Int? {
    refreshes.compactMap { if case .every(let milliseconds) = $0 { milliseconds } else { nil } }.min()
  }
}

/// What executes a query again and again.
struct QueryTimer: Sendable, Hashable {
  let query: UInt64
  let number: UInt64
  /// In milliseconds.
  let interval: Int
}

/// What subscribers have in common that share one execution.
struct QueryKey: Sendable, Hashable {
  let service: String
  let connector: String
  let operation: String
  /// As the client sent them.
  let variables: JSONObject
  /// `nil` where the result is the same for everybody who may see it.
  let caller: OperationCaller?
}

/// Somebody who listens to a query.
protocol SubscriberSink: AnyObject, Sendable {
  /// Sends a response, if there is room for it at once. Who is behind is dropped.
  ///
  /// - Parameter members: of the JSON object of the response, with commas between them.
  func deliver(_ members: String, to request: String)

  /// The subscription is over, with a reason.
  func end(_ failure: RequestFailure, of request: String)
}

/// One subscription.
struct Subscriber: Sendable {
  let sink: any SubscriberSink
  /// What the client calls it.
  let request: String
  /// The run whose result it has to get whole, or one after it; `nil` once it has it.
  var neededRun: UInt64?
  /// What it says that it has.
  var etag: String?
}
