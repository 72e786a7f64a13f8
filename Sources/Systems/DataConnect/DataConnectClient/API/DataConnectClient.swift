package import HTTPClient
internal import Synchronization
package import Time

/// Sends operations to servers of Data Connect, caches their results, and follows queries.
///
/// One client serves all callers of a process. The cache is separate for each user and each connector. No connection
/// and no file is opened before the first operation.
package final class DataConnectClient: Sendable {
  /// How a client connects, what it caches, and how much one operation may use.
  package struct Configuration: Sendable {
    /// The client for requests over REST; also opens the WebSockets of subscriptions unless ``openStream`` is set.
    package var http: HTTPClient
    /// The folder of the result cache, with one file for each user and connector; `nil` caches in memory only. The
    /// client creates the folder when it first writes to the cache.
    package var cacheFolder: String?
    /// How large and how slow one operation may be.
    package var limits = Limits()
    /// Opens the connections of subscriptions instead of `http`. Tests set it.
    package var openStream: StreamOpening?
    /// The value of the header `X-Goog-Api-Client`.
    package var clientName = "gl-swift/6 annex/1"
    /// The clock that decides whether a cached result is still fresh. Tests set it.
    package var clock = WallClock.system
    /// Called with one sentence when something is wrong with a file of the cache.
    package var report: @Sendable (String) -> Void = { _ in }

    /// Creates a configuration with the default limits and the system's clock.
    package init(http: HTTPClient, cacheFolder: String? = nil) {
      self.http = http
      self.cacheFolder = cacheFolder
    }
  }

  /// The configuration that the client was created with.
  package let configuration: Configuration
  private let exchange: OperationExchange
  private let keeper: Keeper
  private let hub: StreamHub
  private let commands: AsyncStream<StreamHub.Command>.Continuation
  private let waiting: AsyncStream<StreamHub.Command>
  private let lastSubscriber = Atomic<UInt64>(0)

  /// Creates a client. It opens no connection and no file.
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

  /// Runs the subscriptions until the task is cancelled or the client is closed, and then ends all of them. Call it
  /// once; a subscription made earlier waits for the call. ``execute(_:at:user:policy:cache:token:)`` does not need it.
  package func run() async {
    let (hub, waiting, commands) = (hub, waiting, commands)
    await hub.run(waiting)
    commands.finish()
  }

  /// Ends every subscription and closes the cache files. The client can still execute operations.
  package func close() async {
    commands.finish()
    await keeper.close()
  }

  /// Executes an operation once.
  ///
  /// - Parameters:
  ///   - user: the user of the token, or `nil` when no user is signed in. The client knows the user without the
  ///     network, so it can return cached results without a token.
  ///   - policy: where a query's result may come from. A mutation always goes to the server.
  ///   - cache: how the result is cached; `nil` caches nothing, so that `preferCache` asks the server.
  ///   - token: called before anything is sent, and again when the server rejects the token.
  /// - Throws: `DataConnectFailure` when there is no response at all; errors of fields are part of it.
  package func execute(
    _ operation: DataOperation, at endpoint: DataConnectEndpoint, user: String?,
    policy: QueryFetchPolicy = .preferCache,
    cache: CacheSettings? = nil, token: @escaping TokenSource
  ) async throws(DataConnectFailure) -> DataResponse {
    try configuration.limits.check(operation)
    let scope = cache.map { CacheScope($0, endpoint, user: user) }
    if operation.kind == .query {
      if let scope, let cache, let kept = await keeper.response(to: operation, in: scope, cache, policy) { return kept }
      if policy == .cacheOnly { return DataResponse(data: nil, source: .cache) }
    }
    let streamed = try await hub.execute(
      operation, StreamHub.Key(endpoint: endpoint, user: user), token: token, limit: configuration.limits.timeout)
    let answer: DataResponse
    if let streamed {
      answer = streamed
    } else {
      answer = try await exchange.execute(operation, at: endpoint, user: user, token: token)
    }
    if let scope, let cache { await keeper.keep(answer, of: operation, in: scope, cache) }
    return answer
  }

  /// Returns the responses to a query: the cached result if there is one, the server's result, and then one for each
  /// change that the server reports or that another operation makes to an entity of the result. A slow reader receives
  /// only the newest response. Dropping the stream ends the subscription.
  ///
  /// While the server is unreachable the stream delivers nothing; it resumes when the server is back.
  ///
  /// - Parameters: as for ``execute(_:at:user:policy:cache:token:)``.
  /// - Returns: the responses. The stream ends with a `DataConnectFailure` when the server cannot be reached at the
  ///   start, refuses the query, or the token belongs to another user, which is checked every 30 seconds.
  package func subscribe(
    _ operation: DataOperation, at endpoint: DataConnectEndpoint, user: String?, cache: CacheSettings? = nil,
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
