internal import ConfigurationFiles

/// The rules of one stream: which operations use it, what is sent and repeated when, and which caller is notified.
///
/// The state machine is pure: a driver passes it events and performs its outputs in order. The rules are those of the
/// public clients. Operations are single requests until the first subscription. A stream stays open while a
/// subscription exists, and a little longer. After a loss it is opened again with the subscriptions and the waiting
/// queries, never with mutations.
struct StreamMachine: Sendable {
  /// An event.
  enum Input: Sendable {
    /// A caller follows a query. `id` is unique; `key` identifies the operation. A caller that reads the cache first
    /// does not receive an answer that arrived earlier.
    case subscribe(UInt64, DataOperation, key: String, looksFirst: Bool = false)
    /// Nothing was kept.
    case foundNothing(UInt64)
    case unsubscribe(UInt64)
    /// A caller waits for an operation. `id` is unique.
    case execute(UInt64, DataOperation, key: String)
    /// The caller no longer waits for the operation.
    case abandon(UInt64)
    /// The connection is there, made with this token.
    case opened(Secret?)
    case received(StreamReply)
    /// The connection was closed, or could not be opened.
    case closed(DataConnectFailure, isFinal: Bool)
    /// The token that counts now. `isForced`: it was asked for because the server refused the last one; if it is the
    /// same, there is no other.
    case token(Secret?, isForced: Bool = false)
    /// There is no other token than the one that was refused.
    case noToken
    case fired(Timer)
    /// Everything ends, for this reason.
    case end(DataConnectFailure)
  }

  /// What the driver must do.
  enum Output: Sendable, Equatable {
    /// Open a connection, with a new token if the server rejected the last one.
    case connect(isRefused: Bool)
    case disconnect
    case send(StreamRequest)
    case set(Timer, Duration)
    case clear(Timer)
    /// Check the token; request a new one if the server rejected it.
    case askToken(isRefused: Bool)
    /// Deliver an answer to these followers of a query.
    case deliver([UInt64], DataResponse)
    /// These follow nothing any more.
    case finish([UInt64], DataConnectFailure)
    /// Return the result of an operation to its caller.
    case answer(UInt64, DataResponse)
    case fail(UInt64, DataConnectFailure)
    /// Send the operation as a request of its own.
    case single(UInt64)
  }

  enum Timer: Sendable, Hashable, CaseIterable {
    /// The connection is made again.
    case reconnect
    /// No caller needs the connection any longer.
    case idle
    /// The time to check the token, so that it is renewed before it expires.
    case token
  }

  enum Phase: Sendable, Equatable {
    case closed, connecting, open
    /// The pause before the next attempt to connect.
    case waiting
  }

  struct Subscription: Sendable {
    let request: String
    let operation: DataOperation
    /// In the order in which they came.
    var subscribers: [UInt64]
    /// The followers that read the cache first and have received no answer since.
    var looking: Set<UInt64> = []
    /// The callers that wait for the next answer.
    var waiting: [UInt64] = []
    var last: DataResponse?
    var etag: String?
    /// The server's reason for refusing the query, until there is another token.
    var refusal: DataConnectFailure?
    /// Whether the server refused the query with the previous token, too.
    var isRetried = false

    /// A waiting caller needs an answer even if it has not changed.
    var action: StreamRequest.Action { .subscribe(operation, etag: waiting.isEmpty ? etag : nil) }
  }

  struct Call: Sendable {
    let id: UInt64
    let request: String
    let operation: DataOperation
    var refusal: DataConnectFailure?
    var isRetried = false
  }

  /// The most queries that are followed at one time.
  static let mostSubscriptions = 1_000
  /// The most operations that wait at one time; more go as requests of their own.
  static let mostCalls = 32
  static let idleTime = Duration.seconds(15)
  static let tokenInterval = Duration.seconds(30)
  /// How many connections in a row may fail before callers without an answer receive an error.
  static let patientAttempts = 3

  let endpoint: DataConnectEndpoint
  /// From 0 to 1.
  let random: @Sendable () -> Double
  var phase = Phase.closed
  /// The subscriptions by the keys of their operations.
  var subscriptions: [String: Subscription] = [:]
  /// The calls by the numbers of their requests.
  var calls: [String: Call] = [:]
  private var keys: [UInt64: String] = [:]
  private var lastRequest = 0
  /// Connections in a row that were not made or did not hold.
  var attempts = 0
  /// Connections in a row that were refused for their token.
  var refusals = 0
  private var isFirst = true
  private var token: Secret?
  var outputs: [Output] = []

  init(_ endpoint: DataConnectEndpoint, random: @escaping @Sendable () -> Double) {
    self.endpoint = endpoint
    self.random = random
  }

  /// Whether nothing is left of it.
  var isOver: Bool { phase == .closed && subscriptions.isEmpty && calls.isEmpty }

  /// - Returns: what is to be done, in order.
  mutating func handle(_ input: Input) -> [Output] {
    switch input {
    case .subscribe(let id, let operation, let key, let looksFirst): subscribe(id, operation, key, looksFirst)
    case .foundNothing(let id): foundNothing(id)
    case .unsubscribe(let id): unsubscribe(id)
    case .execute(let id, let operation, let key): execute(id, operation, key)
    case .abandon(let id): abandon(id)
    case .opened(let token): opened(token)
    case .received(let reply): received(reply)
    case .closed(let failure, let isFinal): closed(failure, isFinal: isFinal)
    case .token(let token, let isForced): renewed(token, isForced: isForced)
    case .noToken: if phase == .open { retryRefused(isNew: false) }
    case .fired(let timer): fired(timer)
    case .end(let failure): end(failure)
    }
    defer { outputs = [] }
    return outputs
  }

  // MARK: Subscriptions and calls

  private mutating func subscribe(_ id: UInt64, _ operation: DataOperation, _ key: String, _ looksFirst: Bool) {
    if subscriptions[key] != nil {
      keys[id] = key
      subscriptions[key]?.subscribers.append(id)
      // What is kept may be newer than the last answer of the server.
      if looksFirst { subscriptions[key]?.looking.insert(id) } else { repeatLast(for: id) }
      return
    }
    guard subscriptions.count < Self.mostSubscriptions else {
      let failure = DataConnectFailure(
        .failed, "More than \(Self.mostSubscriptions) queries of \(endpoint.shownConnector) are followed at one time.",
        recovery: "Follow fewer at one time.")
      return outputs.append(.finish([id], failure))
    }
    keys[id] = key
    let subscription = Subscription(request: newRequest(), operation: operation, subscribers: [id])
    subscriptions[key] = subscription
    switch phase {
    case .open:
      outputs.append(.clear(.idle))
      send(subscription.action, of: subscription.request)
    case .closed: connect()
    case .connecting, .waiting: break
    }
  }

  private mutating func foundNothing(_ id: UInt64) {
    // An answer may have come meanwhile.
    if let key = keys[id], subscriptions[key]?.looking.remove(id) != nil { repeatLast(for: id) }
  }

  private mutating func repeatLast(for id: UInt64) {
    guard let key = keys[id], let last = subscriptions[key]?.last else { return }
    outputs.append(.deliver([id], last))
  }

  private mutating func unsubscribe(_ id: UInt64) {
    guard let key = keys.removeValue(forKey: id), var subscription = subscriptions[key] else { return }
    subscription.subscribers.removeAll { $0 == id }
    subscription.looking.remove(id)
    subscriptions[key] = subscription
    guard subscription.subscribers.isEmpty else { return }
    subscriptions[key] = nil
    if phase == .open, subscription.refusal == nil { send(.cancel, of: subscription.request) }
    // A caller that waits for the next answer sends a request of its own.
    for call in subscription.waiting { outputs.append(.single(call)) }
    restIfUnused()
  }

  private mutating func execute(_ id: UInt64, _ operation: DataOperation, _ key: String) {
    guard phase == .open, !subscriptions.isEmpty, calls.count < Self.mostCalls else {
      return outputs.append(.single(id))
    }
    if operation.kind == .query, let subscription = subscriptions[key] {
      guard subscription.refusal == nil, subscription.waiting.count < Self.mostCalls else {
        return outputs.append(.single(id))
      }
      subscriptions[key]?.waiting.append(id)
      if subscription.waiting.isEmpty { send(.resume, of: subscription.request) }
      return
    }
    let call = Call(id: id, request: newRequest(), operation: operation)
    calls[call.request] = call
    send(.execute(operation), of: call.request)
  }

  private mutating func abandon(_ id: UInt64) {
    for (request, call) in calls where call.id == id { calls[request] = nil }
    for (key, subscription) in subscriptions where subscription.waiting.contains(id) {
      subscriptions[key]?.waiting.removeAll { $0 == id }
    }
    restIfUnused()
  }

  // MARK: The connection

  private mutating func opened(_ token: Secret?) {
    guard phase == .connecting else { return }
    phase = .open
    isFirst = true
    self.token = token
    outputs.append(.set(.token, Self.tokenInterval))
    for key in subscriptions.keys { subscriptions[key]?.refusal = nil }
    for request in calls.keys { calls[request]?.refusal = nil }
    let actions =
      subscriptions.values.map { ($0.request, $0.action) }
      + calls.values.map { ($0.request, StreamRequest.Action.execute($0.operation)) }
    for (request, action) in actions.sorted(by: { (Int($0.0) ?? 0) < (Int($1.0) ?? 0) }) { send(action, of: request) }
    restIfUnused()
  }

  private mutating func fired(_ timer: Timer) {
    switch (timer, phase) {
    case (.reconnect, .waiting): connect()
    case (.idle, .open) where subscriptions.isEmpty && calls.isEmpty: rest()
    case (.token, .open):
      // It has held for a while: one that breaks again and again is made less and less often.
      attempts = 0
      outputs += [.askToken(isRefused: false), .set(.token, Self.tokenInterval)]
    default: break
    }
  }

  /// Another token travels alone; then what was refused with the old one is asked for again. If the token is the same,
  /// what was refused fails only where a new one was asked for (`isForced`).
  private mutating func renewed(_ token: Secret?, isForced: Bool) {
    guard phase == .open else { return }
    let isNew = token != self.token
    if isNew {
      self.token = token
      // The first frame has it anyway.
      if !isFirst { outputs.append(.send(StreamRequest(id: nil, action: .token, token: token))) }
    }
    if isNew || isForced { retryRefused(isNew: isNew) }
  }

  mutating func connect() {
    phase = .connecting
    outputs.append(.connect(isRefused: refusals > 0))
  }

  /// Closes the connection when no caller uses it: after a pause, or at once when there is no connection to reuse.
  mutating func restIfUnused() {
    guard subscriptions.isEmpty, calls.isEmpty else { return }
    switch phase {
    case .open: outputs.append(.set(.idle, Self.idleTime))
    case .connecting, .waiting: rest()
    case .closed: break
    }
  }

  mutating func rest() {
    phase = .closed
    (attempts, refusals) = (0, 0)
    outputs += Timer.allCases.map { .clear($0) }
    outputs.append(.disconnect)
  }

  // MARK: Frames

  private mutating func newRequest() -> String {
    lastRequest += 1
    return String(lastRequest)
  }

  mutating func send(_ action: StreamRequest.Action, of request: String) {
    outputs.append(
      .send(StreamRequest(id: request, action: action, token: isFirst ? token : nil, isFirst: isFirst)))
    isFirst = false
  }

  /// Removes a subscription and returns its followers.
  mutating func remove(_ key: String) -> Subscription? {
    guard let subscription = subscriptions.removeValue(forKey: key) else { return nil }
    for id in subscription.subscribers { keys[id] = nil }
    return subscription
  }
}
