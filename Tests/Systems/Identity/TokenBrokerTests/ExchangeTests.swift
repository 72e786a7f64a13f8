import ConfigurationFiles
import HTTPClient
import JSON
import Testing

@testable import TokenBroker

/// What is sent to an identity server, and to whom the secrets go.
@Suite(.timeLimit(.minutes(1)))
struct `A request to an identity server` {
  private static let secret = Secret("p&é")
  private static let token = "https://id.example/token"

  private func configuration(
    _ kind: IdentityConfiguration.Kind = .openIDConnect, secret: Secret? = secret, headers: HTTPFields = [:]
  ) throws -> IdentityConfiguration {
    var made = try IdentityConfiguration(
      authority: "https://id.example", clientID: "a:b", kind: kind, additionalHeaders: headers)
    made.clientSecret = secret
    return made
  }

  private func sent(
    _ configuration: IdentityConfiguration, postsSecret: Bool = false, isGet: Bool = false
  ) async throws -> FakeServer.Asked {
    let server = FakeServer(.raw("", status: 200))
    let exchange = AuthExchange(configuration, transport: server.transport, postsSecret: postsSecret)
    if isGet {
      _ = try await exchange.get(Self.token)
    } else {
      _ = try await exchange.post(["grant_type": "x"], to: Self.token)
    }
    return try #require(server.asked.first)
  }

  @Test func `proves a client with a secret in the way that its server wants, and no other`() async throws {
    let basic = try await sent(try configuration())
    #expect(basic.headers["Authorization"] == "Basic YSUzQWI6cCUyNiVDMyVBOQ==" && basic.form == ["grant_type": "x"])
    let posted = try await sent(try configuration(), postsSecret: true)
    #expect(posted.headers["Authorization"] == nil)
    #expect(posted.form == ["grant_type": "x", "client_secret": "p&é"])
    for plain in [
      try await sent(try configuration(secret: nil)), try await sent(try configuration(secret: nil), postsSecret: true),
      try await sent(try configuration(.native)), try await sent(try configuration(.native), postsSecret: true),
      try await sent(try configuration(), isGet: true),
    ] {
      #expect(plain.headers["Authorization"] == nil && plain.form["client_secret"] == nil)
      #expect(plain.maximumRedirects == 0)
    }
  }

  @Test(
    arguments: [
      (nil, false), (["client_secret_post"], true), (["client_secret_post", "client_secret_basic"], false),
      (["client_secret_basic"], false), ([], false), ("client_secret_post", false), (["none"], false),
    ] as [(JSONValue?, Bool)])
  func `has the secret in its form where the server takes it nowhere else`(
    methods: JSONValue?, isPosted: Bool
  ) async throws {
    let server = FakeServer { path, _ in
      guard path.hasSuffix("openid-configuration") else {
        return .json(["access_token": "x", "token_type": "Bearer", "scope": "s"])
      }
      var body: JSONObject = ["issuer": "https://id.example", "token_endpoint": .string(Self.token)]
      body["token_endpoint_auth_methods_supported"] = methods
      return .json(.object(body))
    }
    let place = try BrokerPlace(FakeServer())
    let broker = TokenBroker(
      try configuration(), cache: place.cache, clock: place.clock.clock, transport: server.transport)
    for _ in 0..<2 { _ = try await broker.signIn(username: "ann", password: Secret("p")) }
    #expect(server.asked.count == 3 && server.asked[0].headers["Authorization"] == nil)
    for asked in server.asked.dropFirst() {
      #expect((asked.form["client_secret"] != nil) == isPosted && (asked.headers["Authorization"] == nil) == isPosted)
    }
  }

  @Test func `has fields of its own, those of the application beside them, and one number for its flow`() async throws {
    let headers: HTTPFields = ["X-Own": "1", "X-Own": "2", "accept": "no", "Client-Request-ID": "no"]
    for kind in IdentityConfiguration.Kind.allCases {
      let server = FakeServer(.raw("", status: 200), .raw("", status: 200))
      let exchange = AuthExchange(try configuration(kind, headers: headers), transport: server.transport)
      _ = try await exchange.post([:], to: Self.token)
      _ = try await exchange.get(Self.token)
      for asked in server.asked {
        #expect(asked.headers.values(of: "Accept") == ["application/json"])
        #expect(asked.headers.values(of: "client-request-id") == [exchange.correlationID])
        #expect(asked.headers["X-Own"] == "1" && (asked.headers["x-client-SKU"] == "Annex") == (kind == .native))
      }
    }
    #expect(AuthExchange.newCorrelationID() != AuthExchange.newCorrelationID())
  }

  @Test func `is not led elsewhere, and has every other answer given back`() async throws {
    for (status, isAnswer) in [(299, true), (300, false), (307, false), (399, false), (400, true), (500, true)] {
      let server = FakeServer(.raw("", status: status))
      let exchange = AuthExchange(try configuration(), transport: server.transport)
      do throws(AuthError) {
        let reply = try await exchange.post([:], to: Self.token)
        #expect(isAnswer && reply.status == status)
      } catch {
        #expect(!isAnswer && error.kind == .invalidAnswer && error.correlationID == exchange.correlationID)
      }
    }
  }

  @Test(
    arguments: [
      (.cancelled, .cancelled), (.timedOut, .timedOut), (.tooLarge, .tooLarge), (.refused, .unreachable),
      (.couldNotResolve, .unreachable), (.tls, .untrusted), (.unreachable, .unreachable),
      (.connectionLost, .unreachable), (.invalidURL, .invalidConfiguration), (.invalidRequest, .invalidConfiguration),
      (.forbiddenAddress, .invalidConfiguration), (.invalidResponse, .invalidAnswer), (.badRedirect, .invalidAnswer),
      (.undecodableBody, .invalidAnswer),
    ] as [(HTTPError.Kind, AuthError.Kind)])
  func `that fails on its way says how, and which server it went to`(
    kind: HTTPError.Kind, expected: AuthError.Kind
  ) async throws {
    for (url, name) in [
      ("https://id.example/token", "id.example"), ("https://keys.example:443/k", "keys.example"),
      ("https://keys.example:80/k", "keys.example:80"), ("http://keys.example:80/k", "keys.example"),
    ] {
      let transport: AuthTransport = { request throws(HTTPError) in throw HTTPError(kind, "By \(name).", url: url) }
      let exchange = AuthExchange(try configuration(), transport: transport)
      let error = await #expect(throws: AuthError.self) { try await exchange.get(url) }
      #expect(error?.kind == expected && error?.correlationID == exchange.correlationID)
      if ![.cancelled, .badRedirect].contains(kind) { #expect(error?.message.contains("\(name)") == true) }
    }
  }

  @Test(
    arguments: [
      (.openIDConnect, "invalid_client", "Check the client and its secret, and what the server allows this client."),
      (.native, "invalid_client", AuthError.Kind.clientNotAllowed.recovery),
      (
        .openIDConnect, "unsupported_grant_type",
        "Sign in with --browser or --device-code, or have the server allow this way for the client."
      ),
      (.native, "unsupported_grant_type", AuthError.Kind.notSupported.recovery),
      (.openIDConnect, "invalid_scope", AuthError.Kind.invalidScope.recovery),
    ] as [(IdentityConfiguration.Kind, String, String)])
  func `that is refused has advice for its kind of server, and its number where the server says none`(
    kind: IdentityConfiguration.Kind, word: String, advice: String
  ) throws {
    let exchange = AuthExchange(try configuration(kind), transport: FakeServer().transport)
    for number in [nil, "theirs"] {
      var body: JSONObject = ["error": .string(word)]
      body["correlation_id"] = number.map { .string($0) }
      let error = exchange.error(ServerReply(status: 400, body: .object(body)), purpose: .step)
      #expect(error.recovery == advice && error.correlationID == number ?? exchange.correlationID)
    }
  }

  @Test func `that has no answer of use is told by what came in its place`() {
    for (body, words) in [
      (.object(["a": 1]), "without a usable token"), (.empty, "without a word"), (.webPage, "with a web page"),
      (.other, "with what is not an answer"),
    ] as [(ServerReply.Body, String)] {
      let error = AuthError.invalidAnswer(ServerReply(status: 201, body: body), server: "s", lacking: "token")
      #expect(error.kind == .invalidAnswer && error.message == "s answered \(words) (201).")
    }
    for (body, words) in [(.empty, "without a word"), (.webPage, "with a web page")] as [(ServerReply.Body, String)] {
      let failure = ServerFailure(ServerReply(status: 404, body: body), hiding: [])
      #expect(AuthError(failure, purpose: .step, server: "s").message == "s answered \(words) (404).")
    }
  }

  // MARK: Forms

  @Test func `has a form whose secrets no message shows, and which is sent once where it spends something`() {
    for (name, isSecret, isSpent) in [
      ("password", true, false), ("new_password", true, false), ("oob", true, false), ("code_verifier", true, false),
      ("token", true, false), ("client_secret", true, false), ("continuation_token", true, true),
      ("refresh_token", true, true), ("code", true, true), ("device_code", true, true), ("username", false, false),
      ("scope", false, false), ("client_id", false, false), ("grant_type", false, false),
    ] {
      var form: FormFields = ["client_id": "c"]
      form[name] = Secret("v")
      #expect(form.secrets == (isSecret ? [Secret("v")] : []) && form.isSpent == isSpent, "\(name)")
    }
  }

  @Test func `has each field once, in order, with what is special in it encoded`() {
    var form: FormFields = ["a": "1", "b": "é &=+", "c": "~-._"]
    #expect(form.query == "a=1&b=%C3%A9%20%26%3D%2B&c=~-._" && form.body == Array(form.query.utf8))
    form["a"] = Secret("2")
    #expect(form.all.map(\.name) == ["b", "c", "a"] && form["a"] == Secret("2"))
    form["b"] = nil
    #expect(form.all.map(\.name) == ["c", "a"] && form["b"] == nil && "\(form)" == "c&a")
    #expect(FormFields().query == "" && FormFields() == [:] && form != ["a": "2", "c": "~-._"])
    // Two forms are one when name and value are, in order.
    #expect(form == ["c": "~-._", "a": "2"] && form != ["c": "~-._", "a": "3"] && form != ["c": "~-._", "b": "2"])
  }

  // MARK: The server

  @Test func `goes to a server whose address and client fit their bounds`() throws {
    func made(_ authority: String, _ client: String = "c") -> IdentityConfiguration? {
      try? IdentityConfiguration(authority: authority, clientID: client, kind: .native)
    }
    let longest = "https://h/" + String(repeating: "a", count: 2_038)
    #expect(made(longest) != nil && made(longest + "a") == nil && made(longest + "/")?.authority == longest)
    let client = String(repeating: "c", count: 256)
    #expect(made("https://h", client) != nil && made("https://h", client + "c") == nil)
    for wrong in ["", "a b", "é", "a\u{7F}", "a\n"] { #expect(made("https://h", wrong) == nil) }
    for wrong in ["https://h/é", "https://h/\u{7F}", "https://h/<", "https://h/\\", "https://h/\""] {
      #expect(made(wrong) == nil)
    }
    for (authority, environment, realm, isLoopback) in [
      ("https://h:443", "h", "", false), ("https://h:80/a/b", "h:80", "a/b", false),
      ("http://127.0.0.1:80", "127.0.0.1", "", true), ("http://127.0.0.1:443/a", "127.0.0.1:443", "a", true),
    ] {
      let found = made(authority)
      #expect(found?.environment == environment && found?.realm == realm && found?.isLoopback == isLoopback)
    }
  }

  @Test func `goes to places that the server names, of https and in its own name`() throws {
    func metadata(_ change: JSONObject, _ authority: String = "https://id.example") -> ServerMetadata? {
      var body: JSONObject = ["issuer": .string(authority), "token_endpoint": "https://other.example/t"]
      for (name, value) in change { body[name] = value }
      let configuration = try? IdentityConfiguration(authority: authority, clientID: "c", kind: .openIDConnect)
      return configuration.flatMap {
        try? ServerMetadata(ServerReply(status: 200, body: .object(body)), configuration: $0)
      }
    }
    #expect(metadata([:])?.tokenEndpoint == "https://other.example/t" && metadata([:])?.keysEndpoint == nil)
    for (issuer, isTaken) in [
      ("https://id.example/", true), ("https://id.example//", false), ("https://id.example/a", false),
      ("https://ID.example", false),
    ] { #expect((metadata(["issuer": .string(issuer)]) != nil) == isTaken, "\(issuer)") }
    let longest = "https://h/" + String(repeating: "a", count: 2_038)
    for name in [
      "token_endpoint", "authorization_endpoint", "device_authorization_endpoint", "revocation_endpoint", "jwks_uri",
    ] {
      for (url, isTaken) in [
        (longest, true), ("http://127.0.0.1:1/", false), ("https://h/#a", false), ("ftp://h/", false),
      ] { #expect((metadata([name: .string(url)]) != nil) == isTaken, "\(name) \(url)") }
      let local = metadata([name: "http://127.0.0.1:1/", "issuer": "http://localhost:2"], "http://localhost:2")
      #expect(local != nil, "\(name)")
      #expect(metadata([name: "http://h.example/", "issuer": "http://localhost:2"], "http://localhost:2") == nil)
      #expect(metadata([name: .string(longest + "a")])?.revocationEndpoint == nil)
    }
    let all = metadata([
      "authorization_endpoint": "https://h/a", "device_authorization_endpoint": "https://h/d",
      "revocation_endpoint": "https://h/r", "jwks_uri": "https://h/k",
    ])
    #expect(all?.authorizationEndpoint == "https://h/a" && all?.deviceAuthorizationEndpoint == "https://h/d")
    #expect(all?.revocationEndpoint == "https://h/r" && all?.keysEndpoint == "https://h/k")
  }

  @Test(arguments: [("https://id.example", ""), ("https://id.example/a/b", "/a/b")])
  func `looks for the places of a server in two documents, the second where the first is not there`(
    authority: String, path: String
  ) async throws {
    let configuration = try IdentityConfiguration(authority: authority, clientID: "c", kind: .openIDConnect)
    let document: JSONValue = ["issuer": .string(authority), "token_endpoint": "https://h/t"]
    let places = ["\(path)/.well-known/openid-configuration", "/.well-known/oauth-authorization-server\(path)"]
    for (answers, count, kind) in [
      ([.json(document)], 1, nil), ([.raw("", status: 400), .json(document)], 2, nil),
      ([.raw("", status: 499), .json(document)], 2, nil),
      ([.raw("", status: 500), .json(document)], 1, .serverUnavailable),
      ([.json([:]), .json(document)], 1, .invalidAnswer),
      ([.raw("", status: 404), .raw("", status: 404)], 2, .invalidAnswer),
    ] as [([Result<HTTPResponse, HTTPError>], Int, AuthError.Kind?)] {
      let server = FakeServer()
      for answer in answers { server.queue(answer) }
      var found: AuthError.Kind?
      do throws(AuthError) {
        let metadata = try await ServerMetadata.discover(AuthExchange(configuration, transport: server.transport))
        #expect(metadata.tokenEndpoint == "https://h/t")
      } catch { found = error.kind }
      #expect(found == kind && server.asked.map(\.path) == Array(places.prefix(count)))
    }
  }
}
