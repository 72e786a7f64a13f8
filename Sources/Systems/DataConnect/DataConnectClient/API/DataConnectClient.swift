package import HTTPClient
internal import Synchronization
package import Time

/// Carries operations to servers of Data Connect, keeps their results, and follows what changes.
///
/// One client serves all callers of a process: what it keeps is apart for each user and each connector. Nothing is
/// opened before the first operation.
package final class DataConnectClient: Sendable {
  package struct Configuration: Sendable {
    package var http: HTTPClient
    /// Where results are kept, each user and connector in a file of its own; `nil` keeps them in memory only. The
    /// folder is made when it is needed.
    package var cacheFolder: String?
    package var limits = Limits()
    /// Opens the connections of subscriptions in place of `http`: for tests.
    package var openStream: StreamOpening?
    /// What is sent as `X-Goog-Api-Client`.
    package var clientName = "gl-swift/6 annex/1"
    package var clock = WallClock.system
    /// Called with one sentence when something is wrong with a file of the cache.
    package var report: @Sendable (String) -> Void = { _ in }

    package init(http: HTTPClient, cacheFolder: String? = nil) {
      self.http = http
      self.cacheFolder = cacheFolder
    }
  }

  package let configuration: Configuration
  private let exchange: OperationExchange
  private let keeper: Keeper
  private let hub: StreamHub
  private let commands: AsyncStream<StreamHub.Command>.Continuation
  private let waiting: AsyncStream<StreamHub.Command>
  private let lastSubscriber = Atomic<UInt64>(0)

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    exchange = OperationExchange(
      http: configuration.http, limits: configuration.limits, clientName: configuration.clientName)
    keeper = Keeper(configuration)
    (waiting, commands) = AsyncStream<StreamHub.Command>.makeStream()
    let opening =
      configuration.openStream ?? configuration.http.streamOpening(messageBytes: configuration.limits.answerBytes)
    hub = StreamHub(
      opening, commands: commands, keeper: keeper, clock: configuration.clock, clientName: configuration.clientName)
  }

  deinit { commands.finish() }

  /// Carries the subscriptions until its task is cancelled or the client is closed; then all of them end. Once: what is
  /// subscribed before waits for it. Executing needs it not.
  package func run() async {
    let (hub, waiting, commands) = (hub, waiting, commands)
    await hub.run(waiting)
    commands.finish()
  }

  /// Ends every subscription and closes the files of the cache. Operations can be executed on.
  package func close() async {
    commands.finish()
    await keeper.close()
  }

  /// Executes an operation once.
  ///
  /// - Parameters:
  ///   - user: who asks: the user of the token, or `nil` for nobody. Known without the network, so that what is kept can
  ///     be given without a token.
  ///   - policy: for queries; a mutation goes to the server.
  ///   - cache: how the result is kept; `nil` keeps nothing, so that `preferCache` is the server.
  ///   - token: asked before anything is sent, and again when the server refuses what it gave.
  /// - Throws: `DataConnectFailure` when there is no response at all; errors of fields are part of it.
  package func execute(
    _ operation: DataOperation, at endpoint: DataConnectEndpoint, user: String?, policy: FetchPolicy = .preferCache,
    cache: CacheUse? = nil, token: @escaping TokenSource
  ) async throws(DataConnectFailure) -> DataResponse {
    try configuration.limits.check(operation)
    let scope = cache.map { CacheScope($0, endpoint, user: user) }
    if operation.kind == .query {
      if let scope, let cache, let kept = await keeper.response(to: operation, in: scope, cache, policy) { return kept }
      if policy == .cacheOnly { return DataResponse(data: nil, source: .cache) }
    }
    let streamed = try await hub.execute(
      operation, StreamHub.Key(endpoint: endpoint, user: user), token: token, limit: configuration.limits.timeout)
    let answer: ServerAnswer
    if let streamed {
      answer = streamed
    } else {
      answer = try await exchange.execute(operation, at: endpoint, user: user, token: token)
    }
    if let scope, let cache { await keeper.keep(answer, of: operation, in: scope, cache) }
    return answer.response()
  }

  /// The answers to a query: what is kept of it, where something is; the server's; then one for each change that the
  /// server tells of, or that another operation brings to an entity of it. A reader that is slow gets the newest alone.
  /// Dropping the stream ends the subscription.
  ///
  /// While the server is away for some time, nothing comes; then the server's answers come again.
  ///
  /// - Parameters: as for ``execute(_:at:user:policy:cache:token:)``.
  /// - Returns: responses; ends with a `DataConnectFailure`: when the server cannot be reached from the beginning, when it
  ///   refuses the query, or when the token is another user's, at which is looked every half minute.
  package func subscribe(
    _ operation: DataOperation, at endpoint: DataConnectEndpoint, user: String?, cache: CacheUse? = nil,
    token: @escaping TokenSource
  ) -> AsyncThrowingStream<DataResponse, any Error> {
    let (stream, source) = AsyncThrowingStream<DataResponse, any Error>.makeStream(bufferingPolicy: .bufferingNewest(1))
    do throws(DataConnectFailure) {
      try configuration.limits.check(operation)
      guard operation.kind == .query else {
        throw DataConnectFailure(
          .invalidArgument, "The mutation \"\(operation.name)\" cannot be followed.", recovery: "Execute it.")
      }
    } catch {
      source.finish(throwing: error)
      return stream
    }
    let id = lastSubscriber.add(1, ordering: .relaxed).newValue
    let key = operation.key
    let sink: Observers.Sink = { outcome in
      switch outcome {
      case .success(let response): source.yield(response)
      case .failure(let failure): source.finish(throwing: failure)
      }
    }
    let place = StreamHub.Key(endpoint: endpoint, user: user)
    let subscriber = StreamHub.Subscriber(
      id: id, operation: operation, operationKey: key, cache: cache, token: token, sink: sink)
    source.onTermination = { [commands, keeper] _ in
      keeper.observers.remove(id)
      commands.yield(.unsubscribe(place, id))
    }
    if let cache {
      keeper.observers.add(id, key: key, in: CacheScope(cache, endpoint, user: user), sink: sink)
    }
    guard case .enqueued = commands.yield(.subscribe(place, subscriber)) else {
      source.finish(throwing: DataConnectFailure.cancelled)
      return stream
    }
    return stream
  }
}
