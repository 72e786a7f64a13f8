import ConfigurationFiles
import DataConnectClient
import HTTPServer
import JSON
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An operation that is executed` {
  let list = DataOperation("listMovies", kind: .query, variables: ["genre": "G", "limit": 3])
  let create = DataOperation("createMovie", kind: .mutation, variables: ["title": "T"])

  @Test func `A query is a POST with name, operation, variables, key and token`() async throws {
    let stub = StubServer(["data": ["movies": []]])
    try await stub.run { client, endpoint in
      var endpoint = endpoint
      endpoint.apiKey = Secret("k&y")
      let response = try await client.execute(list, at: endpoint, as: "ann")
      #expect(response == DataResponse(data: ["movies": []], source: .server))
    }
    let request = try #require(stub.requests.first)
    #expect(request.method == "POST")
    #expect(request.path == "/v1/projects/demo/locations/us-east4/services/s/connectors/movies:executeQuery")
    #expect(request.query == "key=k%26y")
    #expect(request.header("X-Firebase-Auth-Token") == "token-of-ann")
    #expect(request.header("X-Goog-Api-Client") == "gl-swift/6 annex/1")
    #expect(request.header("x-goog-request-params") == "location=us-east4&frontend=data")
    #expect(
      request.json == [
        "name": "projects/demo/locations/us-east4/services/s/connectors/movies", "operationName": "listMovies",
        "variables": ["genre": "G", "limit": 3],
      ])
  }

  @Test func `A mutation goes to its own method, and nobody sends no token`() async throws {
    let stub = StubServer(["data": ["movie_insert": ["id": "0f"]]])
    try await stub.run { client, endpoint in
      let response = try await client.execute(create, at: endpoint)
      #expect(response.data?["movie_insert"]?["id"] == "0f")
    }
    #expect(stub.requests.first?.path.hasSuffix(":executeMutation") == true)
    #expect(stub.requests.first?.header("X-Firebase-Auth-Token") == nil)
  }

  @Test func `Partial data is passed on with its errors as they are`() async throws {
    let error: JSONValue = ["message": "no", "path": ["movies", 0, "title"], "extensions": ["code": "INTERNAL"]]
    let stub = StubServer(["data": ["movies": .null, "other": 1], "errors": [error]])
    try await stub.run { client, endpoint in
      let response = try await client.execute(list, at: endpoint)
      #expect(response.errors == [error])
      #expect(response.data == ["movies": .null, "other": 1])
    }
  }

  @Test func `A refused token is renewed once and the operation sent again`() async throws {
    let stub = StubServer([.json(["code": 401, "message": "old"], status: 401), .json(["data": ["a": 1]])])
    let asked = Mutex<[Bool]>([])
    try await stub.run { client, endpoint in
      let response = try await client.execute(create, at: endpoint, user: "ann") { force in
        asked.withLock { $0.append(force) }
        return IDToken(text: Secret(force ? "new" : "old"), user: "ann")
      }
      #expect(response.data == ["a": 1])
    }
    #expect(asked.withLock { $0 } == [false, true])
    #expect(stub.requests.map { $0.header("X-Firebase-Auth-Token") } == ["old", "new"])
  }

  @Test func `A token that is refused twice is a failure`() async throws {
    let stub = StubServer([.json(["error": ["code": 401, "status": "UNAUTHENTICATED"]], status: 401)])
    try await stub.run { client, endpoint in
      let failure = try await failure {
        try await client.execute(list, at: endpoint, user: "ann") { force in
          IDToken(text: Secret(force ? "new" : "old"), user: "ann")
        }
      }
      #expect(failure.code == .unauthenticated)
    }
    #expect(stub.requests.count == 2)
  }

  @Test(arguments: ["ann", nil])
  func `A refused token that is the only one is not sent again, and nobody's is not renewed`(
    _ user: String?
  ) async throws {
    let stub = StubServer([.json(["error": ["code": 401, "status": "UNAUTHENTICATED"]], status: 401)])
    let asked = Mutex<[Bool]>([])
    try await stub.run { client, endpoint in
      let failure = try await failure {
        try await client.execute(list, at: endpoint, user: user) { force in
          asked.withLock { $0.append(force) }
          return user.map { IDToken(text: Secret("same"), user: $0) }
        }
      }
      #expect(failure.code == .unauthenticated)
    }
    #expect(stub.requests.count == 1)
    #expect(asked.withLock { $0 } == (user == nil ? [false] : [false, true]))
  }

  @Test(arguments: [301, 307]) func `A redirection is not followed, as the token would go with it`(
    _ status: Int
  ) async throws {
    let stub = StubServer([
      ServerResponse(status: status, headers: [ServerField("Location", "/elsewhere")]), .json(["data": ["a": 1]]),
    ])
    try await stub.run { client, endpoint in
      let failure = try await failure { try await client.execute(list, at: endpoint, as: "ann") }
      #expect(failure.code == .failed && failure.message.contains("status \(status)"), "\(failure)")
    }
    #expect(stub.requests.count == 1)
  }

  @Test func `The token of another user is not sent`() async throws {
    let stub = StubServer(["data": [:]])
    try await stub.run { client, endpoint in
      let failure = try await failure {
        try await client.execute(list, at: endpoint, user: "ann") { _ in IDToken(text: Secret("t"), user: "bob") }
      }
      #expect(failure == DataConnectFailure(.unauthenticated, failure.message, recovery: failure.recovery))
    }
    #expect(stub.requests.isEmpty)
  }
}
