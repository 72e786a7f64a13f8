import Cryptography
import Glibc
import JSON
import Testing

@testable import IdentityServer

private typealias Server = TestedServer

/// What the public libraries of native authentication send: those for browsers, iOS and Android.
@Suite(.timeLimit(.minutes(1)))
struct `A public client of native authentication` {
  private func post(_ server: Server, _ path: String, _ token: String, _ more: KeyValuePairs<String, String> = [:])
    async -> Answer
  {
    let fields = Server.form(["client_id": Server.client, "continuation_token": token])
    return await server.send("POST", "/local/\(path)", body: "\(fields)&\(Server.form(more))")
  }

  private func begin(_ server: Server, _ path: String, _ username: String) async -> String {
    await server.post(
      "/local/\(path)",
      [
        "client_id": Server.client, "username": username, "challenge_type": "password oob redirect",
        "capabilities": "mfa_required registration_required",
      ]
    ).continuation
  }

  private func code(_ server: Server, _ recipient: String) throws -> String {
    try #require(server.server.outbox.code(for: recipient))
  }

  @Test func `polls with one token until the new password is set`() async throws {
    let server = try Server { $0.pollsOfReset = 3 }
    let begun = await begin(server, "resetpassword/v1.0/start", Server.ada)
    let sent = await post(server, "resetpassword/v1.0/challenge", begun, ["challenge_type": "oob redirect"])
    let proven = await post(
      server, "resetpassword/v1.0/continue", sent.continuation,
      ["grant_type": "oob", "oob": try code(server, Server.ada)])
    let submitted = await post(
      server, "resetpassword/v1.0/submit", proven.continuation, ["new_password": "Brand-New-77"])
    var statuses: [String] = []
    var last = submitted
    for _ in 0..<4 {
      last = await post(server, "resetpassword/v1.0/poll_completion", submitted.continuation)
      statuses.append(last["status"])
    }
    #expect(statuses == ["not_started", "not_started", "in_progress", "succeeded"])
    #expect(await server.token("continuation_token", "username", Server.ada, last.continuation).status == 200)
    // Success has spent it.
    #expect(
      await post(server, "resetpassword/v1.0/poll_completion", submitted.continuation).row == "invalid_request 55200")
  }

  @Test(arguments: [
    ("oauth2/v2.0/initiate", "oauth2/v2.0/challenge", TestedServer.bob),
    ("signup/v1.0/start", "signup/v1.0/challenge", "new@example.com"),
    ("resetpassword/v1.0/start", "resetpassword/v1.0/challenge", TestedServer.ada),
  ])
  func `asks for a code, and for another, with the token that it began with`(
    start: String, challenge: String, user: String
  ) async throws {
    let server = try Server()
    let begun = await begin(server, start, user)
    let first = await post(server, challenge, begun, ["challenge_type": "password oob redirect"])
    let second = await post(server, challenge, begun, ["challenge_type": "password oob redirect"])
    #expect(first.status == 200 && second.status == 200, "\(second.row)")
    #expect(first.continuation != second.continuation)
  }

  @Test func `begins again after a new password, where the old one was right`() async throws {
    let server = try Server { $0.limits.codes = 100 }
    let needed = await server.signIn(Server.eve)
    #expect(needed.row == "invalid_grant 50076 mfa_required")
    let untouched = await server.passwordAsked(Server.eve)
    #expect(await server.reset(Server.eve, to: "Brand-New-77").status == 200)
    #expect(await server.challenge(needed.continuation, id: "email-1").row == "invalid_request 55200")
    let right = await server.token("password", "password", "Brand-New-77", untouched)
    #expect(right.row == needed.row)
  }

  @Test func `chooses another second factor with the token that offered them`() async throws {
    let server = try Server()
    let asked = await server.token("password", "password", Server.password, await server.passwordAsked(Server.eve))
    for _ in 0..<2 {
      let offered = await post(server, "oauth2/v2.0/introspect", asked.continuation)
      #expect(offered.status == 200, "\(offered.row)")
      for id in ["email-1", "sms-1"] {
        let sent = await server.challenge(offered.continuation, id: id)
        #expect(sent.status == 200, "\(sent.row)")
      }
    }
    let offered = await post(server, "oauth2/v2.0/introspect", asked.continuation)
    let sent = await server.challenge(offered.continuation, id: "sms-1")
    let other = await server.challenge(offered.continuation, id: "email-1")
    let right = try code(server, "+4915112345")
    #expect(await server.token("mfa_oob", "oob", right, sent.continuation).status == 200)
    // The proof has spent every token of this sign-in.
    for token in [asked, offered, other].map(\.continuation) {
      #expect(await server.challenge(token, id: "email-1").row == "invalid_request 55200")
    }
  }

  @Test func `registers another contact with the token that asked for one`() async throws {
    let server = try Server()
    let asked = await server.token("password", "password", Server.password, await server.passwordAsked(Server.kim))
    let offered = await post(server, "register/v1.0/introspect", asked.continuation)
    for _ in 0..<2 {
      let sent = await post(
        server, "register/v1.0/challenge", offered.continuation,
        ["challenge_type": "oob", "challenge_channel": "sms", "challenge_target": "+4915112345"])
      #expect(sent.status == 200, "\(sent.row)")
    }
  }

  @Test func `tries no code more often for having asked twice`() async throws {
    let server = try Server { $0.limits.triesOfCode = 2 }
    let begun = await begin(server, "oauth2/v2.0/initiate", Server.bob)
    let sent = await server.challenge(begun)
    for _ in 0..<2 { _ = await server.token("oob", "oob", "0", sent.continuation) }
    let right = try code(server, Server.bob)
    #expect(await server.token("oob", "oob", right, sent.continuation).status == 400)
    let again = await server.challenge(begun)
    #expect(await server.token("oob", "oob", right, again.continuation).status == 400, "an older code")
    #expect(await server.token("oob", "oob", try code(server, Server.bob), again.continuation).status == 200)
  }

  @Test func `tries no code more often for having asked what there is`() async throws {
    let server = try Server { $0.limits.triesOfCode = 2 }
    let asked = await server.token("password", "password", Server.password, await server.passwordAsked(Server.eve))
    let offered = await post(server, "oauth2/v2.0/introspect", asked.continuation)
    let sent = await server.challenge(offered.continuation, id: "sms-1")
    let copy = await post(server, "oauth2/v2.0/introspect", sent.continuation)
    #expect(copy.status == 200, "\(copy.row)")
    for _ in 0..<2 { _ = await server.token("mfa_oob", "oob", "0", sent.continuation) }
    let right = try code(server, "+4915112345")
    for token in [sent, copy].map(\.continuation) {
      #expect(await server.token("mfa_oob", "oob", right, token).status == 400)
    }
  }

  @Test func `fills its box with a hint that is whole, and none with stars is taken`() async throws {
    let server = try Server()
    let asked = await server.token("password", "password", Server.password, await server.passwordAsked(Server.kim))
    let offered = await post(server, "register/v1.0/introspect", asked.continuation)
    let hints = offered.json["methods"]?.arrayValue?.map { $0["login_hint"]?.stringValue }
    #expect(hints == [Server.kim, nil])
    for (channel, target) in [("email", "k***m@example.com"), ("email", "kim@*.example.com"), ("sms", "+49***51")] {
      let refused = await post(
        server, "register/v1.0/challenge", offered.continuation,
        ["challenge_type": "oob", "challenge_channel": channel, "challenge_target": target])
      #expect(refused.row == "invalid_request 901001")
      #expect(refused["error_description"].contains(channel == "sms" ? "number" : "address"))
    }
    // What is there already is shown to whom it belongs, and no more of it.
    let own = await server.token("password", "password", Server.password, await server.passwordAsked(Server.eve))
    let methods = await post(server, "oauth2/v2.0/introspect", own.continuation).json["methods"]?.arrayValue
    #expect(methods?.first?["login_hint"] == "e***e@example.com")
  }

  @Test func `is told apart from other clients by who the user is to it`() async throws {
    let server = try Server {
      $0.clients.append(IdentityClient(id: "web"))
    }
    var subjects: [JSONValue] = []
    var owners: [JSONValue] = []
    for client in [Server.client, Server.client, "web"] {
      let answer = await server.post(
        "/oauth2/v2.0/token",
        [
          "client_id": client, "grant_type": "password", "username": Server.ada, "password": Server.password,
          "scope": "openid profile offline_access",
        ])
      let claims = answer.claims("id_token")
      subjects.append(claims["sub"] ?? .null)
      owners.append(claims["oid"] ?? .null)
      #expect(claims["sub"] != claims["oid"] && claims["sub"]?.stringValue?.isEmpty == false)
      let userinfo = await server.get("/userinfo", token: answer["access_token"])
      #expect(userinfo.json["sub"] == claims["sub"] && userinfo["preferred_username"] == Server.ada)
      let renewed = await server.post(
        "/oauth2/v2.0/token",
        ["client_id": client, "grant_type": "refresh_token", "refresh_token": answer["refresh_token"]])
      #expect(renewed.claims("id_token")["sub"] == claims["sub"])
    }
    #expect(subjects[0] == subjects[1] && subjects[1] != subjects[2])
    #expect(owners[0] == owners[1] && owners[1] == owners[2])
    #expect(await server.get("/.well-known/openid-configuration").json["subject_types_supported"] == ["pairwise"])
  }

  @Test func `learns from the sign-in page no names of accounts, neither by time nor by a lock`() async throws {
    let server = try Server {
      // As long as with the usual cost, so that a check that is left out is seen.
      $0.users = [IdentityUser(username: Server.bob)]
      $0.users +=
        (try? PasswordHash("right", cost: Scrypt.Cost())).map { [IdentityUser(username: Server.ada, password: $0)] }
        ?? []
      $0.scryptCost = Scrypt.Cost()
    }
    let challenge = String(repeating: "A", count: 43)
    let query = Server.form([
      "client_id": Server.client, "redirect_uri": "http://127.0.0.1:1/", "response_type": "code",
      "code_challenge_method": "S256", "code_challenge": challenge,
    ])
    let page = await server.get("/oauth2/v2.0/authorize?\(query)")
    let request = try #require(page.text.firstMatch(of: #/name="request" value="([^"]+)"/#)?.1)
    var times: [Duration] = []
    for name in [Server.ada, "nobody@example.com", Server.bob] {
      var texts: [String] = []
      let start = try processorTime()
      for _ in 0..<11 {
        let answer = await server.post(
          "/oauth2/v2.0/authorize", ["request": String(request), "username": name, "password": "wrong"])
        texts.append(answer.text.contains("locked") ? "locked" : "wrong")
      }
      times.append(try processorTime() - start)
      #expect(texts == Array(repeating: "wrong", count: 10) + ["locked"], "\(name)")
    }
    #expect(times[1] > times[0] / 4 && times[2] > times[0] / 4, "\(times)")
  }

  @Test(arguments: ["capabilities", "capability"])
  func `may say with its password only what it is able to`(name: String) async throws {
    let server = try Server()
    for (able, row, type) in [
      ("registration_required mfa_required", "invalid_grant 50076 mfa_required", ""),
      ("registration_required", " 0", "redirect"),
    ] {
      let token = await server.passwordAsked(Server.eve, capabilities: "")
      let answer = await post(
        server, "oauth2/v2.0/token", token, ["grant_type": "password", "password": Server.password, name: able])
      #expect(answer.row == row && answer["challenge_type"] == type)
    }
  }

  @Test func `is told to have the password reset as the public libraries expect it`() async throws {
    let server = try Server()
    let asked = await server.passwordAsked("stale@example.com")
    #expect(await server.token("password", "password", Server.password, asked).row == "invalid_request 50142")
  }
}

/// The processor time of this process, of which other programs take nothing.
private func processorTime() throws -> Duration {
  var time = timespec()
  try #require(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
