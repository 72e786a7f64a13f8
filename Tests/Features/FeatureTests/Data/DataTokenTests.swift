import JSONRPC
import ExtensionHosting
import HTTPServer
import JSON
import Synchronization
import Testing
import Text

@testable import HostServices
@testable import DataServices

@Suite(.timeLimit(.minutes(1)))
struct `The token of Data Connect` {
  /// A server that keeps what it was sent, and the carrier that asks it.
  private static func run(
    isSignedIn: Bool = true, answer: String = #"{"data":{"movies":[]}}"#, status: Int = 200,
    _ body: (ClientCarrier, DataCall, _ requests: @Sendable () -> [(path: String, token: String?)]) async throws -> Void
  ) async throws {
    let seen = Seen()
    let server = HTTPServer { request in
      seen.requests.withLock { $0.append((request.path, request.header("X-Firebase-Auth-Token"))) }
      return ServerResponse(status: status, text: answer)
    }
    try await SignedInHost.run { place in
      if isSignedIn { try await place.signIn() }
      try await server.withRunning { address in
        let port = try #require(address.url.split(separator: ":").last.flatMap { Int($0) })
        let carrier = ClientCarrier(
          DataServer(project: "demo", host: "127.0.0.1", port: port, isSecure: false), cacheFolder: nil,
          identities: place.identities)
        let call = DataCall(
          app: "com.example.test", service: "movies", connector: "default", location: "us-east4",
          operation: "listMovies", kind: .query, variables: [:], fetchPolicy: .serverOnly, cache: nil,
          emulator: DataContract.Emulator(host: "127.0.0.1", port: port), account: nil)
        try await body(carrier, call) { seen.requests.withLock { $0 } }
      }
    }
  }

  private final class Seen: Sendable {
    let requests = Mutex<[(path: String, token: String?)]>([])
  }

  /// The three parts of a token, the first two as JSON.
  private static func parts(_ token: String?) throws -> (header: JSONValue, claims: JSONValue, signature: Substring) {
    let parts = try #require(token).split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    func json(_ part: Substring) throws -> JSONValue {
      try JSONValue(parsing: String(decoding: try #require(Base64URL.decode(part)), as: UTF8.self))
    }
    return (try json(parts[0]), try json(parts[1]), parts[2])
  }

  @Test func `is signed for the server alone`() async throws {
    try await Self.run { carrier, call, requests in
      _ = try await carrier.execute(call)
      var toServer = call
      toServer.emulator = nil
      _ = try await carrier.execute(toServer)
      let seen = requests()
      #expect(seen.count == 2 && seen.allSatisfy { $0.path.contains("/services/movies/connectors/default") })
      let (emulated, real) = (try Self.parts(seen[0].token), try Self.parts(seen[1].token))
      #expect(emulated.header["alg"] == "none" && emulated.signature.isEmpty)
      #expect(real.header["alg"] != "none" && !real.signature.isEmpty)
      #expect(emulated.claims["sub"] != nil && emulated.claims["sub"] == real.claims["sub"])
    }
  }

  @Test func `is none when nobody is signed in`() async throws {
    try await Self.run(isSignedIn: false) { carrier, call, requests in
      let outcome = try await carrier.execute(call)
      #expect(outcome.data == ["movies": []] && outcome.source == .server)
      #expect(requests().map(\.token) == [nil])
    }
  }

  @Test func `does not open an operation that is not there`() async throws {
    try await Self.run(answer: #"{"error":{"code":404,"message":"operation not found"}}"#, status: 404) {
      carrier, call, _ in
      let error = await #expect(throws: ExtensionError.self) { try await carrier.execute(call) }
      #expect(error?.code == .dataFailed && error?.details["kind"] == "notFound", "\(String(describing: error))")
    }
  }

  @Test func `is not asked for where nothing says where the service runs`() async throws {
    try await Self.run { carrier, call, requests in
      var call = call
      call.location = nil
      let error = await #expect(throws: ExtensionError.self) { try await carrier.execute(call) }
      #expect(error?.code == .invalidParams && error?.recovery?.contains("DATA_CONNECT_LOCATION") == true)
      #expect(requests().isEmpty)
    }
  }
}
