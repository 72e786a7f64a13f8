package import HTTPClient
internal import JSONRPC
internal import Spelling

/// Carries operations to servers of Data Connect, keeps their results, and follows what changes.
///
/// One client serves all callers of a process: what it keeps is apart for each user and each connector. Nothing is
/// opened before the first operation.
package final class DataConnectClient: Sendable {
  /// What one operation may take.
  package struct Limits: Sendable {
    /// The most bytes of the variables as JSON.
    package var requestBytes = 4 << 20
    /// The most bytes of an answer.
    package var answerBytes = 16 << 20
    /// The time for an answer.
    package var timeout: Duration = .seconds(30)
    /// The most bytes that are kept for one user of one connector.
    package var cacheBytes = 64 << 20

    package init() {}
  }

  package struct Configuration: Sendable {
    package var http: HTTPClient
    /// Where results are kept, each user and connector in a file of its own; `nil` keeps them in memory only. The
    /// folder is made when it is needed.
    package var cacheFolder: String?
    package var limits = Limits()
    /// What is sent as `X-Goog-Api-Client`.
    package var clientName = "gl-swift/6 annex/1"
    package var clock = DataConnectClock.system
    /// Called with one sentence when something is wrong with a file of the cache.
    package var report: @Sendable (String) -> Void = { _ in }

    package init(http: HTTPClient, cacheFolder: String? = nil) {
      self.http = http
      self.cacheFolder = cacheFolder
    }
  }

  package let configuration: Configuration
  let exchange: OperationExchange
  let keeper: Keeper

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    exchange = OperationExchange(
      http: configuration.http, limits: configuration.limits, clientName: configuration.clientName)
    keeper = Keeper(
      ResultCache(
        folder: configuration.cacheFolder, maximumBytes: configuration.limits.cacheBytes, clock: configuration.clock,
        report: configuration.report))
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
    let key = operation.key
    let scope = cache.map { CacheScope($0, endpoint, user: user) }
    if operation.kind == .query {
      if let scope, let cache, let kept = await keeper.response(key, in: scope, cache, policy) { return kept }
      if policy == .cacheOnly { return DataResponse(data: nil, source: .cache) }
    }
    let answer = try await exchange.execute(operation, at: endpoint, user: user, token: token)
    if let scope, let cache { await keeper.keep(answer, of: operation, key: key, in: scope, cache) }
    return answer.response()
  }
}

extension DataConnectClient.Limits {
  /// - Throws: `invalidArgument` for what is no name of GraphQL, `tooLarge` for variables over the limit.
  func check(_ operation: DataOperation) throws(DataConnectFailure) {
    let name = operation.name.unicodeScalars
    let isName = name.allSatisfy { $0 == "_" || ("0"..."9" ~= $0) || ("a"..."z" ~= $0) || ("A"..."Z" ~= $0) }
    guard isName, !name.isEmpty, name.count <= 256 else {
      throw DataConnectFailure(
        .invalidArgument, "\"\(operation.name.shownInMessage())\" is no name of an operation.",
        recovery: "Give the name as the connector's files write it.")
    }
    let variables = JSONValue.object(operation.variables)
    // The text is at most six times the weight, where all of it are escapes.
    guard variables.weight <= requestBytes / 8 || JSONCoding.text(of: variables).utf8.count <= requestBytes else {
      throw DataConnectFailure(
        .tooLarge, "The variables of \"\(operation.name)\" are larger than \(requestBytes) bytes.",
        recovery: "Send less at once.")
    }
  }
}
