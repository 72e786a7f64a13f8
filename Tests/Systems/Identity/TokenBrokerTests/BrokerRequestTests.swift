import ConfigurationFiles
import HTTPClient
import JSON
import Synchronization
import Testing

@testable import TokenBroker

private let one = ["api://one/Read"]
private let authority = "https://id.example"

/// A server of OpenID Connect whose tokens come without a word about their user.
private func quiet(_ token: @escaping @Sendable () -> Result<HTTPResponse, HTTPError>) -> FakeServer {
  FakeServer { path, _ in
    switch path {
    case "/.well-known/openid-configuration":
      var metadata: JSONObject = ["issuer": .string(authority)]
      for (name, path) in [
        ("token_endpoint", "/token"), ("authorization_endpoint", "/authorize"), ("revocation_endpoint", "/revoke"),
        ("device_authorization_endpoint", "/device"), ("jwks_uri", "/test-keys"),
      ] { metadata[name] = .string(authority + path) }
      return .json(.object(metadata))
    case "/device": return .json(["device_code": "d", "user_code": "AB", "verification_uri": "https://h/verify"])
    case "/token": return token()
    default: return .raw("", status: 200)
    }
  }
}

private func quiet() -> FakeServer {
  quiet { .json(["access_token": "x", "token_type": "Bearer", "refresh_token": "rt-1"]) }
}

private func openIDPlace(_ server: FakeServer = quiet()) throws -> BrokerPlace {
  try BrokerPlace(server, kind: .openIDConnect, authority: authority)
}

@Suite(.timeLimit(.minutes(1)))
struct `A request of a broker` {
  @Test func `has its time, and outlives its caller where the server spends or ends something`() async throws {
    let place = try openIDPlace()
    let sent = Mutex<[HTTPRequest]>([])
    let transport: AuthTransport = { request throws(HTTPError) in
      sent.withLock { $0.append(request) }
      return try await place.server.transport(request)
    }
    let broker = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
    let account = try await broker.signIn(username: "ann", password: Secret("p"), scopes: try ScopeList(one))
    #expect(account.username == "ann")
    #expect(try await broker.token(scopes: one).source == .cache)
    #expect(try await broker.token(scopes: one, forceRefresh: true).source == .identityProvider)
    #expect(try await broker.signOut() == true)
    let requests = sent.withLock { $0 }
    let places = ["/.well-known/openid-configuration", "/token", "/test-keys", "/token", "/revoke"]
    #expect(requests.map(\.url) == places.map { authority + $0 })
    #expect(requests.map(\.method) == ["GET", "POST", "GET", "POST", "POST"])
    #expect(requests.map(\.timeout) == [30, 30, 30, 15, 5].map { .seconds($0) })
    #expect(requests.map(\.endsWithCaller) == [true, true, true, false, false])
    #expect(requests.map(\.isSentOnce) == [false, false, false, true, false])
    #expect(requests.allSatisfy { $0.maximumBodyBytes == 1 << 20 && $0.maximumRedirects == 0 })
  }

  @Test(arguments: [0, 1, 8, 9]) func `ends eight refresh tokens of an account that is signed out`(count: Int)
    async throws
  {
    let place = try openIDPlace()
    try await place.signIn()
    // As other programs leave them, each under a key of its own.
    try await place.cache.change { contents in
      guard let first = contents.refreshTokens.first else { return }
      contents.refreshTokens = (0..<count).compactMap { number in
        var object = first.object
        object["secret"] = .string("rt-\(number)")
        return CachedCredential(object, key: "\(first.key)\(number)")
      }
    }
    #expect(try await place.cache.contents().refreshTokens.count == count)
    #expect(try await place.broker.signOut() == (count == 0 ? nil : true))
    let tokens = place.server.asked.compactMap { $0.form["token"] }
    #expect(tokens.count == min(count, 8) && Set(tokens).count == tokens.count)
    // Where there is nothing to end the server is not asked for its places either.
    #expect(place.server.asked.count == (count == 0 ? 0 : 1 + tokens.count))
  }

  @Test(
    arguments: [
      ("/openid-configuration", .raw("", status: 500), .serverUnavailable),
      ("/openid-configuration", .raw("", status: 404), .invalidAnswer),
      ("/openid-configuration", .json([:]), .invalidAnswer),
      ("/openid-configuration", .json(["issuer": "i", "jwks_uri": "http://h.example/"]), .invalidAnswer),
      ("/test-keys", .raw("", status: 500), .serverUnavailable), ("/test-keys", .raw("", status: 404), .invalidAnswer),
      ("/test-keys", .json(["keys": []], status: 404), .invalidAnswer), ("/test-keys", .json([:]), .invalidAnswer),
      ("/test-keys", .json(["keys": 5]), .invalidAnswer), ("/test-keys", .raw("[]", status: 200), .invalidAnswer),
    ] as [(String, Result<HTTPResponse, HTTPError>, AuthError.Kind)])
  func `spends nothing before the keys are known, and takes nothing else for them`(
    end: String, answer: Result<HTTPResponse, HTTPError>, kind: AuthError.Kind
  ) async throws {
    let place = try BrokerPlace(FakeServer(.json(grantBody("at-2"))))
    try await place.signIn()
    let isWell = Mutex(false)
    let transport: AuthTransport = { request throws(HTTPError) in
      if request.url.hasSuffix(end), !isWell.withLock({ $0 }) { return try answer.get() }
      return try await place.server.transport(request)
    }
    let broker = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
    let error = await #expect(throws: AuthError.self) { try await broker.token(scopes: one, forceRefresh: true) }
    #expect(error?.kind == kind && place.server.asked.isEmpty)
    #expect(await broker.keys == nil)
    isWell.withLock { $0 = true }
    #expect(try await broker.token(scopes: one, forceRefresh: true).secret == Secret("at-2"))
    #expect(await broker.keys?.keys.map(\.id) == ["key-1"])
  }

  @Test func `takes no id token of a server that names no keys`() async throws {
    let place = try BrokerPlace(
      FakeServer(.json(grantBody("at-2")), .json(grantBody("at-3", more: ["id_token": .null]))))
    try await place.signIn()
    let transport: AuthTransport = { request throws(HTTPError) in
      if request.method == "GET" { return try Result.json(["issuer": .string(FakeKey.issuer)]).get() }
      return try await place.server.transport(request)
    }
    let broker = TokenBroker(
      place.broker.configuration, cache: place.cache, clock: place.clock.clock, transport: transport)
    let error = await #expect(throws: AuthError.self) { try await broker.token(scopes: one, forceRefresh: true) }
    #expect(error?.kind == .invalidAnswer && error?.message.contains("names no keys") == true)
    #expect(try await broker.token(scopes: one, forceRefresh: true).secret == Secret("at-3"))
  }
}

/// Sign-ins that somebody approves elsewhere.
@Suite(.timeLimit(.minutes(1)))
struct `A sign-in elsewhere` {
  @Test func `with a code asks for the scopes, which the token has when the server says nothing of them`() async throws
  {
    let place = try openIDPlace()
    let flow = try await place.broker.makeDeviceCodeFlow(scopes: try ScopeList(one))
    #expect(
      place.server.asked.last?.form == ["client_id": "client", "scope": "\(one[0]) openid profile offline_access"])
    _ = try await flow.wait()
    let token = try await place.broker.token(scopes: one)
    #expect(token.secret == Secret("x") && token.source == .cache)
  }

  @Test func `with a code that fails has the number of its requests`() async throws {
    let place = try openIDPlace(quiet { .raw(#"{"error":"access_denied"}"#, status: 400) })
    let flow = try await place.broker.makeDeviceCodeFlow()
    let error = await #expect(throws: AuthError.self) { try await flow.wait() }
    let number = place.server.asked.last?.headers["client-request-id"]
    #expect(error?.kind == .accessDenied && error?.correlationID == number && number?.count == 36)
    let down = try openIDPlace()
    _ = try await down.broker.endpoints()
    down.server.queue(.raw("", status: 503))
    let none = await #expect(throws: AuthError.self) { try await down.broker.makeDeviceCodeFlow() }
    #expect(none?.kind == .serverUnavailable)
  }

  @Test func `in a browser ends as its port does, or after five minutes`() async throws {
    let place = try openIDPlace()
    let busy = AuthError(.busy, "There is no port.")
    let listeners: [(RedirectListener, AuthError.Kind)] = [
      ({ _, _ in }, .cancelled), ({ _, _ in throw busy }, .busy), ({ _, _ in throw CancellationError() }, .cancelled),
      ({ _, body in try await body("http://127.0.0.1:9") }, .timedOut),
    ]
    for (listener, kind) in listeners {
      let flow = try await place.broker.makeAuthorizationCodeFlow()
      let error = await #expect(throws: AuthError.self) { try await flow.run(listening: listener) { _ in } }
      #expect(error?.kind == kind && (kind != .busy || error == busy))
    }
    #expect(place.clock.slept == [300] && place.server.asked.count == 1)
  }

  @Test func `is waited for until the first thing that ends it`() async {
    for isWaiting in [true, false] {
      let landing = Landing()
      let wait = isWaiting ? Task { await landing.wait() } : nil
      landing.end(.abandoned)
      landing.end(.cancelled)
      for outcome in [await wait?.value, await landing.wait()] {
        if case .cancelled? = outcome { Issue.record("It was cancelled when it was over.") }
      }
      // Who comes cancelled when it is over, too.
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await landing.wait()
      }
      if case .abandoned = await late.value { continue }
      Issue.record("It ended otherwise.")
    }
  }
}
