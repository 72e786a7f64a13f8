import Cryptography
import HTTP
import HTTPServer
import JSON
import Testing
import Text
import WebTokens

@testable import IdentityServer

private typealias Server = TestedServer

/// RFC 7636, appendix B.
private let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
private let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

@Suite(.timeLimit(.minutes(1)))
struct `Discovery` {
  @Test(arguments: [
    ("/local/v2.0/.well-known/openid-configuration", "/aaaabbbb-0000-cccc-1111-dddd2222eeee", "/v2.0"),
    ("/.well-known/openid-configuration", "", ""), ("/.well-known/oauth-authorization-server", "", ""),
  ])
  func `names endpoints that are there and the key that signs`(
    path: String, realm: String, version: String
  ) async throws {
    let server = try Server { $0.base = "https://id.example" }
    let answer = await server.get(path)
    #expect(answer["issuer"] == "https://id.example\(realm)\(version)")
    #expect(answer["token_endpoint"] == "https://id.example\(realm)/oauth2/v2.0/token")
    #expect(answer["jwks_uri"] == "https://id.example\(realm)/discovery/v2.0/keys")
    for (name, value) in answer.json.objectValue ?? [:] where name.hasSuffix("_endpoint") {
      let url = try #require(value.stringValue)
      #expect(await server.get(String(url.dropFirst("https://id.example".count))).status != 404, "\(name)")
    }
    let keys = await server.get(String(answer["jwks_uri"].dropFirst("https://id.example".count)))
    let key = try #require(keys.json["keys"]?[0])
    let web = JSONWebKey(n: try #require(key["n"]?.stringValue), e: try #require(key["e"]?.stringValue))
    #expect(key["kid"]?.stringValue == web.thumbprint && key["alg"] == "RS256")
    let token = try CompactToken(await server.signIn()["id_token"])
    #expect(throws: Never.self) { try token.payload(signedBy: web.publicKey()) }
    #expect(try JSONCoding.parse(token.header)["kid"] == key["kid"])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The authorization code grant` {
  private static let callback = "http://127.0.0.1:50123/back"

  private func begin(_ server: Server, _ change: (inout [String: String]) -> Void = { _ in }) async -> Answer {
    var query = [
      "client_id": Server.client, "response_type": "code", "redirect_uri": Self.callback,
      "scope": "openid offline_access \(Server.first)/Items.Read", "state": "s&t", "nonce": "n-1",
      "code_challenge": challenge, "code_challenge_method": "S256", "login_hint": "<ada>",
    ]
    change(&query)
    let text = query.map { "\($0.key)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
    return await server.get("/local/oauth2/v2.0/authorize?\(text)")
  }

  private func hidden(_ name: String, _ page: Answer) -> String {
    let rest = page.text.split(separator: "name=\"\(name)\" value=\"", maxSplits: 1, omittingEmptySubsequences: false)
    return rest.count == 2 ? String(rest[1].prefix { $0 != "\"" }) : ""
  }

  private func signIn(_ server: Server, _ page: Answer, _ username: String, _ password: String) async -> Answer {
    await server.post(
      "/local/oauth2/v2.0/authorize",
      ["request": hidden("request", page), "username": username, "password": password])
  }

  /// What the browser brings back.
  private func brought(_ answer: Answer) throws -> [String: String] {
    let location = try #require(answer.response.header("Location"))
    #expect(answer.status == 302 && location.hasPrefix("\(Self.callback)?"))
    var values: [String: String] = [:]
    for pair in location.dropFirst(Self.callback.count + 1).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      values[String(parts[0])] = PercentEncoding.decoded(parts[1])
    }
    return values
  }

  private func redeem(_ server: Server, _ code: String, verifier: String = verifier, redirect: String = callback) async
    -> Answer
  {
    await server.post(
      "/local/oauth2/v2.0/token",
      [
        "client_id": Server.client, "grant_type": "authorization_code", "code": code, "redirect_uri": redirect,
        "code_verifier": verifier,
      ])
  }

  @Test func `gives tokens for a code and its verifier, once`() async throws {
    let server = try Server()
    let page = await begin(server)
    #expect(page.status == 200 && page.text.contains("&lt;ada&gt;") && !page.text.contains("<ada>"))
    #expect(page.response.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
    let wrong = await signIn(server, page, Server.ada, "wrong")
    #expect(wrong.status == 200 && wrong.text.contains("is wrong"))
    let back = try brought(await signIn(server, page, Server.ada, Server.password))
    #expect(back["state"] == "s&t" && back["iss"]?.hasSuffix("/v2.0") == true)
    let code = try #require(back["code"])
    let tokens = await redeem(server, code)
    #expect(tokens.status == 200 && tokens.claims("id_token")["nonce"] == "n-1")
    #expect(await server.get("/api1/items", token: tokens["access_token"]).status == 200)
    #expect(await redeem(server, code).row == "invalid_grant 70008")
    #expect(await server.get("/api1/items", token: tokens["access_token"]).status == 401, "the code was stolen")
    let again = await signIn(server, page, Server.ada, Server.password)
    #expect(again.status == 400, "a form is sent once")
  }

  @Test func `refuses a code with another verifier or address`() async throws {
    let server = try Server()
    for (verifier, redirect) in [(String(repeating: "a", count: 43), Self.callback), (verifier, "http://127.0.0.1:1/")]
    {
      let page = await begin(server)
      let code = try #require(try brought(await signIn(server, page, Server.ada, Server.password))["code"])
      #expect(await redeem(server, code, verifier: verifier, redirect: redirect)["error"] == "invalid_grant")
      #expect(await redeem(server, code)["error"] == "invalid_grant", "it was spent")
    }
    let page = await begin(server)
    let code = try #require(try brought(await signIn(server, page, Server.ada, Server.password))["code"])
    server.clock.advance(120)
    #expect(await redeem(server, code).row == "invalid_grant 70008")
  }

  @Test func `takes verifiers of 43 characters and more, and challenges of a digest`() async throws {
    let server = try Server()
    for (count, isGood) in [(42, false), (43, true), (128, true), (129, false)] {
      let verifier = String(repeating: "a", count: count)
      let page = await begin(server) { $0["code_challenge"] = Base64URL.encode(SHA256.digest(of: verifier.utf8)) }
      let code = try #require(try brought(await signIn(server, page, Server.ada, Server.password))["code"])
      #expect((await redeem(server, code, verifier: verifier).status == 200) == isGood, "\(count)")
    }
    for bytes in [31, 33] {
      let text = Base64URL.encode([UInt8](repeating: 1, count: bytes))
      #expect(try brought(await begin(server) { $0["code_challenge"] = text })["error"] == "invalid_request")
    }
  }

  @Test func `keeps a code for its own client, to the last second`() async throws {
    let server = try Server { $0.clients.append(IdentityClient(id: "other")) }
    let code = try #require(
      try brought(await signIn(server, await begin(server), Server.ada, Server.password))["code"])
    let other = await server.post(
      "/local/oauth2/v2.0/token",
      [
        "client_id": "other", "grant_type": "authorization_code", "code": code, "redirect_uri": Self.callback,
        "code_verifier": verifier,
      ])
    #expect(other.row == "invalid_grant 70008")
    server.clock.advance(119)
    #expect(await redeem(server, code).status == 200)
  }

  @Test(arguments: ["state", "nonce", "login_hint"])
  func `repeats texts of 2048 bytes at most`(name: String) async throws {
    let server = try Server()
    let longest = String(repeating: "é", count: 1_024)
    #expect(await begin(server) { $0[name] = longest }.status == 200)
    #expect(try brought(await begin(server) { $0[name] = longest + "a" })["error"] == "invalid_request")
  }

  @Test func `goes back to addresses of 2048 bytes at most`() async throws {
    let server = try Server()
    let longest = Self.callback + "/" + String(repeating: "a", count: 2_047 - Self.callback.utf8.count)
    #expect(await begin(server) { $0["redirect_uri"] = longest }.text.contains("name=\"request\""))
    #expect(await begin(server) { $0["redirect_uri"] = longest + "a" }.status == 400)
  }

  @Test func `shows its page for ten minutes, and counts the tries of a code on it`() async throws {
    let server = try Server { $0.limits.triesOfCode = 2 }
    let page = await begin(server)
    server.clock.advance(599)
    let asked = await signIn(server, page, Server.eve, Server.password)
    let secret = hidden("request", asked)
    let code = try #require(server.server.outbox.code(for: Server.eve))
    for text in ["1", "2", code] {
      let answer = await server.post("/local/oauth2/v2.0/authorize", ["request": secret, "code": text])
      #expect(answer.status == 200 && answer.text.contains("The code is wrong"), "\(text)")
    }
    server.clock.advance(1)
    let late = await server.post("/local/oauth2/v2.0/authorize", ["request": secret, "code": code])
    #expect(late.status == 400 && late.text.contains("too old"))
  }

  @Test func `posts its answer where it is asked to`() async throws {
    let server = try Server()
    let page = await begin(server) { $0["response_mode"] = "form_post" }
    let posting = await signIn(server, page, Server.ada, Server.password)
    #expect(posting.status == 200 && posting.text.contains("action=\"\(Self.callback)\""))
    #expect(hidden("state", posting) == "s&amp;t")
    #expect(posting.response.header("Content-Security-Policy")?.contains("script-src 'nonce-") == true)
    #expect(await redeem(server, hidden("code", posting)).status == 200)
  }

  @Test func `ends with a new password, with a code or half way`() async throws {
    let server = try Server { $0.limits.codes = 100 }
    let back = try brought(await signIn(server, await begin(server), Server.ada, Server.password))
    let code = try #require(back["code"])
    let asked = await signIn(server, await begin(server), Server.eve, Server.password)
    #expect(asked.text.contains("name=\"code\""))
    let factor = try #require(server.server.outbox.code(for: Server.eve))
    for user in [Server.ada, Server.eve] { #expect(await server.reset(user, to: "Brand-New-77").status == 200) }
    #expect(await redeem(server, code).row == "invalid_grant 70008")
    let late = await server.post(
      "/local/oauth2/v2.0/authorize", ["request": hidden("request", asked), "code": factor])
    #expect(late.status == 400 && late.text.contains("too old"))
  }

  @Test func `asks for the second factor`() async throws {
    let server = try Server()
    let page = await begin(server)
    let asked = await signIn(server, page, Server.eve, Server.password)
    #expect(asked.text.contains("name=\"code\""))
    let secret = hidden("request", asked)
    let wrong = await server.post("/local/oauth2/v2.0/authorize", ["request": secret, "code": "1"])
    #expect(wrong.text.contains("The code is wrong"))
    let code = try #require(server.server.outbox.code(for: Server.eve))
    let back = try brought(await server.post("/local/oauth2/v2.0/authorize", ["request": secret, "code": code]))
    #expect(await redeem(server, back["code"] ?? "").status == 200)
  }

  @Test(arguments: [(nil, false), ("0", false), ("1", true)] as [(String?, Bool)])
  func `says who the user is in the redirect only where it is asked to`(asked: String?, isTold: Bool) async throws {
    let server = try Server()
    let page = await begin(server) { $0["client_info"] = asked }
    let back = try brought(await signIn(server, page, Server.ada, Server.password))
    #expect((back["client_info"]?.isEmpty == false) == isTold && back["code"]?.isEmpty == false)
  }

  @Test func `tells the application what was wrong with its request`() async throws {
    let server = try Server()
    let cases: [(String, String?, String)] = [
      ("response_type", "token", "unsupported_response_type"), ("code_challenge", nil, "invalid_request"),
      ("code_challenge_method", "plain", "invalid_request"), ("scope", "a/b", "invalid_scope"),
      ("prompt", "none", "login_required"), ("response_mode", "fragment", "invalid_request"),
    ]
    for (name, value, error) in cases {
      let back = try brought(await begin(server) { $0[name] = value })
      #expect(back["error"] == error && back["state"] == "s&t")
    }
    let page = await begin(server)
    let denied = await server.post(
      "/local/oauth2/v2.0/authorize", ["request": hidden("request", page), "decision": "deny"])
    #expect(try brought(denied)["error"] == "access_denied")
    // What was cancelled is over.
    let late = await signIn(server, page, Server.ada, Server.password)
    #expect(late.status == 400 && late.text.contains("too old"))
  }

  @Test(arguments: [
    "https://evil.example/", "http://127.0.0.1.evil.example/", "http://localhost:1@evil.example/",
    "http://localhost:99999/", "http://127.0.0.1:80/#x", "javascript:1", "", "http://localhostx/",
    "http://127.0.0.1:1/\r\nSet-Cookie: a=b",
  ])
  func `sends nobody to addresses of others`(address: String) async throws {
    let answer = await begin(try Server()) { $0["redirect_uri"] = address }
    #expect(answer.status == 400 && answer.response.header("Location") == nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A question about a token` {
  private func ask(_ server: Server, _ path: String, _ token: String) async -> Answer {
    await server.post("/local/oauth2/v2.0/\(path)", ["client_id": Server.client, "token": token])
  }

  @Test func `is answered for those that hold`() async throws {
    let server = try Server()
    let tokens = await server.signIn()
    let access = await ask(server, "introspection", tokens["access_token"])
    #expect(access.json["active"] == true && access["scope"] == "Items.Read" && access["username"] == Server.ada)
    #expect(await ask(server, "introspection", tokens["refresh_token"]).json["active"] == true)
    for token in ["x", tokens["id_token"], tokens["access_token"] + "A"] {
      #expect(await ask(server, "introspection", token).json == ["active": false])
    }
    server.clock.advance(3_600)
    #expect(await ask(server, "introspection", tokens["access_token"]).json == ["active": false])
  }

  @Test func `ends what it revokes, and says nothing of what there was`() async throws {
    let server = try Server()
    let tokens = await server.signIn()
    #expect(await ask(server, "revoke", "x").status == 200)
    #expect(await ask(server, "revoke", tokens["access_token"]).status == 200)
    #expect(await server.get("/api1/items", token: tokens["access_token"]).status == 401)
    let next = await server.refresh(tokens["refresh_token"])
    #expect(await server.get("/api1/items", token: next["access_token"]).status == 200)
    #expect(await ask(server, "revoke", next["refresh_token"]).status == 200)
    #expect(await server.get("/api1/items", token: next["access_token"]).status == 401)
    #expect(await server.refresh(next["refresh_token"])["error"] == "invalid_grant")
  }

  @Test func `of the user's own information needs a token for it`() async throws {
    let server = try Server()
    let own = await server.signIn(scope: "email")
    let answer = await server.get("/userinfo", token: own["access_token"])
    #expect(answer["email"] == Server.ada && answer["name"] == "Ada")
    let other = await server.signIn()
    #expect(await server.get("/userinfo", token: other["access_token"]).status == 401)
  }

  @Test func `of a refresh token that was spent is that it does not hold`() async throws {
    let server = try Server()
    let first = await server.signIn()
    let second = await server.refresh(first["refresh_token"])
    #expect(await ask(server, "introspection", first["refresh_token"]).json == ["active": false])
    #expect(await ask(server, "introspection", second["refresh_token"]).json["active"] == true)
  }

  @Test(
    arguments: [
      ("", []), (" profile", ["preferred_username", "name"]), (" email", ["email"]),
    ] as [(String, [String])])
  func `says no more of the user than it was asked for`(scope: String, names: [String]) async throws {
    let server = try Server()
    let tokens = await server.post(
      "/oauth2/v2.0/token",
      [
        "client_id": Server.client, "grant_type": "password", "username": Server.ada, "password": Server.password,
        "scope": "openid\(scope)",
      ])
    let told = await server.get("/userinfo", token: tokens["access_token"]).json.objectValue ?? [:]
    #expect(Set(told.keys) == Set(names + ["sub"]))
    let claims = tokens.claims("id_token")
    for name in ["preferred_username", "name", "email"] {
      #expect((claims[name] != nil) == names.contains(name), "\(name)")
    }
  }
}
