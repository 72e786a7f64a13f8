import ConfigurationFiles
import ContentClient
import HTTPClient
import JSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A content client` {
  @Test func `asks by GET for the URL of the query`() async throws {
    let server = FakeAEM(.json(twoAdventures, ["Age": "7"]))
    let result = try await server.client().execute(query: adventures, variables: ["limit": 2])
    #expect(result.data["adventureList"]?["items"]?[0]?["title"] == "Bali")
    #expect(result.errors.isEmpty)
    #expect(result.httpStatus == 200)
    #expect(result.source == .network)
    #expect(result.ageSeconds == 7)
    let request = try #require(server.requests.first)
    #expect(request.method == "GET")
    #expect(request.url == "http://127.0.0.1:4503/graphql/execute.json/wknd-shared/adventures-all%3Blimit%3D2;")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(request.headers["Accept"] == "application/json")
    #expect(request.headers["Authorization"] == nil)
    #expect(request.body == nil)
  }

  @Test func `sends a value with a semicolon by POST`() async throws {
    let server = FakeAEM(.json(twoAdventures, ["Cache-Control": "max-age=60"]), .status(503), .status(404))
    let directory = try TemporaryDirectory()
    let client = server.client(cache: directory.file("cache.sqlite"))
    _ = try await client.execute(query: adventures, variables: ["v": "a;b", "w": 1])
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.url == "http://127.0.0.1:4503/graphql/execute.json/wknd-shared/adventures-all")
    #expect(request.body == Array(#"{"variables":{"v":"a;b","w":1}}"#.utf8))
    // Neither cached nor sent twice.
    await #expect(throws: ContentError.self) { try await client.execute(query: adventures, variables: ["v": "a;b"]) }
    #expect(server.requests.count == 2)
    let error = await #expect(throws: ContentError.self) {
      try await client.execute(query: adventures, variables: ["v": "a;b"])
    }
    #expect(error?.kind == .postRefused)
    #expect(error?.message.contains("the value of \"v\" holds a semicolon") == true)
    #expect(error?.recovery.contains("dispatcher") == true)
  }

  @Test func `refuses what is no query before it asks`() async throws {
    let server = FakeAEM()
    let error = await #expect(throws: ContentError.self) { try await server.client().execute(query: "../x") }
    #expect(error?.kind == .invalidQuery)
    #expect(server.requests.isEmpty)
  }

  @Test func `gives a partial answer with its errors`() async throws {
    let server = FakeAEM(.json(#"{"data":{"a":null},"errors":[{"message":"half"}]}"#))
    let result = try await server.client().execute(query: adventures)
    #expect(result.data == ["a": .null])
    #expect(result.errors.map(\.message) == ["half"])
  }

  @Test(
    arguments: [
      nil, "", "application/json", "Application/JSON ; charset=utf-8", "application/graphql-response+json",
    ] as [String?])
  func `reads JSON by each of its names, and without one`(type: String?) async throws {
    var headers: HTTPFields = [:]
    headers["Content-Type"] = type
    let server = FakeAEM(.status(200, #"{"data":{"a":1}}"#, headers))
    #expect(try await server.client().execute(query: adventures).data == ["a": 1])
  }

  @Test(arguments: ["[]", "null"]) func `takes no errors for none`(errors: String) async throws {
    let server = FakeAEM(.json(#"{"data":{},"errors":\#(errors)}"#))
    #expect(try await server.client().execute(query: adventures).errors.isEmpty)
  }

  @Test func `quotes the first errors when there is no data`() async throws {
    let server = FakeAEM(
      .json(#"{"data":null,"errors":[{"message":"one\n\u001b[31m"},{"message":"two"},{"x":3},{"message":"four"}]}"#))
    let error = await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error?.kind == .queryFailed)
    #expect(error?.message == #"AEM could not run "wknd-shared/adventures-all": one [31m; two; {"x":3} (and 1 more)"#)
    #expect(error?.httpStatus == 200)
  }

  @Test func `resumes on the actor that called it`() async throws {
    let server = FakeAEM(.json(twoAdventures))
    try await onMainActor(server)
  }

  @MainActor private func onMainActor(_ server: FakeAEM) async throws {
    _ = try await server.client().execute(query: adventures)
    MainActor.assertIsolated()
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An answer without content` {
  typealias Case = (answer: FakeAEM.Answer, kind: ContentError.Kind, status: Int?, says: String)

  static let json: HTTPFields = ["Content-Type": "application/json"]
  static let html: HTTPFields = ["Content-Type": "text/html;charset=utf-8"]
  static let text: HTTPFields = ["Content-Type": "text/plain"]

  static let cases: [Case] = [
    (.status(401), .unauthorized, 401, "AEM_AUTH_TYPE"),
    (.status(401, "<html>", html), .unauthorized, 401, "http://127.0.0.1:4503"),
    (.status(403), .forbidden, 403, adventures),
    (.status(404, "No suitable endpoint found", text), .notFound, 404, "No suitable endpoint found"),
    (.status(404, "<html>", html), .notFound, 404, adventures),
    (.status(405), .unexpectedStatus, 405, "allow-list"),
    (.status(400, "Suffix: '/' does not contain a path", text), .unexpectedStatus, 400, "Suffix"),
    (.status(400, #"{"errors":[{"message":"bad"}]}"#, json), .queryFailed, 400, "bad"),
    (.status(204), .unexpectedStatus, 204, "204"),
    (.status(206, "{}", json), .unexpectedStatus, 206, "206"),
    (.status(304), .unexpectedStatus, 304, "304"), (.status(600), .unexpectedStatus, 600, "600"),
    (.status(302, "", ["Location": "/libs/granite/core/content/login.html?resource=x"]), .signInPage, 302, "sign-in"),
    (.status(301, "", ["Location": "https://other.example.com/x"]), .redirected, 301, "https://other.example.com:443"),
    (.status(307), .redirected, 307, "elsewhere"),
    (.status(200, "<html>", html), .signInPage, 200, "AEM_AUTH_TYPE"),
    (.status(200, "{}", text), .invalidAnswer, 200, "text/plain"),
    (.status(200, #"{"data":{}}"#, ["Content-Type": "image/png"]), .invalidAnswer, 200, "image/png"),
    (.json("<html>"), .invalidAnswer, 200, "not JSON"),
    (.json(""), .invalidAnswer, 200, "not JSON"),
    (.json("{\"data\":{}"), .invalidAnswer, 200, "not JSON"),
    (.json("[]"), .invalidAnswer, 200, "no data"),
    (.json("{}"), .invalidAnswer, 200, "no data"),
    (.json(#"{"data":null}"#), .invalidAnswer, 200, "no data"),
    (.json(#"{"data":[1]}"#), .invalidAnswer, 200, "no data"),
    (.json(#"{"data":{"a":"# + String(repeating: "[", count: 5_000)), .invalidAnswer, 200, "deep"),
    (.down(.tooLarge), .tooLarge, nil, "limit"),
    (.down(.timedOut), .timedOut, nil, "http://127.0.0.1:4503"),
    (.down(.refused), .unreachable, nil, "Start AEM there"),
    (.down(.tls), .untrusted, nil, "clock of this machine"),
    (.down(.cancelled), .cancelled, nil, "cancelled"),
  ]

  @Test(arguments: cases.indices) func `is an error with a kind, a message and a recovery`(index: Int) async throws {
    let (answer, kind, status, says) = Self.cases[index]
    let server = FakeAEM(answer)
    let error = try await #require(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error.kind == kind)
    #expect(error.httpStatus == status)
    #expect(error.description.contains(says))
    #expect(!error.message.isEmpty && !error.recovery.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("/libs/granite/LOGIN.html", true), ("https://ims.example.com/Sign-In", true), ("/signin?a", true),
    ("/a?login", false), ("/a#signin", false), ("/log-in", false),
  ])
  func `is a sign-in page where the path of a redirect says so`(location: String, isSignIn: Bool) async throws {
    let server = FakeAEM(.status(302, "", ["Location": location]))
    let error = await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error?.kind == (isSignIn ? .signInPage : .redirected))
  }

  @Test func `has the address where the queries of its configuration are listed`() async throws {
    let server = FakeAEM(.status(404))
    let error = await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    let list = "http://127.0.0.1:4503/graphql/list.json/wknd-shared"
    #expect(error?.recovery == "Check the spelling; \(list) lists what there is.")
  }

  @Test func `names a server elsewhere and does not offer to start it`() async throws {
    let server = FakeAEM(.down(.timedOut))
    let far = try ContentConfiguration(scheme: "https", host: "publish.example.com")
    let error = await #expect(throws: ContentError.self) { try await server.client(far).execute(query: adventures) }
    #expect(error?.message.contains("https://publish.example.com") == true)
    #expect(error?.recovery.contains("host serve") == false)
  }

  @Test func `says what to check of the credentials that were sent`() async throws {
    let token = try ContentConfiguration(scheme: "", host: "", authentication: .token(Secret("t")))
    let server = FakeAEM(.status(401))
    let error = await #expect(throws: ContentError.self) { try await server.client(token).execute(query: adventures) }
    #expect(error?.recovery.contains("AEM_TOKEN") == true)
  }
}
