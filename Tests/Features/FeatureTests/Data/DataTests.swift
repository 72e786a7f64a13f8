import JSONRPC
import AppExtensions
import DataConnect
import ExtensionHosting
import HostServices
import DataServices
import JSON
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `Data through the host` {
  private static let movies = Caller.Identity.testing(permissions: [
    AskedPermission("data", scope: ["movies/default", "movies/admin:read"])
  ])

  private static func host(_ carrier: StubCarrier?, consent: Consent = .grant) -> TestHost {
    TestHost(services: [DataService(carrier: carrier)], consent: consent)
  }

  private static func refusal(
    of params: DataContract.Execute, by carrier: StubCarrier? = StubCarrier(), as identity: Caller.Identity = movies,
    consent: Consent = .grant
  ) async throws -> ExtensionError? {
    await #expect(throws: ExtensionError.self) {
      try await host(carrier, consent: consent).inWidget(as: identity) { _ = try await $0.call(params) }
    }
  }

  private static func mutation(_ connector: String = "movies/default") -> DataContract.Execute {
    DataContract.Execute(connector: connector, operation: "createMovie", kind: .mutation)
  }

  @Test func `is asked for in the app's name, as the extension says`() async throws {
    let carrier = StubCarrier(location: "us-east4")
    let outcome = try await Self.host(carrier).inWidget(as: Self.movies) { context in
      try await context.call(
        DataContract.Execute(
          connector: "movies/default", operation: "listMovies", kind: .query, variables: ["genre": "drama"],
          fetchPolicy: .cacheOnly, location: "europe-west1"))
    }
    #expect(outcome.data == ["movies": []])
    let call = try #require(carrier.calls.first)
    #expect(call.app == "com.example.test" && call.service == "movies" && call.connector == "default")
    #expect(call.location == "europe-west1" && call.fetchPolicy == .cacheOnly && call.variables == ["genre": "drama"])
  }

  @Test func `is not asked for through a connector that the manifest does not name`() async throws {
    for connector in ["movies/other", "other/default", "movies/default2", "Movies/default"] {
      let carrier = StubCarrier()
      let refusal = try await Self.refusal(of: Self.mutation(connector), by: carrier)
      #expect(refusal?.code == .permissionDenied && refusal?.details["permission"] == "data", "\(connector)")
      #expect(refusal?.recovery?.contains("Annex.DataConnect") == true)
      #expect(carrier.calls.isEmpty)
    }
  }

  @Test(arguments: ["", "movies", "movies/", "/default", "a/b/c", "movies/default:read", "movies/../x", "movies/d e"])
  func `has a connector of two names`(connector: String) async throws {
    #expect(try await Self.refusal(of: Self.mutation(connector))?.code == .invalidParams)
  }

  @Test func `that may only be read is not changed`() async throws {
    let carrier = StubCarrier()
    let refusal = try await Self.refusal(of: Self.mutation("movies/admin"), by: carrier)
    #expect(refusal?.code == .permissionDenied && refusal?.message.contains("queries alone") == true)
    #expect(carrier.calls.isEmpty)
    let query = DataContract.Execute(connector: "movies/admin", operation: "all", kind: .query)
    _ = try await Self.host(carrier).inWidget(as: Self.movies) { try await $0.call(query) }
    #expect(carrier.calls.count == 1)
  }

  @Test func `needs the user's consent, and the manifest's word`() async throws {
    let undecided = try await Self.refusal(of: Self.mutation(), consent: .ask(nil))
    #expect(undecided?.code == .permissionDenied && undecided?.details["state"] == "undecided")
    let unnamed = try await Self.refusal(of: Self.mutation(), as: .testing())
    #expect(unnamed?.recovery?.contains("Annex.DataConnect") == true, "\(String(describing: unnamed))")
  }

  @Test func `has an emulator only where the configuration says so, and on this machine`() async throws {
    @Sendable func call(_ host: String, _ port: Int = 9399) -> DataContract.Execute {
      DataContract.Execute(
        connector: "movies/default", operation: "a", kind: .query, emulator: .init(host: host, port: port))
    }
    let closed = StubCarrier()
    let denied = try await Self.refusal(of: call("127.0.0.1"), by: closed)
    #expect(denied?.code == .permissionDenied && denied?.recovery?.contains("DATA_CONNECT_ALLOW_EMULATOR") == true)
    let open = StubCarrier(allowsEmulator: true)
    for host in [
      "10.0.0.1", "example.com", "127.0.0.1.example.com", "127.example.com", "0.0.0.0", "", "127.0.0.256", "127.1",
      "localhost.", "::ffff:127.0.0.1", "127.0.0.1:80", "127.0.0.1@example.com",
    ] {
      #expect(try await Self.refusal(of: call(host), by: open)?.code == .invalidParams, "\(host)")
    }
    for port in [0, -1, 65_536] {
      #expect(try await Self.refusal(of: call("127.0.0.1", port), by: open)?.code == .invalidParams)
    }
    #expect(open.calls.isEmpty && closed.calls.isEmpty)
    _ = try await Self.host(open).inWidget(as: Self.movies) { context in
      for host in ["127.0.0.1", "localhost", "::1", "127.8.9.1"] { _ = try await context.call(call(host)) }
    }
    #expect(open.calls.count == 4)
  }

  @Test func `lists its connectors`() async throws {
    let connectors = try await Self.host(StubCarrier(location: "us-east4")).inWidget(as: Self.movies) {
      try await $0.dataConnectors()
    }
    #expect(connectors.map(\.connector) == ["default", "admin"] && connectors.allSatisfy { $0.location == "us-east4" })
  }

  @Test func `is not there in a host without a server`() async throws {
    let refusal = try await Self.refusal(of: Self.mutation(), by: nil)
    #expect(refusal?.code == .serviceUnavailable && refusal?.recovery?.contains("DATA_CONNECT_PROJECT") == true)
  }

  @Test func `that is too large for an answer is refused with advice`() async throws {
    let carrier = StubCarrier { _ in
      DataContract.Outcome(data: .string(String(repeating: "a", count: DataContract.resultLimit)))
    }
    let refusal = try await Self.refusal(
      of: DataContract.Execute(connector: "movies/default", operation: "all", kind: .query), by: carrier)
    #expect(refusal?.code == .limitExceeded && refusal?.recovery?.contains("limit") == true)
  }
}
