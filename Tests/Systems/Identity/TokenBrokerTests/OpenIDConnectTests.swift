import ConfigurationFiles
import HTTPClient
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing

@testable import TokenBroker

private struct OpenIDPlace {
  let directory: TemporaryDirectory
  let clock = FakeClock()
  let broker: TokenBroker

  init(_ url: String) throws {
    directory = try TemporaryDirectory()
    broker = TokenBroker(
      try IdentityConfiguration(authority: url, clientID: "client", kind: .openIDConnect), client: .patient,
      cache: TokenCache(folder: directory.path) { _ in }, clock: clock.clock)
  }
}

private func kind(_ body: () async throws -> Void) async throws -> AuthError.Kind? {
  do {
    try await body()
    return nil
  } catch let error as AuthError {
    return error.kind
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A server of OpenID Connect` {
  @Test func `signs a user in by password, once its places are known`() async throws {
    let server = FakeIdentity()
    try await server.run { url in
      let place = try OpenIDPlace(url)
      let account = try await place.broker.signIn(
        username: "ann", password: Secret("p&=+ä"), scopes: try ScopeList(["api://one/Read"]))
      #expect(account == Account(id: "subject-1", username: "ann@example.com", name: "Ann", signedIn: true))
      #expect(try await place.broker.token(scopes: ["api://one/Read"]).secret == Secret("access-secret"))
      let request = try #require(server.requests.last { $0.path == "/token" })
      let form = parseForm(request.body)
      #expect(request.method == "POST" && request.header("Content-Type") == "application/x-www-form-urlencoded")
      #expect(form["grant_type"] == "password" && form["username"] == "ann" && form["password"] == "p&=+ä")
      #expect(form["scope"] == "api://one/Read openid profile offline_access")
      _ = try await place.broker.token(scopes: ["api://one/Read"], forceRefresh: true)
      #expect(server.requests.map(\.path) == ["/.well-known/openid-configuration", "/token", "/keys", "/token"])
      #expect(try await kind { _ = try place.broker.makeFlow(FlowStart(.signIn, username: "a")) } == .notSupported)
    }
  }

  @Test func `may know a user under one name and every client's user under another`() async throws {
    let server = FakeIdentity()
    // As Microsoft's servers do: `oid` is the account, `sub` is this client's name for it.
    server.change { $0.claims = ["oid": "object-1", "tid": "tenant-1"] }
    try await server.run { url in
      let place = try OpenIDPlace(url)
      let scopes = ["api://one/Read"]
      _ = try await place.broker.signIn(username: "ann", password: Secret("p"), scopes: try ScopeList(scopes))
      for _ in 0..<2 {
        #expect(try await place.broker.token(scopes: scopes, forceRefresh: true).source == .identityProvider)
      }
      server.change { $0.claims = ["oid": "object-1", "tid": "tenant-1", "sub": "subject-2"] }
      let error = await #expect(throws: AuthError.self) {
        try await place.broker.token(scopes: scopes, forceRefresh: true)
      }
      #expect(error?.kind == .invalidAnswer)
    }
  }

  @Test(arguments: [
    ServerResponse(status: 403), FakeIdentity.json(refusalBody("invalid_grant"), status: 400),
  ])
  func `says that a password is wrong in one of many ways`(answer: ServerResponse) async throws {
    let server = FakeIdentity()
    server.change { $0.queue = [answer] }
    try await server.run { url in
      let place = try OpenIDPlace(url)
      let found = try await kind { _ = try await place.broker.signIn(username: "ann", password: Secret("wrong")) }
      #expect(found == .invalidCredentials)
      #expect(try await place.broker.accounts().isEmpty)
    }
  }

  @Test(
    arguments: [
      ["issuer": "https://evil.example"], ["issuer": .null], ["token_endpoint": .null],
      ["token_endpoint": "http://evil.example/token"], ["token_endpoint": "javascript:1"], ["token_endpoint": 7],
    ] as [JSONObject])
  func `is not believed when it names another issuer, or places without encryption`(
    change: JSONObject
  ) async throws {
    let server = FakeIdentity()
    server.change { $0.metadata = change }
    try await server.run { url in
      let place = try OpenIDPlace(url)
      let found = try await kind { _ = try await place.broker.signIn(username: "ann", password: Secret("p")) }
      #expect(found == .invalidAnswer)
      #expect(!server.requests.contains { $0.path == "/token" })
    }
  }

  @Test func `may tell its places as OAuth does`() async throws {
    let server = FakeServer { path, _ in
      path == "/.well-known/oauth-authorization-server/tenant"
        ? .json(["issuer": "https://id.example/tenant", "token_endpoint": "https://id.example/t"])
        : .raw("", status: 404)
    }
    let configuration = try IdentityConfiguration(
      authority: "https://id.example/tenant", clientID: "c", kind: .openIDConnect)
    let found = try await ServerMetadata.discover(AuthExchange(configuration, transport: server.transport))
    #expect(found.tokenEndpoint == "https://id.example/t")
    #expect(server.asked.map(\.path).first == "/tenant/.well-known/openid-configuration")
  }

  @Test(
    arguments: [
      ["iss": "https://evil.example"], ["aud": "another"], ["aud": ["a", "b"]], ["sub": .null], ["exp": 1],
      ["exp": .null], ["azp": "another"], ["aud": ["client", "b"]], ["aud": ["client", "b"], "azp": "b"],
    ] as [JSONObject])
  func `is not believed when its id token is not for us`(claims: JSONObject) async throws {
    let server = FakeIdentity()
    server.change { $0.claims = claims }
    try await server.run { url in
      let place = try OpenIDPlace(url)
      let found = try await kind { _ = try await place.broker.signIn(username: "ann", password: Secret("p")) }
      #expect(found == .invalidAnswer)
      #expect(try await place.broker.accounts().isEmpty)
    }
  }

  @Test func `is not followed elsewhere with a password`() async throws {
    let server = FakeIdentity()
    server.change {
      $0.queue = [ServerResponse(status: 307, headers: [ServerField("Location", "/elsewhere")])]
    }
    try await server.run { url in
      let place = try OpenIDPlace(url)
      let found = try await kind { _ = try await place.broker.signIn(username: "ann", password: Secret("p")) }
      #expect(found == .invalidAnswer)
      #expect(!server.requests.contains { $0.path == "/elsewhere" })
    }
  }

  @Test func `that is not there, or sends too much, is told from one that refuses`() async throws {
    let server = FakeIdentity()
    server.change { $0.queue = [ServerResponse(text: String(repeating: " ", count: 2 << 20))] }
    let gone = try await server.run { url in
      let place = try OpenIDPlace(url)
      let found = try await kind { _ = try await place.broker.signIn(username: "ann", password: Secret("p")) }
      #expect(found == .tooLarge)
      return url
    }
    let place = try OpenIDPlace(gone)
    let found = try await kind { _ = try await place.broker.signIn(username: "ann", password: Secret("p")) }
    #expect(found == .unreachable)
  }

  // MARK: Device codes

  @Test func `signs in a user on another device, at the pace it names`() async throws {
    let server = FakeIdentity()
    server.change {
      $0.queue =
        ["authorization_pending", "slow_down", "authorization_pending"].map {
          FakeIdentity.json(refusalBody($0), status: 400)
        } + [ServerResponse(status: 503)]
    }
    try await server.run { url in
      let place = try OpenIDPlace(url)
      let flow = try await place.broker.makeDeviceCodeFlow()
      #expect(flow.userCode == "AB-CD" && flow.verificationURL == "\(url)/verify" && flow.completeURL == nil)
      #expect(try await flow.wait().username == "ann@example.com")
      #expect(place.clock.slept == [2, 2, 7, 7, 14])
      let form = parseForm(try #require(server.requests.last { $0.path == "/token" }).body)
      #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
      #expect(form["device_code"] == "device-secret" && form["client_id"] == "client")
    }
  }

  @Test(arguments: [
    ("expired_token", AuthError.Kind.flowExpired), ("access_denied", .accessDenied), ("invalid_grant", .flowExpired),
    ("authorization_pending", .flowExpired),
  ])
  func `ends a device code that is over, or that the user refuses`(word: String, kind expected: AuthError.Kind)
    async throws
  {
    let server = FakeIdentity()
    server.change { $0.queue = (0..<100).map { _ in FakeIdentity.json(refusalBody(word), status: 400) } }
    try await server.run { url in
      let place = try OpenIDPlace(url)
      let flow = try await place.broker.makeDeviceCodeFlow()
      #expect(try await kind { _ = try await flow.wait() } == expected)
      #expect(place.clock.slept.reduce(0, +) < 60)
    }
  }
}
