import DataConnectClient
import HTTPServer
import JSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A refusal of a Data Connect server` {
  let list = DataOperation("listMovies", kind: .query)

  func failure(_ response: ServerResponse) async throws -> DataConnectFailure {
    try await StubServer([response]).run { client, endpoint in
      try await DataConnectClientTests.failure {
        try await client.execute(list, at: endpoint)
      }
    }
  }

  @Test(arguments: [
    (400, "INVALID_ARGUMENT", DataConnectFailure.Code.invalidArgument), (400, "FAILED_PRECONDITION", .failed),
    (401, "UNAUTHENTICATED", .unauthenticated), (403, "PERMISSION_DENIED", .permissionDenied),
    (404, "NOT_FOUND", .notFound), (409, "ABORTED", .failed), (429, "RESOURCE_EXHAUSTED", .unavailable),
    (503, "UNAVAILABLE", .unavailable), (504, "DEADLINE_EXCEEDED", .timedOut), (500, "INTERNAL", .failed),
  ])
  func `The code of an error counts, at the top or nested`(
    _ status: Int, _ name: String, _ code: DataConnectFailure.Code
  ) async throws {
    let error: JSONValue = ["code": JSONValue(status), "status": .string(name), "message": "said"]
    let top = try await failure(.json(error, status: status))
    #expect(top.code == code)
    #expect(top.message.contains("said"))
    let nested = try await failure(.json(["error": error], status: status))
    #expect(nested.code == code)
    #expect(nested.message.contains("said"))
    // The emulator writes the code alone.
    let bare = try await failure(.json(["code": JSONValue(status), "message": "said"], status: status))
    #expect(bare.code == code || name == "FAILED_PRECONDITION")
  }

  @Test func `An operation that is not there asks whether it is deployed`() async throws {
    let failure = try await failure(ServerResponse(status: 404, text: "<html>"))
    #expect(failure.code == .notFound)
    #expect(failure.message.contains("\"listMovies\" of the connector s/movies"))
    #expect(failure.recovery.contains("Is it deployed?"))
  }

  @Test(arguments: ["", "[]", "{\"data\":1}", "{\"data\":{},\"errors\":3}", "{\"data\":{\"a\":1,\"a\":2}}", "<html>"])
  func `An answer that is not of Data Connect is refused`(_ text: String) async throws {
    try await #expect(failure(ServerResponse(text: text, contentType: "application/json")).code == .failed)
  }

  @Test func `A text of the server is cut and cannot command a terminal`() async throws {
    let message = String(repeating: "\u{1B}[31m", count: 10_000)
    let failure = try await failure(.json(["message": .string(message)], status: 500))
    #expect(failure.message.utf8.count < 1_000)
    #expect(!failure.message.contains("\u{1B}"))
  }

  @Test func `A server that is gone is unavailable, with a way out`() async throws {
    let port = try await StubServer([:]).run { _, endpoint in endpoint.port }
    let client = DataConnectClient(DataConnectClient.Configuration(http: .patient))
    let failure = try await DataConnectClientTests.failure {
      try await client.execute(list, at: .test(port: port))
    }
    #expect(failure.code == .unavailable)
    #expect(failure.message == "No server answers at 127.0.0.1:\(port).")
    #expect(failure.recovery.contains("Start the server"))
  }

  @Test func `Answers and variables are bounded`() async throws {
    var limits = DataConnectClient.Limits()
    limits.answerBytes = 1_000
    limits.requestBytes = 1_000
    let text = JSONValue.string(String(repeating: "x", count: 2_000))
    let stub = StubServer(["data": ["a": text]])
    try await stub.run(limits: limits) { client, endpoint in
      let answer = try await DataConnectClientTests.failure {
        try await client.execute(list, at: endpoint)
      }
      #expect(answer.code == .tooLarge)
      let request = try await DataConnectClientTests.failure {
        try await client.execute(DataOperation("a", kind: .query, variables: ["a": text]), at: endpoint)
      }
      #expect(request.code == .tooLarge)
    }
    #expect(stub.requests.count == 1)
  }

  @Test(arguments: ["", "a/b", "a@b", "a b", "a?", "[::1"])
  func `What is no host is refused`(_ host: String) async throws {
    let client = DataConnectClient(DataConnectClient.Configuration(http: .patient))
    let failure = try await DataConnectClientTests.failure {
      try await client.execute(list, at: .test(host: host, port: 1))
    }
    #expect(failure.code == .invalidArgument)
  }

  @Test(arguments: ["", "a b", "a\u{0}", "ä", "__a-b"])
  func `What is no name of an operation is refused`(_ name: String) async throws {
    let client = DataConnectClient(DataConnectClient.Configuration(http: .patient))
    let failure = try await DataConnectClientTests.failure {
      try await client.execute(DataOperation(name, kind: .query), at: .test(port: 1))
    }
    #expect(failure.code == .invalidArgument)
  }

  @Test func `A project of dots does not climb in the path`() async throws {
    let client = DataConnectClient(DataConnectClient.Configuration(http: .patient))
    var endpoint = DataConnectEndpoint.test(port: 1)
    endpoint.project = ".."
    let failure = try await DataConnectClientTests.failure {
      try await client.execute(list, at: endpoint)
    }
    #expect(failure.code == .invalidArgument)
  }
}
