import Cryptography
import HTTPServer
import JSON
import Testing

@testable import IdentityServer

private typealias Server = TestedServer

@Suite(.timeLimit(.minutes(1)))
struct `A native sign-in` {
  @Test(arguments: ["/local", "/local.onmicrosoft.com", "/AAAABBBB-0000-cccc-1111-dddd2222eeee", ""])
  func `with a password gives tokens`(tenant: String) async throws {
    let server = try Server()
    let begun = await server.post(
      "\(tenant)/oauth2/v2.0/initiate",
      ["client_id": Server.client, "username": "ADA@example.com", "challenge_type": "password redirect"])
    #expect(begun.status == 200 && begun.json.objectValue?.keys == ["continuation_token"])
    let asked = await server.post(
      "\(tenant)/oauth2/v2.0/challenge",
      ["client_id": Server.client, "continuation_token": begun.continuation, "challenge_type": "password redirect"])
    #expect(asked["challenge_type"] == "password")
    let tokens = await server.post(
      "\(tenant)/oauth2/v2.0/token",
      [
        "client_id": Server.client, "grant_type": "password", "password": Server.password,
        "continuation_token": asked.continuation, "scope": "\(Server.first)/Items.Read openid profile offline_access",
        "client_info": "true",
      ])
    #expect(tokens.status == 200 && tokens["token_type"] == "Bearer")
    #expect(tokens["scope"] == "\(Server.first)/Items.Read openid profile offline_access")
    #expect(tokens.json["expires_in"] == 3_600)
    #expect(tokens.claims("access_token")["aud"] == .string(Server.first))
    #expect(tokens.claims("access_token")["scp"] == "Items.Read")
    #expect(tokens.claims("id_token")["aud"] == .string(Server.client))
    #expect(tokens.claims("id_token")["preferred_username"] == "ada@example.com")
    #expect(!tokens["refresh_token"].isEmpty && !tokens["client_info"].isEmpty)
    #expect(tokens.response.header("Cache-Control")?.contains("no-store") == true)
  }

  @Test func `by code sends it to the outbox and takes it once`() async throws {
    let server = try Server()
    let begun = await server.post(
      "/local/oauth2/v2.0/initiate",
      ["client_id": Server.client, "username": Server.bob, "challenge_type": "oob redirect"])
    let sent = await server.challenge(begun.continuation)
    #expect(sent["challenge_type"] == "oob" && sent["binding_method"] == "prompt")
    #expect(sent["challenge_channel"] == "email" && sent["challenge_target_label"] == "b***b@example.com")
    #expect(sent.json["code_length"] == 8 && sent.json["interval"] == 300)
    let old = try #require(server.server.outbox.code(for: Server.bob))
    let again = await server.challenge(sent.continuation)
    #expect(again.continuation != sent.continuation)
    let code = try #require(server.server.outbox.code(for: Server.bob))
    #expect(code != old && code.count == 8)
    let wrong = await server.token("oob", "oob", old, again.continuation)
    #expect(wrong.row == "invalid_grant 50181 invalid_oob_value")
    let tokens = await server.token("oob", "oob", code, again.continuation)
    #expect(tokens.status == 200)
    #expect(tokens.claims("access_token")["amr"] == ["otp"])
    #expect(await server.token("oob", "oob", code, again.continuation).row == "invalid_request 55200")
  }

  @Test func `with a second factor asks for the method and its code`() async throws {
    let server = try Server()
    let needed = await server.signIn(Server.eve)
    #expect(needed.status == 400 && needed.row == "invalid_grant 50076 mfa_required")
    let unasked = await server.challenge(needed.continuation)
    #expect(unasked.row == "invalid_request 550033 introspect_required")
    let methods = await server.post(
      "/local/oauth2/v2.0/introspect", ["client_id": Server.client, "continuation_token": needed.continuation])
    #expect(methods.json["methods"]?[1]?["id"] == "sms-1" && methods.json["methods"]?[1]?["login_hint"] == "***45")
    let sent = await server.challenge(methods.continuation, id: "sms-1")
    #expect(sent["challenge_channel"] == "sms" && sent["challenge_target_label"] == "***45")
    let code = try #require(server.server.outbox.code(for: "+4915112345"))
    #expect(await server.token("oob", "oob", code, sent.continuation).row == "invalid_request 55200")
    let wrong = await server.token("mfa_oob", "oob", "1", sent.continuation)
    #expect(wrong.row == "invalid_grant 50181 invalid_oob_value")
    let tokens = await server.token("mfa_oob", "oob", code, sent.continuation)
    #expect(tokens.status == 200 && tokens.claims("access_token")["amr"] == ["pwd", "otp", "mfa"])
    #expect(await server.refresh(tokens["refresh_token"]).status == 200)
  }

  @Test func `without a second factor registers one`() async throws {
    let server = try Server()
    let needed = await server.signIn(Server.kim)
    #expect(needed.row == "invalid_grant 50079 registration_required")
    let methods = await server.post(
      "/local/register/v1.0/introspect", ["client_id": Server.client, "continuation_token": needed.continuation])
    #expect(methods.json["methods"]?[0]?["challenge_channel"] == "email")
    let bad = await server.post(
      "/local/register/v1.0/challenge",
      [
        "client_id": Server.client, "continuation_token": methods.continuation, "challenge_type": "oob",
        "challenge_channel": "sms", "challenge_target": "none",
      ])
    #expect(bad.row == "invalid_request 901001")
    let sent = await server.post(
      "/local/register/v1.0/challenge",
      [
        "client_id": Server.client, "continuation_token": methods.continuation, "challenge_type": "oob",
        "challenge_channel": "sms", "challenge_target": "+491719999",
      ])
    #expect(sent["challenge_target"] == "+491719999" && sent.json["code_length"] == 8)
    let code = try #require(server.server.outbox.code(for: "+491719999"))
    let proven = await server.post(
      "/local/register/v1.0/continue",
      ["client_id": Server.client, "continuation_token": sent.continuation, "grant_type": "oob", "oob": code])
    let tokens = await server.token("continuation_token", "username", Server.kim, proven.continuation)
    #expect(tokens.status == 200 && tokens.claims("access_token")["amr"] == ["pwd", "mfa"])
    #expect(await server.signIn(Server.kim).row == "invalid_grant 50076 mfa_required")
  }

  @Test func `goes to a browser when the client or the account cannot`() async throws {
    let server = try Server()
    for (username, types) in [
      ("browser@example.com", "password oob redirect"), (Server.ada, "oob redirect"), (Server.bob, "redirect"),
    ] {
      let begun = await server.post(
        "/local/oauth2/v2.0/initiate",
        ["client_id": Server.client, "username": username, "challenge_type": types])
      #expect(begun.status == 200 && begun["challenge_type"] == "redirect" && !begun["redirect_reason"].isEmpty)
    }
    let token = await server.passwordAsked(Server.eve, capabilities: "")
    let answer = await server.token("password", "password", Server.password, token)
    #expect(answer.status == 200 && answer["challenge_type"] == "redirect")
  }

  @Test func `of which each step is taken once, also by many at a time`() async throws {
    // Dear enough for all to have come before the first is done.
    let hash = try PasswordHash(Server.password, cost: .init(logarithm: 14))
    let server = try Server { $0.users.append(IdentityUser(username: "slow@example.com", password: hash)) }
    let token = await server.passwordAsked("slow@example.com")
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { await server.token("password", "password", Server.password, token).status }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 200 } == 1)
  }

  @Test func `that takes too long begins anew`() async throws {
    let server = try Server()
    let token = await server.passwordAsked()
    server.clock.advance(600)
    let late = await server.token("password", "password", Server.password, token)
    #expect(late.row == "expired_token 552003")
    #expect(await server.token("password", "password", Server.password, token).row == "invalid_request 55200")
  }

  @Test func `locks the account after many wrong passwords, for a while`() async throws {
    let server = try Server { $0.limits.failures = 3 }
    let token = await server.passwordAsked()
    for _ in 0..<3 {
      let wrong = await server.token("password", "password", "wrong", token)
      #expect(wrong.row == "invalid_grant 50126")
    }
    let locked = await server.token("password", "password", Server.password, token)
    #expect(locked.row == "invalid_grant 50053" && locked.response.header("Retry-After") == "60")
    server.clock.advance(60)
    #expect(await server.token("password", "password", Server.password, token).status == 200)
  }

  @Test(arguments: [true, false])
  func `lets as many in at a time as have the password, and few that guess`(isRight: Bool) async throws {
    let server = try Server { $0.limits.failures = 3 }
    let password = isRight ? Server.password : "wrong"
    let rows = await withTaskGroup(of: String.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await server.post(
            "/local/oauth2/v2.0/token",
            ["client_id": Server.client, "grant_type": "password", "username": Server.ada, "password": password]
          ).row
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(rows.count { $0 == " 0" } == (isRight ? 20 : 0))
    #expect(rows.count { $0 == "invalid_grant 50126" } == (isRight ? 0 : 3))
  }

  @Test func `takes a code no more after some wrong ones, nor when it is old`() async throws {
    let server = try Server { $0.limits.triesOfCode = 2 }
    for isOld in [false, true] {
      let begun = await server.post(
        "/local/oauth2/v2.0/initiate",
        ["client_id": Server.client, "username": Server.bob, "challenge_type": "oob redirect"])
      let sent = await server.challenge(begun.continuation)
      let code = try #require(server.server.outbox.code(for: Server.bob))
      if isOld {
        server.clock.advance(599)
      } else {
        for _ in 0..<2 { _ = await server.token("oob", "oob", "0", sent.continuation) }
      }
      let answer = await server.token("oob", "oob", code, sent.continuation)
      #expect((answer.status == 200) == isOld)
    }
  }

  @Test func `sends no more codes than it may`() async throws {
    let server = try Server { $0.limits.codes = 2 }
    var token = await server.post(
      "/local/oauth2/v2.0/initiate",
      ["client_id": Server.client, "username": Server.bob, "challenge_type": "oob redirect"]
    ).continuation
    for _ in 0..<2 { token = await server.challenge(token).continuation }
    let refused = await server.challenge(token)
    #expect(refused.status == 429 && refused.response.header("Retry-After") == "60")
    server.clock.advance(60)
    #expect(await server.challenge(token).status == 200)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An error of the identity server` {
  static let rows: [(String, KeyValuePairs<String, String>, String)] = [
    ("oauth2/v2.0/initiate", [:], "invalid_request 900144"),
    ("oauth2/v2.0/initiate", ["client_id": "x"], "unauthorized_client 700016"),
    ("oauth2/v2.0/initiate", ["client_id": "web"], "invalid_client 7000112 nativeauthapi_disabled"),
    ("oauth2/v2.0/initiate", ["client_id": Server.client, "username": Server.ada], "invalid_request 900144"),
    (
      "oauth2/v2.0/initiate", ["client_id": Server.client, "username": Server.ada, "challenge_type": "password"],
      "unsupported_challenge_type 901007"
    ),
    (
      "oauth2/v2.0/initiate", ["client_id": Server.client, "username": Server.ada, "challenge_type": "dance redirect"],
      "invalid_request 90100"
    ),
    (
      "oauth2/v2.0/initiate", ["client_id": Server.client, "username": "no@one", "challenge_type": "oob redirect"],
      "user_not_found 50034"
    ),
    (
      "oauth2/v2.0/challenge", ["client_id": Server.client, "continuation_token": "x", "challenge_type": "redirect"],
      "invalid_request 55200"
    ),
    ("oauth2/v2.0/token", ["client_id": Server.client, "grant_type": "x"], "unsupported_grant_type 70003"),
    (
      "oauth2/v2.0/token", ["client_id": Server.client, "grant_type": "refresh_token", "refresh_token": "x"],
      "invalid_grant 9002313"
    ),
    (
      "oauth2/v2.0/token",
      ["client_id": Server.client, "grant_type": "password", "username": Server.ada, "password": "x"],
      "invalid_grant 50126"
    ),
    (
      "oauth2/v2.0/token",
      ["client_id": Server.client, "grant_type": "password", "username": Server.eve, "password": Server.password],
      "invalid_grant 50076 mfa_required"
    ),
    (
      "oauth2/v2.0/token",
      [
        "client_id": Server.client, "grant_type": "password", "username": "stale@example.com",
        "password": Server.password,
      ],
      "invalid_request 50142"
    ),
    (
      "oauth2/v2.0/token", ["client_id": "web", "grant_type": "password", "username": "x", "password": "x"],
      "unauthorized_client 7000218"
    ),
    (
      "oauth2/v2.0/token",
      [
        "client_id": Server.client, "grant_type": "password", "username": "x", "password": "x",
        "scope": "\(Server.first)/Items.Read \(Server.second)/Notes.Read",
      ], "invalid_scope 28000"
    ),
    (
      "oauth2/v2.0/token",
      ["client_id": Server.client, "grant_type": "password", "username": "x", "password": "x", "scope": "a/b"],
      "invalid_scope 70011"
    ),
    (
      "oauth2/v2.0/token",
      [
        "client_id": Server.client, "grant_type": "password", "username": "x", "password": "x",
        "scope": "\(Server.first)/Items.Admin",
      ], "invalid_grant 65001 consent_required"
    ),
    (
      "oauth2/v2.0/token", ["client_id": Server.client, "grant_type": "authorization_code", "code": "x"],
      "invalid_grant 70008"
    ),
    (
      "oauth2/v2.0/token", ["client_id": Server.client, "grant_type": "device_code", "device_code": "x"],
      "invalid_grant 70000"
    ),
    (
      "signup/v1.0/start",
      ["client_id": Server.client, "username": Server.ada, "challenge_type": "oob password redirect"],
      "user_already_exists 1003037"
    ),
    (
      "signup/v1.0/start",
      ["client_id": Server.client, "username": "nobody", "challenge_type": "oob password redirect"],
      "invalid_request 90100"
    ),
    (
      "resetpassword/v1.0/start",
      ["client_id": Server.client, "username": Server.bob, "challenge_type": "oob redirect"],
      "invalid_request 500222"
    ),
    (
      "resetpassword/v1.0/start", ["client_id": Server.client, "username": "no@one", "challenge_type": "oob redirect"],
      "user_not_found 50034"
    ),
  ]

  @Test(arguments: rows.indices) func `has its row`(index: Int) async throws {
    let (path, fields, row) = Self.rows[index]
    let server = try Server {
      $0.clients.append(IdentityClient(id: "web", isNative: false, allowsPasswordGrant: false))
    }
    let correlation = "01234567-89ab-cdef-0123-456789abcdef"
    let answer = await server.post("/local/\(path)", fields, correlation: correlation)
    #expect(answer.status == 400)
    #expect(answer.row == row)
    let code = answer.codes.first ?? 0
    #expect(answer["error_description"].hasPrefix("AADSTS\(code): "))
    #expect(answer["correlation_id"] == correlation)
    #expect(answer.response.header("client-request-id") == correlation)
    #expect(answer["trace_id"].count == 36 && answer["timestamp"] == "2027-01-15 08:00:00Z")
    #expect(answer["error_uri"].contains("\(code)"))
  }

  @Test func `makes a correlation id when the client's is none`() async throws {
    let server = try Server()
    for id in ["", "x", "<script>", "01234567-89ab-cdef-0123-456789abcdeg", "0123456789abcdef0123456789abcdef0123"] {
      let answer = await server.post("/local/oauth2/v2.0/token", [:], correlation: id)
      #expect(answer["correlation_id"].count == 36 && answer["correlation_id"] != id)
    }
  }

  @Test func `names no secret that was sent`() async throws {
    let server = try Server()
    let token = await server.passwordAsked()
    let answer = await server.token("password", "password", "hunter2-hunter2", token)
    #expect(!answer.text.contains("hunter2") && !answer.text.contains(token))
  }

  @Test func `says which requests a path takes`() async throws {
    let server = try Server()
    let wrong = await server.get("/local/oauth2/v2.0/token")
    #expect(wrong.status == 405 && wrong.response.header("Allow") == "POST")
    #expect(await server.post("/local/discovery/v2.0/keys", [:]).status == 405)
    #expect(await server.get("/local/nothing").status == 404)
    let json = await server.send(
      "POST", "/local/oauth2/v2.0/token", headers: [ServerField("Content-Type", "application/json")], body: "{}")
    #expect(json.row == "invalid_request 900144")
  }

  @Test(arguments: [
    "a=%", "a=%FF", "a=1&a=2", String(repeating: "a", count: 65_537),
    (0..<65).map { "p\($0)=" }.joined(separator: "&"), "client_id=" + String(repeating: "x", count: 257),
    "grant_type=password&client_id=\(TestedServer.client)&username=x&password=" + String(repeating: "x", count: 4_097),
  ])
  func `is the answer to forms that are none or too long`(body: String) async throws {
    let server = try Server()
    let answer = await server.send("POST", "/local/oauth2/v2.0/token", body: body)
    #expect(answer.status == 400 && answer["error"] == "invalid_request")
  }
}
