internal import ConfigurationFiles
internal import JSON
internal import Text
import Time
internal import WebSocket

/// All streams of a client: one connection for each endpoint and user, which carries what its machine says.
actor StreamHub {
  /// The endpoint and the user of a stream.
  struct Key: Sendable, Hashable {
    let endpoint: DataConnectEndpoint
    /// The user; `nil` when no user is signed in.
    let user: ExactText?

    init(endpoint: DataConnectEndpoint, user: String?) {
      (self.endpoint, self.user) = (endpoint, user.map { ExactText($0) })
    }
  }

  /// A follower of a query.
  struct Subscriber: Sendable {
    let id: UInt64
    let operation: DataOperation
    let operationKey: String
    let cache: CacheSettings?
    let token: TokenSource
    let sink: Observers.Sink
  }

  /// A command to the hub. Callers do not wait for it; the hub handles commands in order.
  enum Command: Sendable {
    case subscribe(Key, Subscriber)
    case unsubscribe(Key, UInt64)
    /// Gives up an operation that its caller no longer waits for, with the reason.
    case abandon(Key, UInt64, DataConnectFailure)
    /// Starts work in a task of its own.
    case start(@Sendable () async -> Void)
  }

  typealias Outcome = Result<DataResponse?, DataConnectFailure>

  let opening: StreamOpening
  let commands: AsyncStream<Command>.Continuation
  let keeper: Keeper
  private let clock: WallClock
  private let clientName: String
  var links: [Key: Link] = [:]
  var lastNumber: UInt64 = 0

  /// - Parameter commands: where what ``run(_:)`` is given comes from.
  init(
    _ opening: @escaping StreamOpening, commands: AsyncStream<Command>.Continuation, keeper: Keeper,
    clock: WallClock, clientName: String
  ) {
    self.opening = opening
    self.commands = commands
    self.keeper = keeper
    self.clock = clock
    self.clientName = clientName
  }

  /// Does what is asked until the commands end or the task is cancelled; then everything ends.
  func run(_ waiting: AsyncStream<Command>) async {
    await withDiscardingTaskGroup { group in
      for await command in waiting {
        switch command {
        case .subscribe(let key, let subscriber): await subscribe(subscriber, key)
        case .unsubscribe(let key, let id):
          links[key]?.subscribers[id] = nil
          handle(.unsubscribe(id), key)
        case .abandon(let key, let id, let failure): abandon(id, key, failure)
        case .start(let work): group.addTask { await work() }
        }
      }
      group.cancelAll()
      for key in links.keys { handle(.end(.cancelled), key) }
    }
  }

  /// The cached result is read after the subscription is made, so that no change in between is missed.
  private func subscribe(_ subscriber: Subscriber, _ key: Key) async {
    link(key, token: subscriber.token).subscribers[subscriber.id] = subscriber
    let (id, operation) = (subscriber.id, subscriber.operation)
    let looksFirst = subscriber.cache != nil
    handle(.subscribe(id, operation, key: subscriber.operationKey, looksFirst: looksFirst), key)
    guard let use = subscriber.cache else { return }
    let scope = CacheScope(use, key.endpoint, user: key.user?.text)
    if await keeper.give(operation, in: scope, to: subscriber.sink) { return }
    for delivery in handle(.foundNothing(id), key) {
      for sink in delivery.sinks.values.joined() { sink(.success(delivery.answer)) }
    }
  }

  /// Executes an operation over the stream.
  ///
  /// - Returns: the answer; `nil` when the operation must be sent as a request of its own.
  /// - Throws: the reason there is no answer; `timedOut` after the limit.
  func execute(
    _ operation: DataOperation, _ key: Key, token source: @escaping TokenSource, limit: Duration
  ) async throws(DataConnectFailure) -> DataResponse? {
    guard let link = links[key], link.machine.phase == .open else { return nil }
    link.lastToken = source
    let token = try await OperationExchange.token(of: key.user?.text, from: source)
    handle(.token(token?.text), key)
    lastNumber += 1
    return try await outcome(of: Call(operation: operation, id: lastNumber, key: key, limit: limit)).get()
  }

  private struct Call: Sendable {
    let operation: DataOperation
    let id: UInt64
    let key: Key
    let limit: Duration
  }

  /// The outcome, or that the time passed.
  private func outcome(of call: Call) async -> Outcome {
    await withTaskGroup(of: Outcome?.self) { group in
      group.addTask { await self.answer(to: call) }
      group.addTask { [clock] in
        guard (try? await clock.sleep(call.limit)) != nil else { return nil }
        return .failure(.timedOut(call.operation, at: call.key.endpoint))
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first ?? .failure(.cancelled)
    }
  }

  private func answer(to call: Call) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
        if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
        guard let link = links[call.key] else { return continuation.resume(returning: .success(nil)) }
        link.calls[call.id] = continuation
        handle(.execute(call.id, call.operation, key: call.operation.key), call.key)
      }
    } onCancel: {
      commands.yield(.abandon(call.key, call.id, .cancelled))
    }
  }

  private func abandon(_ id: UInt64, _ key: Key, _ failure: DataConnectFailure) {
    guard let continuation = links[key]?.calls.removeValue(forKey: id) else { return }
    continuation.resume(returning: .failure(failure))
    handle(.abandon(id), key)
  }

  private func link(_ key: Key, token: @escaping TokenSource) -> Link {
    if let link = links[key] {
      link.lastToken = token
      return link
    }
    let link = Link(StreamMachine(key.endpoint, random: clock.random), token: token)
    links[key] = link
    return link
  }

  // MARK: The machine

  /// - Returns: the answers that are to be kept.
  @discardableResult
  func handle(_ input: StreamMachine.Input, _ key: Key) -> [Delivery] {
    guard let link = links[key] else { return [] }
    var deliveries: [Delivery] = []
    for output in link.machine.handle(input) {
      if let delivery = perform(output, link, key) { deliveries.append(delivery) }
    }
    if link.machine.isOver, link.calls.isEmpty { links[key] = nil }
    return deliveries
  }

  private func perform(_ output: StreamMachine.Output, _ link: Link, _ key: Key) -> Delivery? {
    switch output {
    case .connect(let isRefused): connect(link, key, isRefused: isRefused)
    case .disconnect: disconnect(link)
    case .send(let request):
      link.connection?.outbox.yield(request.text(connector: key.endpoint.connectorName, clientName: clientName))
    case .set(let timer, let duration): set(timer, duration, link, key)
    case .clear(let timer): link.timers[timer] = nil
    case .askToken(let isRefused): askToken(link.token, isRefused: isRefused, key)
    case .deliver(let ids, let answer):
      let subscribers = ids.compactMap { link.subscribers[$0] }
      guard let operation = subscribers.first?.operation else { return nil }
      var delivery = Delivery(answer: answer, operation: operation)
      for subscriber in subscribers {
        if let use = subscriber.cache {
          delivery.sinks[use, default: []].append(subscriber.sink)
        } else {
          subscriber.sink(.success(answer))
        }
      }
      return delivery
    case .finish(let ids, let failure):
      for id in ids { link.subscribers.removeValue(forKey: id)?.sink(.failure(failure)) }
    case .answer(let id, let answer): link.calls.removeValue(forKey: id)?.resume(returning: .success(answer))
    case .fail(let id, let failure): link.calls.removeValue(forKey: id)?.resume(returning: .failure(failure))
    case .single(let id): link.calls.removeValue(forKey: id)?.resume(returning: .success(nil))
    }
    return nil
  }

  private func set(_ timer: StreamMachine.Timer, _ duration: Duration, _ link: Link, _ key: Key) {
    lastNumber += 1
    let number = lastNumber
    link.timers[timer] = number
    commands.yield(
      .start { [clock] in
        guard (try? await clock.sleep(duration)) != nil else { return }
        await self.fired(timer, number, key)
      })
  }

  private func fired(_ timer: StreamMachine.Timer, _ number: UInt64, _ key: Key) {
    guard let link = links[key], link.timers[timer] == number else { return }
    link.timers[timer] = nil
    handle(.fired(timer), key)
  }

  private func askToken(_ source: @escaping TokenSource, isRefused: Bool, _ key: Key) {
    commands.yield(
      .start {
        do throws(DataConnectFailure) {
          let token = try await OperationExchange.token(of: key.user?.text, from: source, forceRefresh: isRefused)
          await self.feed(.token(token?.text, isForced: isRefused), key)
        } catch {
          // A temporary failure of the network ends nothing unless the server rejected the token; another user ends the
          // stream.
          if error == .userChanged { await self.feed(.end(error), key) }
          if isRefused { await self.feed(.noToken, key) }
        }
      })
  }

  func feed(_ input: StreamMachine.Input, _ key: Key) { handle(input, key) }
}

extension DataConnectFailure {
  fileprivate static func timedOut(
    _ operation: DataOperation, at endpoint: DataConnectEndpoint
  ) -> DataConnectFailure {
    DataConnectFailure(
      .timedOut, "\(endpoint.server) did not answer \"\(operation.name)\" in time.",
      recovery: "Check that the server is up and try again.")
  }
}
