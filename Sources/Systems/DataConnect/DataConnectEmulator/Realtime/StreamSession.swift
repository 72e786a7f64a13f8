import JSON
import Synchronization
import Text

/// The subscriptions and calls of one client over one stream.
final class StreamSession: Sendable {
  private struct Subscription {
    let call: OperationCall
    let connector: String
    let key: QueryKey
    let number: UInt64
    let listener: Listener
    /// The deployment that the caller was last admitted by.
    var deployment: UInt64?
  }

  /// Receives the results of one subscription. A result for an earlier subscription of the same name may arrive late.
  private final class Listener: SubscriberSink {
    private let session: StreamSession

    init(_ session: StreamSession) { self.session = session }

    func deliver(_ members: String, to request: String) { session.deliver(members, to: request, of: self) }
    func end(_ failure: RequestFailure, of request: String) { session.ended(failure, of: request, by: self) }
  }

  private struct State {
    var caller = OperationCaller.nobody
    var connector = ""
    /// By the names that the client chose, to the byte.
    var subscriptions: [ExactText: Subscription] = [:]
    var executions = 0
    var isOver = false

    subscript(request: String) -> Subscription? {
      get { subscriptions[ExactText(request)] }
      set { subscriptions[ExactText(request)] = newValue }
    }
  }

  private static let expired = RequestFailure(.unauthenticated, "unauthorized: the token has expired")
  private static let mostSubscriptions = 1_000
  private static let mostExecutions = 64
  private let emulator: DataConnectEmulator
  private let channel: any StreamChannel
  private let service: String
  private let state = Mutex(State())

  init(_ emulator: DataConnectEmulator, _ channel: any StreamChannel, service: String) {
    self.emulator = emulator
    self.channel = channel
    self.service = service
  }

  /// Serves until the client ends the connection.
  func run() async {
    // Most streams do nothing but listen, and have no need of a group.
    if let first = await nextCall() {
      await withDiscardingTaskGroup { group in
        group.addTask { await first() }
        while let call = await nextCall() { group.addTask { await call() } }
        leaveAll()
      }
    }
    leaveAll()
  }

  private func leaveAll() {
    for subscription in endAll() { leave(subscription) }
  }

  /// Does what frames say until one asks for something that takes its time.
  ///
  /// - Returns: that; `nil` once the stream ends.
  private func nextCall() async -> (@Sendable () async -> Void)? {
    do throws(RequestFailure) {
      while let frame = try await channel.next() {
        if let call = try await take(frame) { return call }
      }
    } catch {
      // An error that belongs to no request ends the stream.
      refuse(error)
    }
    return nil
  }

  /// - Returns: what takes its time, and keeps no later frame waiting.
  /// - Throws: what ends the stream.
  private func take(_ frame: StreamFrame) async throws(RequestFailure) -> (@Sendable () async -> Void)? {
    if let connector = frame.connector { state.withLock { $0.connector = connector } }
    if let token = frame.token { try await change(to: try await emulator.tokens.caller(token)) }
    guard let request = frame.request, let action = frame.action else { return nil }
    guard emulator.tokens.isCurrent(state.withLock { $0.caller }) else {
      end(Self.expired, of: request)
      return nil
    }
    switch action {
    case .subscribe(let call): subscribe(call, request, frame.etag)
    case .resume: resume(request, frame.etag)
    case .cancel: cancel(request)
    case .execute(let call): return execute(call, request)
    }
    return nil
  }

  // MARK: Calls

  private func execute(_ call: OperationCall, _ request: String) -> (@Sendable () async -> Void)? {
    let (caller, connector, isFree) = state.withLock { state in
      let isFree = state.executions < Self.mostExecutions
      if isFree { state.executions += 1 }
      return (state.caller, state.connector, isFree)
    }
    guard isFree else {
      end(RequestFailure(.resourceExhausted, "Too many operations are executed at once."), of: request)
      return nil
    }
    return { [self] in
      defer { state.withLock { $0.executions -= 1 } }
      do throws(RequestFailure) {
        let deployment = try emulator.deployment(service)
        let operation = try deployment.operation(call.name, of: connector)
        let response = try await emulator.execute(
          OperationEngine.Order(
            operation: operation, deployment: deployment, caller: caller, variables: call.variables),
          of: connector)
        var bytes: [UInt8] = []
        response.writeMembers(into: &bytes)
        await channel.send(String(decoding: bytes, as: UTF8.self), request)
      } catch {
        await channel.send(Self.members(error, isCancelled: false), request)
      }
    }
  }

  // MARK: Subscriptions

  private func subscribe(_ call: OperationCall, _ request: String, _ etag: String?) {
    // The one that is replaced makes room for this one.
    let (caller, connector, old, count) = state.withLock { state in
      let old = state.subscriptions.removeValue(forKey: ExactText(request))
      return (state.caller, state.connector, old, state.subscriptions.count)
    }
    if let old { leave(old) }
    guard count < Self.mostSubscriptions else {
      return end(RequestFailure(.resourceExhausted, "The stream has too many subscriptions."), of: request)
    }
    subscribe(call, connector, request, etag, as: caller)
  }

  private func subscribe(
    _ call: OperationCall, _ connector: String, _ request: String, _ etag: String?, as caller: OperationCaller,
    insteadOf replaced: Listener? = nil
  ) {
    let deployment = emulator.deployer.current?.number
    do throws(RequestFailure) {
      let key = try emulator.queryKey(service, connector, call, caller)
      let listener = Listener(self)
      let other = state.withLock { state -> Subscription? in
        // Another user signed in, or the user signed out, in between; or the client has given up what is replaced here.
        guard !state.isOver, state.caller == caller, state[request]?.listener === replaced else {
          return nil
        }
        let number = emulator.liveQueries.join(key, caller, listener, request: request, etag: etag)
        let subscription = Subscription(
          call: call, connector: connector, key: key, number: number, listener: listener, deployment: deployment)
        return state.subscriptions.updateValue(subscription, forKey: ExactText(request))
      }
      if let other { leave(other) }
    } catch {
      end(error, of: request, for: replaced)
    }
  }

  private func leave(_ subscription: Subscription) {
    emulator.liveQueries.leave(subscription.key, subscription.number)
  }

  /// Continues a subscription after the token or the deployment has changed, if the caller still has access.
  private func renew(_ request: String, _ listener: Listener) {
    let deployment = emulator.deployer.current?.number
    guard let (old, caller) = state.withLock({ state in state[request].map { ($0, state.caller) } }),
      old.listener === listener
    else { return }
    do throws(RequestFailure) {
      if try emulator.queryKey(service, old.connector, old.call, caller) == old.key {
        return state.withLock { state in
          if state[request]?.listener === listener {
            state[request]?.deployment = deployment
          }
        }
      }
      subscribe(old.call, old.connector, request, nil, as: caller, insteadOf: listener)
    } catch {
      end(error, of: request, for: listener)
    }
  }

  private func resume(_ request: String, _ etag: String?) {
    guard let subscription = state.withLock({ $0[request] }) else {
      return end(RequestFailure(.notFound, "There is no such subscription."), of: request)
    }
    emulator.liveQueries.resume(subscription.key, subscription.number, etag: etag)
  }

  private func cancel(_ request: String) {
    // No answer follows: public clients have forgotten the request, and would report one that they do not know.
    if let old = state.withLock({ $0.subscriptions.removeValue(forKey: ExactText(request)) }) { leave(old) }
  }

  /// Continues with another token. Subscriptions of another user end.
  private func change(to caller: OperationCaller) async throws(RequestFailure) {
    let (listeners, ended) = state.withLock { state in
      let (before, subscriptions) = (state.caller, state.subscriptions)
      state.caller = caller
      if before == caller { return ([:], [:]) as ([ExactText: Listener], [ExactText: Subscription]) }
      if before.name == caller.name { return (subscriptions.mapValues(\.listener), [:]) }
      state.subscriptions = [:]
      return ([:], subscriptions)
    }
    for (request, listener) in listeners { renew(request.text, listener) }
    for (request, subscription) in ended {
      leave(subscription)
      end(RequestFailure(.unauthenticated, "unauthorized: another user has signed in"), of: request.text)
    }
  }

  private func endAll() -> [Subscription] {
    state.withLock { state in
      defer { state.subscriptions = [:] }
      state.isOver = true
      return Array(state.subscriptions.values)
    }
  }

  // MARK: Answers

  private func deliver(_ members: String, to request: String, of listener: Listener) {
    enum Outcome { case taken, slow, nobody, expired, old }
    let deployment = emulator.deployer.current?.number
    // What is offered here stands before what says that another user is there.
    let outcome = state.withLock { state -> Outcome in
      guard let subscription = state[request], subscription.listener === listener else { return .nobody }
      guard emulator.tokens.isCurrent(state.caller) else { return .expired }
      guard subscription.deployment == deployment else { return .old }
      return channel.offer(members, request) ? .taken : .slow
    }
    switch outcome {
    case .taken, .nobody: break
    case .slow: drop()
    case .expired: end(Self.expired, of: request, for: listener)
    case .old:
      // It may be for others by now.
      renew(request, listener)
      deliver(members, to: request, of: listener)
    }
  }

  /// The query of a subscription is executed no more.
  private func ended(_ failure: RequestFailure, of request: String, by listener: Listener) {
    guard let (old, caller) = state.withLock({ state in state[request].map { ($0, state.caller) } }),
      old.listener === listener
    else { return }
    let isOfCaller = failure.code == .permissionDenied || failure.code == .unauthenticated
    // One execution serves all subscribers, on behalf of the first one. Another subscriber may still have access.
    guard isOfCaller, old.key.caller == nil, old.deployment != emulator.deployer.current?.number else {
      return end(failure, of: request, for: listener)
    }
    subscribe(old.call, old.connector, request, nil, as: caller, insteadOf: listener)
  }

  /// Ends a request.
  ///
  /// - Parameter listener: of the subscription that is meant: nothing ends when the client has another one by now. `nil` for
  ///   what the request is.
  private func end(_ failure: RequestFailure, of request: String, for listener: Listener? = nil) {
    let (ended, isTaken) = state.withLock { state -> (Subscription?, Bool) in
      let ended = state[request]
      if let listener, ended?.listener !== listener { return (nil, true) }
      state[request] = nil
      return (ended, channel.offer(Self.members(failure, isCancelled: true), request))
    }
    if let ended { leave(ended) }
    if !isTaken { drop() }
  }

  private func refuse(_ failure: RequestFailure) {
    offer(Self.members(failure, isCancelled: true), nil)
    channel.refuse(failure)
  }

  private func offer(_ members: String, _ request: String?) {
    if !channel.offer(members, request) { drop() }
  }

  private func drop() {
    channel.refuse(RequestFailure(.resourceExhausted, "The client does not take what is sent fast enough."))
  }

  private static func members(_ failure: RequestFailure, isCancelled: Bool) -> String {
    let error: JSONValue = [
      "message": .string(failure.message), "extensions": ["code": .string(failure.code.rawValue)],
    ]
    let end = isCancelled ? ",\"cancelled\":true" : ""
    return "\"data\":null,\"errors\":[\(error)]\(end)"
  }
}
