import ConfigurationFiles
import ExtensionHosting
import HTTPServer
import HostServices
import JSON
import JSONRPC
import Synchronization
import Testing

@testable import DataServices

/// What the host makes of a server's answer.
@Suite(.timeLimit(.minutes(1)))
struct `An answer of Data Connect` {
  private final class Seen: Sendable {
    let queries = Mutex<[String?]>([])
  }

  private static func call(_ kind: DataContract.Kind = .query, emulator: Int? = nil) -> DataCall {
    DataCall(
      app: "com.example.test", service: "movies", connector: "default", location: "us-east4", operation: "list",
      kind: kind, variables: [:], fetchPolicy: .serverOnly, cache: nil,
      emulator: emulator.map { DataContract.Emulator(host: "127.0.0.1", port: $0) }, account: nil)
  }

  /// Runs the body with a carrier of a server that gives one answer.
  private func withCarrier(
    _ answer: JSONValue, status: Int = 200, change: (inout DataServer) -> Void = { _ in },
    _ body: (ClientCarrier, _ port: Int, Seen) async throws -> Void
  ) async throws {
    let seen = Seen()
    let text = answer.description
    let server = HTTPServer { request in
      seen.queries.withLock { $0.append(request.query) }
      return ServerResponse(status: status, text: text)
    }
    try await server.withRunning { address in
      var settings = DataServer(project: "demo", host: "127.0.0.1", port: address.port, isSecure: false)
      change(&settings)
      try await body(ClientCarrier(settings, cacheFolder: nil, identities: nil), address.port, seen)
    }
  }

  @Test func `has its errors in the terms of the wire`() async throws {
    let answer: JSONValue = [
      "data": ["movies": .null],
      "errors": [
        ["message": "One is missing.", "path": ["movies", 1], "extensions": ["code": "X"]], ["path": "movies"], 7,
        ["message": .string(String(repeating: "é", count: 2_001))],
      ],
    ]
    try await withCarrier(answer) { carrier, _, _ in
      let outcome = try await carrier.execute(Self.call())
      #expect(outcome.data == ["movies": .null] && outcome.source == .server)
      let nothing = DataContract.FieldError(message: "The server names no reason.")
      #expect(
        outcome.errors == [
          .init(message: "One is missing.", path: ["movies", 1], extensions: ["code": "X"]), nothing, nothing,
          .init(message: String(repeating: "é", count: 2_000)),
        ])
    }
  }

  @Test(arguments: [0, 100, 101]) func `has at most a hundred errors`(count: Int) async throws {
    let errors = (0..<count).map { JSONValue.object(["message": .string("\($0)")]) }
    try await withCarrier(["data": [:], "errors": .array(errors)]) { carrier, _, _ in
      let outcome = try await carrier.execute(Self.call())
      #expect(outcome.errors?.count == (count == 0 ? nil : 100))
      #expect(outcome.errors?.last?.message == (count == 0 ? nil : "99"))
    }
  }

  @Test(
    arguments: [
      (401, .interactionRequired, "unauthenticated"), (400, .invalidParams, "invalidArgument"),
      (413, .limitExceeded, "tooLarge"), (403, .dataFailed, "permissionDenied"), (500, .dataFailed, "failed"),
    ] as [(Int, ExtensionError.Code, String)])
  func `that refuses has the code of its reason`(status: Int, code: ExtensionError.Code, kind: String) async throws {
    try await withCarrier(["error": ["message": "No."]], status: status) { carrier, _, _ in
      let error = await #expect(throws: ExtensionError.self) { _ = try await carrier.execute(Self.call()) }
      #expect(error?.code == code && error?.details["kind"] == .string(kind))
      #expect(error?.message.contains("No.") == true && error?.recovery != nil)
    }
  }

  @Test func `is asked for with the project's key, which no emulator gets`() async throws {
    let answer: JSONValue = ["data": [:]]
    let key = Secret("k")
    try await withCarrier(answer, change: { $0.apiKey = key }) { carrier, port, seen in
      _ = try await carrier.execute(Self.call())
      _ = try await carrier.execute(Self.call(.mutation))
      _ = try await carrier.execute(Self.call(emulator: port))
      #expect(seen.queries.withLock { $0 } == ["key=k", "key=k", nil])
    }
    try await withCarrier(answer, change: { ($0.apiKey, $0.isEmulator) = (key, true) }) { carrier, _, seen in
      _ = try await carrier.execute(Self.call())
      #expect(seen.queries.withLock { $0 } == [nil])
    }
  }

  @Test func `is kept where the extension says so`() async throws {
    try await withCarrier(["data": ["movies": []]]) { carrier, _, seen in
      var call = Self.call()
      call.fetchPolicy = .preferCache
      call.cache = DataContract.Cache(storage: .memory, maxAgeMs: 3_600_000)
      var sources: [DataContract.Source] = []
      for _ in 0..<2 { sources.append(try await carrier.execute(call).source) }
      call.fetchPolicy = .serverOnly
      sources.append(try await carrier.execute(call).source)
      call.fetchPolicy = .cacheOnly
      sources.append(try await carrier.execute(call).source)
      #expect(sources == [.server, .cache, .server, .cache])
      #expect(seen.queries.withLock { $0.count } == 2)
    }
  }
}
