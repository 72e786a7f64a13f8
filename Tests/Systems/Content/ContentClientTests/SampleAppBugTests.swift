import ConfigurationFiles
import ContentClient
import HTTPClient
import JSON
import TestSupport
import Testing

private func configuration(_ text: String) throws -> ContentConfiguration {
  try ContentConfiguration(XCConfig(path: "Config.xcconfig") { _ in text })
}

/// What went wrong in the sample app of AEM Headless for iOS, one after the other.
@Suite(.timeLimit(.minutes(1)))
struct `The bugs of the sample app` {
  @Test func `1 · a token is sent as it is, on queries and on pictures`() async throws {
    let server = FakeAEM(.json(twoAdventures), .status(404))
    let client = server.client(try configuration("AEM_AUTH_TYPE = token\nAEM_TOKEN = abc.def"))
    _ = try await client.execute(query: adventures)
    await #expect(throws: ContentError.self) { try await client.image(path: "/a.jpg") }
    #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer abc.def", "Bearer abc.def"])
  }

  @Test(arguments: [
    FakeAEM.Answer.json(#"{"errors":[{"message":"no"}]}"#), .json(#"{"data":null}"#), .json("5"),
    .status(200, "<html>", ["Content-Type": "text/html"]), .json(#"{"data":{"adventureList":null}}"#),
    .json(#"{"data":{"adventureList":{"items":"x"}}}"#), .json(#"{"data":{"personList":{"items":[]}}}"#),
  ])
  func `2 · an error, a web page or another shape is an error and no crash`(answer: FakeAEM.Answer) async throws {
    let error = await #expect(throws: ContentError.self) {
      let root = try await FakeAEM(answer).client().execute(query: adventures).root()
      try root.require(model: "adventure")
      _ = try root.fragments()
    }
    #expect(error?.recovery.isEmpty == false)
  }

  @Test func `2 · a partial answer is given with its errors`() async throws {
    let server = FakeAEM(.json(#"{"data":{"adventureList":{"items":[{"price":null}]}},"errors":[{"message":"m"}]}"#))
    let result = try await server.client().execute(query: adventures)
    #expect(try result.root().fragments() == [["price": .null]])
    #expect(result.errors.map(\.message) == ["m"])
  }

  @Test(arguments: [HTTPError.Kind.couldNotResolve, .unreachable, .connectionLost, .timedOut, .tls, .undecodableBody])
  func `3 · a failure of the network is told, in a list and in a detail`(kind: HTTPError.Kind) async throws {
    for variables in [[:], ["slug": "bali"]] as [JSONObject] {
      let server = FakeAEM(.down(kind), .down(kind), .down(kind))
      let error = try await #require(throws: ContentError.self) {
        try await server.client().execute(query: adventures, variables: variables)
      }
      #expect(!error.message.isEmpty && !error.recovery.isEmpty)
    }
  }

  @Test(arguments: [201, 204, 301, 400, 401, 403, 404, 405, 418, 500, 503])
  func `4 · the status counts, whatever the body says`(status: Int) async throws {
    let server = FakeAEM()
    for _ in 0..<3 { server.answer(.status(status, twoAdventures, ["Content-Type": "application/json"])) }
    let error = try await #require(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error.httpStatus == status)
  }

  @Test(arguments: [#"{"_path":"/p","_dynamicUrl":null}"#, #"{"_path":"/p"}"#])
  func `5 · without a dynamic URL the path is used`(image: String) throws {
    #expect(ImageAddress.path(in: try JSONValue(parsing: image)) == "/p")
  }

  @Test func `6 · a null price and a null picture are nulls`() async throws {
    let server = FakeAEM(.json(#"{"data":{"adventureList":{"items":[{"price":null,"primaryImage":null},null]}}}"#))
    let fragments = try await server.client().execute(query: adventures).root().fragments()
    #expect(fragments == [["price": .null, "primaryImage": .null], .null])
    #expect(ImageAddress.path(in: fragments[0]["primaryImage"]) == nil)
  }

  @Test func `7 · a value keeps what has a meaning in URLs, and the list is closed`() throws {
    let query = try PersistedQuery("a/b", variables: ["v": "=/?&+: %#é"])
    #expect(query.target == "/graphql/execute.json/a/b%3Bv%3D%3D%2F%3F%26%2B%3A%20%25%23%C3%A9;")
  }

  @Test func `8 · the variables are sent in their order`() throws {
    for _ in 0..<20 {
      let query = try PersistedQuery("a/b", variables: ["imageWidth": 50, "a": 1, "zz": 2, "b": 3])
      #expect(query.target == "/graphql/execute.json/a/b%3BimageWidth%3D50%3Ba%3D1%3Bzz%3D2%3Bb%3D3;")
    }
  }

  @Test(arguments: [#"{"adventureList":{"items":[]}}"#, #"{"adventureByPath":{"item":null}}"#])
  func `9 · no item is an answer`(data: String) async throws {
    let server = FakeAEM(.json(#"{"data":\#(data)}"#))
    #expect(try await server.client().execute(query: adventures).root().fragments().isEmpty)
  }

  @Test @MainActor func `10 · a caller goes on where it was`() async throws {
    let server = FakeAEM(.json(twoAdventures), .down(.timedOut), .json(twoAdventures))
    let client = server.client()
    _ = try await client.execute(query: adventures)
    MainActor.assertIsolated()
    await #expect(throws: ContentError.self) { try await client.execute(query: adventures) }
    MainActor.assertIsolated()
    for try await _ in client.updates(query: adventures, policy: .useCache) { MainActor.assertIsolated() }
  }

  @Test(arguments: ["https://evil.example.com/a.jpg", "//evil.example.com/a.jpg", "http://127.0.0.1:4504/a.jpg"])
  func `11 · credentials go to the configured server only`(path: String) async throws {
    let server = FakeAEM()
    let client = server.client(try configuration("AEM_AUTH_TYPE = token\nAEM_TOKEN = t"))
    let error = await #expect(throws: ContentError.self) { try await client.image(path: path) }
    #expect(error?.kind == .invalidPath)
    #expect(server.requests.isEmpty)
  }

  @Test func `12 · a password is sent in ISO-8859-1`() async throws {
    let server = FakeAEM(.json(twoAdventures))
    let settings = "AEM_AUTH_TYPE = basic\nAEM_USERNAME = admin\nAEM_PASSWORD = pä:ss"
    _ = try await server.client(try configuration(settings)).execute(query: adventures)
    #expect(server.requests.first?.headers["Authorization"] == "Basic YWRtaW46cOQ6c3M=")
  }

  @Test func `13 · a value that // cuts is warned of`() throws {
    let settings = try XCConfig(path: "Config.xcconfig") { _ in "AEM_PASSWORD = a//b\nAEM_HOST = x/$()/y" }
    #expect(settings["AEM_PASSWORD"] == "a" && settings["AEM_HOST"] == "x//y")
    #expect(settings.warnings.count == 1)
  }
}
