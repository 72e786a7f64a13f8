internal import ConfigurationFiles
internal import JSONRPC
internal import WebSocket

/// All streams of a client: one connection for each endpoint and user, which carries what its machine says.
actor StreamHub {
  /// Whose stream it is.
  struct Key: Sendable, Hashable {
    let endpoint: DataConnectEndpoint
    /// `nil` is nobody.
    let user: String?
  }

  /// Somebody who follows a query.
  struct Subscriber: Sendable {
    let id: UInt64
    let operation: DataOperation
    let operationKey: String
    let cache: CacheUse?
    let token: TokenSource
    let sink: Observers.Sink
  }

  /// What is asked of the hub without waiting, in order.
  enum Command: Sendable {
    case subscribe(Key, Subscriber)
    case unsubscribe(Key, UInt64)
    case end(user: String?, DataConnectFailure)
  }

  typealias Outcome = Result<ServerAnswer?, DataConnectFailure>

  /// One connection with those who use it.
  private final class Link {
    var machine: StreamMachine
    /// The newest of those who use it.
    var token: TokenSource
    var subscribers: [UInt64: Subscriber] = [:]
    var calls: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    var timers: [StreamMachine.Timer: Task<Void, Never>] = [:]
    /// Reads and writes; what comes of an older one counts no more.
    var connection: (number: UInt64, task: Task<Void, Never>, outbox: AsyncStream<String>.Continuation)?

    init(_ machine: StreamMachine, token: @escaping TokenSource) {
      self.machine = machine
      self.token = token
    }
  }

  private let opening: StreamOpening
  private let keeper: Keeper
  private let clock: DataConnectClock
  private let clientName: String
  private var links: [Key: Link] = [:]
  private var lastNumber: UInt64 = 0

  init(_ opening: @escaping StreamOpening, keeper: Keeper, clock: DataConnectClock, clientName: String) {
    self.opening = opening
    self.keeper = keeper
    self.clock = clock
    self.clientName = clientName
  }

  /// Does what is asked until the commands end; then everything ends.
  func run(_ commands: AsyncStream<Command>) async {
    for await command in commands {
      switch command {
      case .subscribe(let key, let subscriber):
        if let use = subscriber.cache {
          let scope = CacheScope(use, key.endpoint, user: key.user)
          let kept = await keeper.response(to: subscriber.operation, in: scope, use, .cacheOnly)
          if let kept { subscriber.sink(.success(kept)) }
        }
        let link = link(key, token: subscriber.token)
        link.subscribers[subscriber.id] = subscriber
        handle(.subscribe(subscriber.id, subscriber.operation, key: subscriber.operationKey), key)
      case .unsubscribe(let key, let id):
        links[key]?.subscribers[id] = nil
        handle(.unsubscribe(id), key)
      case .end(let user, let failure):
        for key in links.keys where key.user == user { handle(.end(failure), key) }
      }
    }
    for key in links.keys { handle(.end(.cancelled), key) }
  }

  /// Executes an operation over the stream.
  ///
  /// - Returns: `nil` when it has to go as a request of its own.
  /// - Throws: why there is no answer; `timedOut` after the limit.
  func execute(
    _ operation: DataOperation, _ key: Key, token source: @escaping TokenSource, limit: Duration
  ) async throws(DataConnectFailure) -> ServerAnswer? {
    guard let link = links[key], link.machine.phase == .open else { return nil }
    link.token = source
    let token = try await OperationExchange.token(of: key.user, from: source)
    handle(.token(token?.text), key)
    guard let link = links[key] else { return nil }
    lastNumber += 1
    let id = lastNumber
    let timer = Task { [clock] in
      guard (try? await clock.sleep(limit)) != nil else { return }
      self.abandon(id, key, .timedOut(operation, at: key.endpoint))
    }
    defer { timer.cancel() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
        if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
        link.calls[id] = continuation
        handle(.execute(id, operation, key: operation.key), key)
      }
    } onCancel: {
      Task { await self.abandon(id, key, .cancelled) }
    }
    return try outcome.get()
  }

  private func abandon(_ id: UInt64, _ key: Key, _ failure: DataConnectFailure) {
    guard let continuation = links[key]?.calls.removeValue(forKey: id) else { return }
    continuation.resume(returning: .failure(failure))
    handle(.abandon(id), key)
  }

  private func link(_ key: Key, token: @escaping TokenSource) -> Link {
    if let link = links[key] {
      link.token = token
      return link
    }
    let link = Link(StreamMachine(key.endpoint, random: clock.random), token: token)
    links[key] = link
    return link
  }

  // MARK: The machine

  /// What an answer leaves to be kept.
  private struct Delivery {
    let answer: ServerAnswer
    let operation: DataOperation
    let uses: Set<CacheUse>
  }

  /// - Returns: what is to be kept of it.
  @discardableResult
  private func handle(_ input: StreamMachine.Input, _ key: Key) -> [Delivery] {
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
    case .clear(let timer): link.timers.removeValue(forKey: timer)?.cancel()
    case .askToken(let isRefused): askToken(link.token, isRefused: isRefused, key)
    case .deliver(let ids, let answer):
      let subscribers = ids.compactMap { link.subscribers[$0] }
      let response = answer.response()
      for subscriber in subscribers { subscriber.sink(.success(response)) }
      guard let operation = subscribers.first?.operation else { return nil }
      return Delivery(answer: answer, operation: operation, uses: Set(subscribers.compactMap(\.cache)))
    case .finish(let ids, let failure):
      for id in ids { link.subscribers.removeValue(forKey: id)?.sink(.failure(failure)) }
    case .answer(let id, let answer): link.calls.removeValue(forKey: id)?.resume(returning: .success(answer))
    case .fail(let id, let failure): link.calls.removeValue(forKey: id)?.resume(returning: .failure(failure))
    case .single(let id): link.calls.removeValue(forKey: id)?.resume(returning: .success(nil))
    }
    return nil
  }

  private func set(_ timer: StreamMachine.Timer, _ duration: Duration, _ link: Link, _ key: Key) {
    link.timers[timer]?.cancel()
    link.timers[timer] = Task { [clock] in
      guard (try? await clock.sleep(duration)) != nil, !Task.isCancelled else { return }
      self.handle(.fired(timer), key)
    }
  }

  private func askToken(_ source: @escaping TokenSource, isRefused: Bool, _ key: Key) {
    Task {
      do throws(DataConnectFailure) {
        let token = try await OperationExchange.token(of: key.user, from: source, forceRefresh: isRefused)
        self.handle(.token(token?.text), key)
      } catch {
        // A network that is gone for a while ends nothing, another user does.
        if isRefused || error == .userChanged { self.handle(.end(error), key) }
      }
    }
  }

  // MARK: The connection

  private func connect(_ link: Link, _ key: Key, isRefused: Bool) {
    disconnect(link)
    lastNumber += 1
    let number = lastNumber
    let (texts, outbox) = AsyncStream<String>.makeStream()
    let source = link.token
    link.connection = (number, Task { await self.converse(number, key, source, isRefused, texts) }, outbox)
  }

  private func disconnect(_ link: Link) {
    link.connection?.outbox.finish()
    link.connection?.task.cancel()
    link.connection = nil
  }

  /// From the opening of a connection to its end.
  private func converse(
    _ number: UInt64, _ key: Key, _ source: @escaping TokenSource, _ isRefused: Bool, _ texts: AsyncStream<String>
  ) async {
    let end: StreamRefusal
    do throws(StreamRefusal) {
      let token: IDToken?
      do throws(DataConnectFailure) {
        token = try await OperationExchange.token(of: key.user, from: source, forceRefresh: isRefused)
      } catch {
        throw StreamRefusal(error, isFinal: true)
      }
      let url: String
      do throws(DataConnectFailure) { url = try key.endpoint.streamURL() } catch {
        throw StreamRefusal(error, isFinal: true)
      }
      let socket = try await opening(url, key.endpoint)
      defer { socket.close() }
      let writer = Task {
        for await text in texts { try await socket.send(text: text) }
      }
      defer { writer.cancel() }
      guard isCurrent(number, key) else { return }
      handle(.opened(token?.text), key)
      end = StreamRefusal(try await read(socket, number, key), isFinal: false)
    } catch { end = error }
    guard isCurrent(number, key) else { return }
    links[key]?.connection = nil
    handle(.closed(end.failure, isFinal: end.isFinal), key)
  }

  private func isCurrent(_ number: UInt64, _ key: Key) -> Bool { links[key]?.connection?.number == number }

  /// - Returns: why nothing more comes.
  private func read(
    _ socket: any StreamSocket, _ number: UInt64, _ key: Key
  ) async throws(StreamRefusal) -> DataConnectFailure {
    while true {
      let message: WebSocketMessage?
      do throws(WebSocketError) { message = try await socket.receive() } catch { return .lost(error, at: key.endpoint) }
      guard let message else { return .lost(nil, at: key.endpoint) }
      guard isCurrent(number, key) else { return .cancelled }
      let reply: StreamReply
      do throws(ServerAnswer.Misshapen) { reply = try StreamReply(message) } catch {
        return .misshapen(error.what, at: key.endpoint)
      }
      for delivery in handle(.received(reply), key) {
        // The next frame waits until this one is kept, so that the newer one stays.
        for use in delivery.uses {
          let scope = CacheScope(use, key.endpoint, user: key.user)
          await keeper.keep(
            delivery.answer, of: delivery.operation, in: scope, use, isDelivered: true)
        }
      }
    }
  }
}

extension DataConnectFailure {
  fileprivate static func lost(_ error: WebSocketError?, at endpoint: DataConnectEndpoint) -> DataConnectFailure {
    DataConnectFailure(
      .unavailable, "The stream of \(endpoint.server) ended. \(error?.message ?? "The server closed it.")",
      recovery: "Check that the server is up and try again.")
  }

  fileprivate static func timedOut(
    _ operation: DataOperation, at endpoint: DataConnectEndpoint
  ) -> DataConnectFailure {
    DataConnectFailure(
      .timedOut, "\(endpoint.server) did not answer \"\(operation.name)\" in time.",
      recovery: "Check that the server is up and try again.")
  }
}
