import Text
import Cryptography
import HTTPServer
import JSON
import TestSupport
import Testing
import WebTokens

@testable import IdentityServer

private typealias Server = TestedServer

@Suite(.timeLimit(.minutes(1)))
struct `A refresh token` {
  @Test func `gives tokens for every API, one at a time`() async throws {
    let server = try Server()
    let first = await server.signIn()
    let second = await server.refresh(first["refresh_token"], scope: "\(Server.second)/Notes.Read")
    #expect(second.claims("access_token")["aud"] == .string(Server.second))
    #expect(second["scope"] == "\(Server.second)/Notes.Read openid profile offline_access")
    let both = await server.refresh(
      second["refresh_token"], scope: "\(Server.first)/Items.Read \(Server.second)/Notes.Read")
    #expect(both.row == "invalid_scope 28000")
    let all = await server.refresh(second["refresh_token"], scope: "\(Server.first)/.default")
    #expect(all.claims("access_token")["scp"] == "Items.Read Items.Write")
    #expect(all["scope"].hasPrefix("\(Server.first)/Items.Read \(Server.first)/Items.Write \(Server.first)/.default"))
    #expect(await server.get("/api1/items", token: first["access_token"]).status == 200)
    #expect(await server.get("/api2/notes", token: second["access_token"]).status == 200)
    #expect(await server.get("/api2/notes", token: first["access_token"]).status == 401)
  }

  @Test func `that is spent twice ends the sign-in`() async throws {
    let server = try Server()
    let first = await server.signIn()
    let second = await server.refresh(first["refresh_token"])
    #expect(second.status == 200 && second["refresh_token"] != first["refresh_token"])
    #expect(await server.refresh(first["refresh_token"]).row == "invalid_grant 50173")
    #expect(await server.refresh(second["refresh_token"]).row == "invalid_grant 9002313")
    #expect(await server.get("/api1/items", token: second["access_token"]).status == 401)
  }

  @Test func `is spent by one of many at a time`() async throws {
    let server = try Server()
    let token = await server.signIn()["refresh_token"]
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<16 { group.addTask { await server.refresh(token).status } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 200 } == 1)
  }

  @Test(arguments: [(IdentityServer.Rotation.add, true), (.keep, false)])
  func `stays good where the server keeps it`(rotation: IdentityServer.Rotation, isNew: Bool) async throws {
    let server = try Server { $0.rotation = rotation }
    let token = await server.signIn()["refresh_token"]
    for _ in 0..<3 {
      let answer = await server.refresh(token)
      #expect(answer.status == 200 && answer["refresh_token"].isEmpty != isNew)
    }
  }

  @Test func `has an end`() async throws {
    let server = try Server { $0.lifetimes.refreshToken = 100 }
    let token = await server.signIn()["refresh_token"]
    server.clock.advance(100)
    #expect(await server.refresh(token).row == "invalid_grant 700082")
    server.server.faults.set([.expiredRefreshToken])
    #expect(await server.refresh(token).row == "expired_refresh_token 700082")
  }

  @Test func `is not enough when a second factor is asked for since`() async throws {
    let server = try Server()
    let token = await server.signIn()["refresh_token"]
    var ada = try #require(await server.server.user(Server.ada))
    ada.needsSecondFactor = true
    await server.server.put(ada)
    #expect(await server.refresh(token).row == "invalid_grant 50076 mfa_required")
  }

  @Test(arguments: [Int64.max, .min, 0])
  func `lives as long as time goes, whatever is asked for`(seconds: Int64) async throws {
    let server = try Server {
      $0.lifetimes.refreshToken = seconds
      $0.lifetimes.accessToken = seconds
      $0.lifetimes.continuation = 60
      $0.limits.window = seconds
    }
    let tokens = await server.signIn()
    #expect(tokens.status == 200)
    #expect(tokens.json["expires_in"] == (seconds > 0 ? 315_360_000 : 0))
    #expect((await server.refresh(tokens["refresh_token"]).status == 200) == (seconds > 0))
  }

  @Test func `is of its client only`() async throws {
    let server = try Server { $0.clients.append(IdentityClient(id: "other")) }
    let token = await server.signIn()["refresh_token"]
    let other = await server.post(
      "/local/oauth2/v2.0/token", ["client_id": "other", "grant_type": "refresh_token", "refresh_token": token])
    #expect(other.row == "invalid_grant 9002313")
    #expect(await server.refresh(token).status == 200)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A protected API` {
  @Test func `says who asked, and for what`() async throws {
    let server = try Server()
    let token = await server.signIn(scope: "\(Server.first)/Items.Write")["access_token"]
    let answer = await server.get("/api1/items/7", token: token)
    #expect(answer["user"] == Server.ada && answer["path"] == "/api1/items/7" && answer["api"] == "api1")
  }

  @Test func `refuses who has no token, or one that is not for it`() async throws {
    let server = try Server()
    let tokens = await server.signIn()
    let none = await server.get("/api1/items")
    #expect(none.status == 401 && none.response.header("WWW-Authenticate") == "Bearer realm=\"api1\"")
    for token in ["x", "a.b.c", tokens["id_token"], tokens["access_token"] + "A"] {
      let answer = await server.get("/api1/items", token: token)
      #expect(answer.status == 401)
      #expect(answer.response.header("WWW-Authenticate")?.contains("error=\"invalid_token\"") == true)
    }
    let other = try RSAPrivateKey.generate()
    let claims = JSONValue.object(tokens.claims("access_token").objectValue ?? [:]).description
    let forged = try CompactToken.sign(Array(claims.utf8), key: other, keyID: "x")
    #expect(await server.get("/api1/items", token: forged).status == 401)
  }

  @Test func `refuses a token of another issuer with the same key`() async throws {
    let servers = try ["https://one.example", "https://two.example"].map { base in try Server { $0.base = base } }
    let token = await servers[0].signIn()["access_token"]
    #expect(await servers[0].get("/api1/items", token: token).status == 200)
    #expect(await servers[1].get("/api1/items", token: token).status == 401)
  }

  @Test func `refuses a token of its own that lacks what it is judged by`() async throws {
    let directory = try TemporaryDirectory()
    let key = try RSAPrivateKey.generate()
    let file = try directory.write(try key.pem(), to: "key.pem")
    let server = try Server { $0.signingKeyFile = file }
    let claims = await server.signIn().claims("access_token").objectValue ?? [:]
    for (name, status) in [
      ("iss", 401), ("aud", 401), ("scp", 401), ("exp", 401), ("nbf", 401), ("jti", 200), ("sid", 200), ("oid", 200),
    ] {
      #expect(claims[name] != nil, "\(name)")
      var fewer = claims
      fewer[name] = nil
      let token = try CompactToken.sign(Array(JSONValue.object(fewer).description.utf8), key: key, keyID: "k")
      #expect(await server.get("/api1/items", token: token).status == status, "\(name)")
    }
  }

  /// RFC 9110, 11.4, and RFC 6750, 2.1: the case of the scheme does not matter, and spaces follow it.
  @Test(arguments: [
    ("Bearer", " ", 200), ("bearer", " ", 200), ("BEARER", "   ", 200), ("Bearer", "", 401), ("Basic", " ", 401),
    ("Bearer", " a ", 401),
  ])
  func `takes a token behind the name of its scheme`(scheme: String, gap: String, status: Int) async throws {
    let server = try Server()
    let token = await server.signIn()["access_token"]
    let answer = await server.send(
      "GET", "/api1/items", headers: [.init("Authorization", "\(scheme)\(gap)\(token)")])
    #expect(answer.status == status)
  }

  @Test func `asks for the scope that the request needs`() async throws {
    let server = try Server()
    let token = await server.signIn(scope: "\(Server.first)/Items.Read")["access_token"]
    let answer = await server.send(
      "POST", "/api1/items", headers: [.init("Authorization", "Bearer \(token)"), .init("Content-Type", "text/plain")])
    #expect(answer.status == 403)
    #expect(answer.response.header("WWW-Authenticate")?.contains("error=\"insufficient_scope\"") == true)
    #expect(answer.response.header("WWW-Authenticate")?.contains("scope=\"Items.Write\"") == true)
  }

  @Test func `refuses a token when its time is over`() async throws {
    let server = try Server { $0.lifetimes.accessToken = 10 }
    let token = await server.signIn()["access_token"]
    server.clock.advance(9)
    #expect(await server.get("/api1/items", token: token).status == 200)
    server.clock.advance(1)
    let answer = await server.get("/api1/items", token: token)
    #expect(answer.status == 401)
    #expect(answer.response.header("WWW-Authenticate")?.contains("expired") == true)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A quirk of the server` {
  @Test func `is a wrong password that has no words`() async throws {
    let server = try Server { $0.quirks = [.emptyWrongPassword, .emptyBadRefreshToken] }
    let wrong = await server.token("password", "password", "wrong", await server.passwordAsked())
    #expect(wrong.status == 403 && wrong.text.isEmpty)
    let bad = await server.refresh("x")
    #expect(bad.status == 400 && bad.text.isEmpty)
  }

  @Test func `is a refresh that does what it likes`() async throws {
    let server = try Server { $0.quirks = [.scopeIgnored, .noRefreshToken] }
    let token = await server.signIn()["refresh_token"]
    for _ in 0..<2 {
      let answer = await server.refresh(token, scope: "\(Server.second)/Notes.Read")
      #expect(answer.status == 200 && answer["refresh_token"].isEmpty)
      #expect(answer["scope"].hasPrefix("\(Server.first)/Items.Read"))
    }
  }

  @Test func `is a time that is not true`() async throws {
    let server = try Server { $0.quirks = [.expiryLies, .numbersAsText] }
    let answer = await server.signIn()
    #expect(answer["expires_in"] == "3600")
    server.clock.advance(3)
    #expect(await server.get("/api1/items", token: answer["access_token"]).status == 401)
    server.server.faults.set([.emptyUnauthorized])
    let empty = await server.get("/api1/items", token: answer["access_token"])
    #expect(empty.status == 401 && empty.text.isEmpty && empty.response.header("WWW-Authenticate") == nil)
    server.server.faults.set([.badRequestForExpired])
    let bad = await server.get("/api1/items", token: answer["access_token"])
    #expect(bad.status == 400 && bad["error"] == "access_denied")
  }

  @Test func `is an API that asks for claims`() async throws {
    let server = try Server { $0.quirks = [.asksForClaims] }
    let tokens = await server.signIn()
    let refused = await server.get("/api1/items", token: tokens["access_token"])
    let challenge = try #require(refused.response.header("WWW-Authenticate"))
    #expect(refused.status == 401 && challenge.contains("error=\"insufficient_claims\""))
    let encoded = try #require(challenge.split(separator: "claims=\"").last).prefix { $0 != "\"" }
    let claims = String(decoding: try #require(Base64.decode(encoded)), as: UTF8.self)
    let more = await server.post(
      "/local/oauth2/v2.0/token",
      [
        "client_id": Server.client, "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"],
        "claims": claims,
      ])
    #expect(await server.get("/api1/items", token: more["access_token"]).status == 200)
    let bad = await server.post(
      "/local/oauth2/v2.0/token",
      [
        "client_id": Server.client, "grant_type": "password", "username": Server.ada, "password": Server.password,
        "claims": "{",
      ])
    #expect(bad.row == "invalid_request 90100")
  }

  @Test func `is a response with less than was asked for`() async throws {
    let server = try Server { $0.quirks = [.fewerScopes, .opaqueTokens] }
    let answer = await server.signIn(scope: "\(Server.first)/.default")
    #expect(answer["scope"] == "\(Server.first)/Items.Read openid profile offline_access")
    #expect(!answer["access_token"].contains("."))
    #expect(await server.get("/api1/items", token: answer["access_token"]).status == 200)
    server.server.faults.set([.bareResponse])
    let bare = await server.signIn()
    #expect(bare.json.objectValue?.keys == ["token_type", "access_token"])
  }
}
