import ConfigurationFiles
import DataConnectClient
import HTTPClient
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Time

/// A server that answers what a test says, and keeps what it was asked.
final class StubServer: Sendable {
  private let state = Mutex<(requests: [ServerRequest], answers: [ServerResponse])>(([], []))

  /// - Parameter answers: one for each request; the last for all that follow.
  init(_ answers: [ServerResponse]) { state.withLock { $0.answers = answers } }

  convenience init(_ data: JSONValue) { self.init([.json(data)]) }

  var requests: [ServerRequest] { state.withLock { $0.requests } }

  func answer(next: ServerResponse...) { state.withLock { $0.answers = next } }

  func answer(_ request: ServerRequest) -> ServerResponse {
    state.withLock { state in
      state.requests.append(request)
      return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
    }
  }

  /// Runs `body` with a client and the endpoint that is this server.
  func run<Value>(
    cacheFolder: String? = nil, limits: DataConnectClient.Limits? = nil, clock: WallClock? = nil,
    _ body: (DataConnectClient, DataConnectEndpoint) async throws -> Value
  ) async throws -> Value {
    let server = HTTPServer { self.answer($0) }
    var configuration = DataConnectClient.Configuration(http: .patient, cacheFolder: cacheFolder)
    configuration.limits.timeout = .seconds(50)
    if let clock { configuration.clock = clock }
    if let limits { configuration.limits = limits }
    let client = DataConnectClient(configuration)
    return try await server.withRunning { address in try await body(client, .test(port: address.port)) }
  }
}

extension DataConnectEndpoint {
  static func test(host: String = "127.0.0.1", port: Int, apiKey: String? = nil) -> DataConnectEndpoint {
    DataConnectEndpoint(
      host: host, port: port, isSecure: false, project: "demo", location: "us-east4", service: "s", connector: "movies",
      apiKey: apiKey.map { Secret($0) })
  }
}

extension ServerResponse {
  static func json(_ value: JSONValue, status: Int = 200) -> ServerResponse {
    ServerResponse(status: status, text: value.description, contentType: "application/json")
  }
}

extension ServerRequest {
  var json: JSONValue? { try? JSONCoding.parse(body) }
}

extension DataConnectClient {
  /// As a user with a token, or as nobody.
  func execute(
    _ operation: DataOperation, at endpoint: DataConnectEndpoint, as user: String? = nil,
    policy: QueryFetchPolicy = .preferCache, cache: CacheSettings? = nil
  ) async throws -> DataResponse {
    try await execute(operation, at: endpoint, user: user, policy: policy, cache: cache) { _ in
      user.map { IDToken(text: Secret("token-of-\($0)"), user: $0) }
    }
  }
}

/// The failure of a call that has to fail.
func failure(of body: () async throws -> DataResponse) async throws -> DataConnectFailure {
  struct DidNotFail: Error {}
  do { _ = try await body() } catch let failure as DataConnectFailure { return failure }
  throw DidNotFail()
}
