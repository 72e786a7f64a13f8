import ConfigurationFiles
import HTTPClient
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing
import Time

@testable import TokenBroker

private let pages: RedirectListener = { page, body in try await HTTPServer.withPages(page, body) }

/// The query of an address that a browser is sent to.
private func query(_ url: String) -> [String: String] {
  parseForm(Array(url.drop { $0 != "?" }.dropFirst().utf8))
}

@Suite(.timeLimit(.minutes(1)))
struct `A sign-in in a browser` {
  /// - Parameter browser: gets the address it is sent to, and a function that asks for an address.
  private func run(
    _ server: FakeIdentity = FakeIdentity(),
    browser: @escaping @Sendable (_ asked: [String: String], _ get: @Sendable (String) async -> Int) async -> Void
  ) async throws -> Account {
    try await server.run { url in
      let directory = try TemporaryDirectory()
      let broker = TokenBroker(
        try IdentityConfiguration(authority: url, clientID: "client", kind: .openIDConnect), client: .patient,
        cache: TokenCache(folder: directory.path) { _ in }, clock: .standing)
      let flow = try await broker.makeAuthorizationCodeFlow(
        scopes: try ScopeList(["api://one/Read"]), loginHint: "ann@example.com")
      return try await flow.run(listening: pages) { address in
        let asked = query(address)
        server.change { $0.authorization = asked }
        await browser(asked) { address in
          // The flow is over with the answer, and does not wait for the browser.
          var request = HTTPRequest("GET", address)
          request.endsWithCaller = false
          return (try? await HTTPClient.patient.send(request))?.status ?? -1
        }
      }
    }
  }

  @Test func `is proven by a key, and takes one answer`() async throws {
    let statuses = Mutex<[Int]>([])
    let account = try await run { asked, get in
      #expect(asked["response_type"] == "code" && asked["code_challenge_method"] == "S256")
      #expect(asked["client_id"] == "client" && asked["login_hint"] == "ann@example.com")
      #expect(asked["scope"] == "api://one/Read openid profile offline_access")
      #expect(asked["code_challenge"]?.count == 43 && asked["state"]?.count == 43 && asked["nonce"]?.count == 43)
      let redirect = asked["redirect_uri"] ?? ""
      #expect(redirect.hasPrefix("http://127.0.0.1:") && redirect.hasSuffix("/"))
      for address in [
        "\(redirect)favicon.ico", redirect, "\(redirect)?code=code-secret&state=guess", "\(redirect)?code=code-secret",
        "\(redirect)?state=\(asked["state"] ?? "")&state=\(asked["state"] ?? "")&code=x",
        "\(redirect)?code=code-secret&state=\(asked["state"] ?? "")",
      ] {
        let status = await get(address)
        statuses.withLock { $0.append(status) }
      }
    }
    #expect(account.username == "ann@example.com")
    #expect(statuses.withLock { $0 } == [404, 400, 400, 400, 400, 200])
  }

  @Test(arguments: [
    ("error=access_denied&error_description=No%1B", AuthError.Kind.accessDenied),
    ("error=server_error", .serverUnavailable),
    ("code=code-secret&iss=https%3A%2F%2Fevil.example", .invalidAnswer), ("nothing=1", .invalidAnswer),
    ("code=another", .flowExpired),
  ])
  func `ends with what the server says`(answer: String, kind: AuthError.Kind) async throws {
    let error = await #expect(throws: AuthError.self) {
      try await run { asked, get in
        _ = await get("\(asked["redirect_uri"] ?? "")?\(answer)&state=\(asked["state"] ?? "")")
      }
    }
    #expect(error?.kind == kind)
    #expect(error?.message.unicodeScalars.contains("\u{1B}") == false)
  }

  @Test func `is not believed with another nonce`() async throws {
    let server = FakeIdentity()
    server.change { $0.claims = ["nonce": "replayed"] }
    let error = await #expect(throws: AuthError.self) {
      try await run(server) { asked, get in
        _ = await get("\(asked["redirect_uri"] ?? "")?code=code-secret&state=\(asked["state"] ?? "")")
      }
    }
    #expect(error?.kind == .invalidAnswer)
  }

  @Test func `ends when the time is over, and its port with it`() async throws {
    let server = FakeIdentity()
    let port = Mutex("")
    try await server.run { url in
      let directory = try TemporaryDirectory()
      let broker = TokenBroker(
        try IdentityConfiguration(authority: url, clientID: "client", kind: .openIDConnect), client: .patient,
        cache: TokenCache(folder: directory.path) { _ in }, clock: FakeClock().clock)
      let flow = try await broker.makeAuthorizationCodeFlow()
      let error = await #expect(throws: AuthError.self) {
        try await flow.run(within: 10, listening: pages) { address in
          port.withLock { $0 = query(address)["redirect_uri"] ?? "" }
        }
      }
      #expect(error?.kind == .timedOut)
      let refused = await #expect(throws: HTTPError.self) {
        try await HTTPClient.patient.send(HTTPRequest("GET", port.withLock { $0 }))
      }
      #expect(refused?.kind == .refused)
    }
  }

  @Test func `has the key of the specification's example`() {
    // RFC 7636, appendix B.
    let proof = ProofKey(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(ProofKey().verifier != ProofKey().verifier)
  }
}
