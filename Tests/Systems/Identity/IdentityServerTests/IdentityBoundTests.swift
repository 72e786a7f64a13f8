import Glibc
import HTTPServer
import JSON
import TestSupport
import Testing
import Text

@testable import IdentityServer

private typealias Server = TestedServer

@Suite(.timeLimit(.minutes(1)))
struct `The bounds of what the server takes` {
  @Test func `are 64 parameters in 65536 bytes`() throws {
    let many = (0..<64).map { "p\($0)=\($0)" }.joined(separator: "&")
    #expect(try Form(many)["p63"] == "63")
    #expect(throws: OAuthFailure.self) { try Form(many + "&q=") }
    let longest = "a=" + String(repeating: "x", count: 65_534)
    #expect(try Form(longest)["a"]?.count == 65_534)
    #expect(throws: OAuthFailure.self) { try Form(longest + "x") }
    let form = try Form("a&b=&c=1=2&&d=%C3%A9+x")
    #expect(form["a"] == nil && form["b"] == nil && form["c"] == "1=2" && form["d"] == "é x" && form["e"] == nil)
  }

  @Test func `are 256 bytes of a parameter that has to be there, where nothing else is said`() throws {
    let longest = String(repeating: "é", count: 128)
    let form = try Form("a=\(longest)&b=\(longest)a&c=")
    #expect(try form.required("a") == longest)
    #expect(throws: OAuthFailure.self) { try form.required("b") }
    #expect(try form.required("b", limit: 257) == longest + "a")
    #expect(throws: OAuthFailure.self) { try form.required("c") }
  }

  @Test(
    arguments: [
      ("Äb1-efgh", nil), ("Äb1-efg", .tooShort), (String(repeating: "aB1-", count: 64), nil),
      (String(repeating: "aB1-", count: 64) + "x", .tooLong), ("aB1" + String(repeating: "\u{1F600}", count: 253), nil),
      ("aB1" + String(repeating: "e\u{301}\u{302}", count: 204) + "x", nil),
      ("aB1" + String(repeating: "e\u{301}\u{302}", count: 204) + "xy", .tooLong), ("abcdefg1", .tooWeak),
      ("abcdefG1", nil), ("abcdef-1", nil), ("ABCDEF-1", nil), ("abcdefG-", nil), ("12345678", .banned),
      ("A-QwertyUI-1", .banned), ("aB1-efg\u{1F}", .isInvalid), ("aB1-efg ", nil), ("aB1-efg\u{7F}", .isInvalid),
    ] as [(String, PasswordPolicy.Fault?)])
  func `are those of a password, in characters and in bytes`(password: String, fault: PasswordPolicy.Fault?) {
    #expect(PasswordPolicy().fault(of: password) == fault)
  }

  @Test func `are those of an attribute`() {
    let text = AttributeRule("a", pattern: "[a-zé]+")
    let longest = String(repeating: "é", count: 128)
    #expect(text.allows(.string(longest)) && !text.allows(.string(longest + "a")))
    #expect(!text.allows("") && !text.allows("aB") && !text.allows(1) && !text.allows(true) && !text.allows(.null))
    let flag = AttributeRule("a", type: "boolean")
    #expect(flag.allows(true) && flag.allows("true") && flag.allows("false"))
    #expect(!flag.allows("yes") && !flag.allows(1))
    let number = AttributeRule("a", type: "number")
    #expect(number.allows(1) && number.allows(1.5) && !number.allows(true))
  }

  @Test func `are 4096 bytes of scopes, each known`() throws {
    let resources = ProtectedResource.samples
    let padding = String(repeating: " ", count: 4_090)
    #expect(try ScopeRequest(padding + "openid", resources: resources).identity == ["openid"])
    #expect(throws: OAuthFailure.self) { try ScopeRequest(padding + " openid", resources: resources) }
    let all = try ScopeRequest("\(Server.first)/.default offline_access openid", resources: resources)
    #expect(all.granted == ["Items.Read", "Items.Write"] && all.identity == ["openid", "offline_access"])
    #expect(all.reduced.granted == ["Items.Read"])
    #expect(try ScopeRequest("openid", resources: resources).reduced.granted == ["openid"])
    let two = try ScopeRequest("\(Server.first)/items.write \(Server.first)/Items.Read", resources: resources)
    #expect(two.granted == ["Items.Read", "Items.Write"] && !two.isEmpty)
    #expect(throws: OAuthFailure.self) { try ScopeRequest("\(Server.first)/\u{301}Items.Read", resources: resources) }
  }

  @Test func `are those of a hash in a file`() {
    func isOne(_ salt: Int, _ hash: Int, _ cost: String = "ln=4,r=8,p=1") -> Bool {
      func text(_ count: Int) -> String {
        String(Base64.encode([UInt8](repeating: 1, count: count)).prefix { $0 != "=" })
      }
      return PasswordHash(parsing: "$scrypt$\(cost)$\(text(salt))$\(text(hash))") != nil
    }
    #expect(isOne(8, 16) && isOne(64, 64) && isOne(16, 32))
    #expect(!isOne(7, 16) && !isOne(8, 15) && !isOne(65, 64) && !isOne(64, 65))
    #expect(isOne(8, 16, "ln=1,r=32,p=16") && !isOne(8, 16, "ln=0,r=8,p=1") && !isOne(8, 16, "ln=20,r=8,p=1"))
  }

  @Test(arguments: [
    ("a@" + String(repeating: "é", count: 125) + "x.de", "email", true),
    ("a@" + String(repeating: "é", count: 125) + "xy.de", "email", false), ("a@b.de.", "email", false),
    ("a*@b.de", "email", false), ("a@b\u{FF00}.de", "email", false), ("@", "email", false), ("a@.", "email", false),
    ("+123456", "sms", true), ("+12345", "sms", false), ("+12 3456", "sms", false), ("+1234567*", "sms", false),
    ("a@b.de", "sms", false), ("a*\u{301}@b.de", "email", false), ("a@\u{301}b@c.de", "email", false),
    ("a@.\u{301}b.de", "email", false), ("a\u{301}@b\u{301}.de", "email", true),
  ])
  func `are those of a contact`(contact: String, channel: String, isOne: Bool) {
    #expect(IdentityService.isContact(contact, channel: channel) == isOne)
  }

  @Test func `are ten years of every lifetime`() {
    let paths: [WritableKeyPath<IdentityServer.Lifetimes, Int64>] = [
      \.accessToken, \.idToken, \.refreshToken, \.continuation, \.oneTimeCode, \.authorizationCode, \.deviceCode,
      \.deviceInterval, \.pollInterval, \.resendInterval,
    ]
    for path in paths {
      let cases: [(Int64, Int64)] = [(-1, 0), (0, 0), (315_360_000, 315_360_000), (315_360_001, 315_360_000)]
      for (given, taken) in cases {
        var lifetimes = IdentityServer.Lifetimes()
        lifetimes[keyPath: path] = given
        #expect(lifetimes.bounded[keyPath: path] == taken)
      }
    }
  }

  @Test func `are 200 codes in memory, the newest of them a recipient's`() throws {
    let outbox = try CodeOutbox(file: nil)
    for number in 1...201 {
      outbox.add(.init(recipient: "A\(number % 2)@x", channel: "email", code: "\(number)", purpose: "mfa", sentAt: 0))
      #expect(outbox.messages.count == min(number, 200))
    }
    #expect(outbox.messages.first?.code == "2" && outbox.messages.last?.code == "201")
    #expect(outbox.code(for: "a1@X") == "201" && outbox.code(for: "a0@x") == "200" && outbox.code(for: "a2@x") == nil)
  }

  @Test func `are 4 MiB of codes in a file`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("", to: "outbox")
    #expect(truncate(file, (4 << 20) - 1) == 0)
    let outbox = try CodeOutbox(file: file)
    let message = CodeOutbox.Message(recipient: "a@x", channel: "email", code: "1", purpose: "mfa", sentAt: 0)
    let line = Int64("\(message.value)\n".utf8.count)
    for _ in 0..<2 {
      outbox.add(message)
      #expect(size(of: file) == (4 << 20) - 1 + line)
    }
    #expect(outbox.messages.count == 2)
    #expect(mode(of: file) == 0o600)
    #expect(truncate(file, 4 << 20) == 0)
    outbox.add(message)
    #expect(size(of: file) == 4 << 20)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A sign-in that goes wrong first` {
  private func post(_ server: Server, _ path: String, _ token: String, _ more: KeyValuePairs<String, String> = [:])
    async -> Answer
  {
    let fields = Server.form(["client_id": Server.client, "continuation_token": token])
    return await server.send("POST", "/local/\(path)", body: "\(fields)&\(Server.form(more))")
  }

  /// The token of each flow that waits for a code, the path that takes the code, and to whom it was sent.
  private func waiting(_ flow: String, _ server: Server) async -> (token: String, path: String, recipient: String) {
    let types = "password oob redirect"
    func begun(_ path: String, _ username: String) async -> String {
      await server.post(
        "/local/\(path)", ["client_id": Server.client, "username": username, "challenge_type": types]
      ).continuation
    }
    switch flow {
    case "oob":
      let token = await server.challenge(await begun("oauth2/v2.0/initiate", Server.bob)).continuation
      return (token, "oauth2/v2.0/token", Server.bob)
    case "mfa_oob":
      let needed = await server.signIn(Server.eve)
      let token = await server.challenge(needed.continuation, id: "email-1").continuation
      return (token, "oauth2/v2.0/token", Server.eve)
    case "signup":
      let new = "new@example.com"
      let token = await post(
        server, "signup/v1.0/challenge", await begun("signup/v1.0/start", new), ["challenge_type": types])
      return (token.continuation, "signup/v1.0/continue", new)
    case "reset":
      let token = await post(
        server, "resetpassword/v1.0/challenge", await begun("resetpassword/v1.0/start", Server.ada),
        ["challenge_type": types])
      return (token.continuation, "resetpassword/v1.0/continue", Server.ada)
    default:
      let needed = await server.signIn(Server.kim)
      let token = await post(
        server, "register/v1.0/challenge", needed.continuation,
        ["challenge_type": "oob", "challenge_channel": "sms", "challenge_target": "+491719999"])
      return (token.continuation, "register/v1.0/continue", "+491719999")
    }
  }

  private static let flows = ["oob", "mfa_oob", "signup", "reset", "register"]

  @Test(arguments: flows) func `takes the last try of a code, and none after it`(flow: String) async throws {
    for wrong in [1, 2] {
      let server = try Server {
        $0.limits.triesOfCode = 2
        $0.signUpNeedsPassword = false
      }
      let (token, path, recipient) = await waiting(flow, server)
      let code = try #require(server.server.outbox.code(for: recipient))
      let grant = flow == "mfa_oob" ? flow : "oob"
      for number in 1...wrong {
        let row = await post(server, path, token, ["grant_type": grant, "oob": "0"]).row
        #expect(row == "invalid_grant \(number == 2 ? 50_184 : 50_181) invalid_oob_value")
      }
      let answer = await post(server, path, token, ["grant_type": grant, "oob": code])
      #expect((answer.status == 200) == (wrong == 1), "\(answer.row)")
      if wrong == 2 { #expect(answer.row == "invalid_grant 50184 invalid_oob_value") }
    }
  }

  @Test(arguments: flows) func `takes a code until its time is over`(flow: String) async throws {
    for (seconds, isGood) in [(99, true), (100, false)] as [(Int64, Bool)] {
      let server = try Server {
        $0.lifetimes.oneTimeCode = 100
        $0.signUpNeedsPassword = false
      }
      let (token, path, recipient) = await waiting(flow, server)
      let code = try #require(server.server.outbox.code(for: recipient))
      server.clock.advance(seconds)
      let grant = flow == "mfa_oob" ? flow : "oob"
      let answer = await post(server, path, token, ["grant_type": grant, "oob": code])
      #expect((answer.status == 200) == isGood, "\(answer.row)")
      if !isGood { #expect(answer.row == "invalid_grant 50184 invalid_oob_value") }
    }
  }

  @Test func `counts wrong passwords anew after a right one`() async throws {
    let server = try Server { $0.limits.failures = 3 }
    for _ in 0..<3 {
      let token = await server.passwordAsked()
      for _ in 0..<2 {
        #expect(await server.token("password", "password", "wrong", token).row == "invalid_grant 50126")
      }
      #expect(await server.token("password", "password", Server.password, token).status == 200)
    }
  }

  @Test func `makes one account of two sign-ups at a time`() async throws {
    let server = try Server { $0.signUpNeedsPassword = false }
    let first = await waiting("signup", server)
    let code = try #require(server.server.outbox.code(for: first.recipient))
    let second = await waiting("signup", server)
    let other = try #require(server.server.outbox.code(for: second.recipient))
    #expect(await post(server, first.path, first.token, ["grant_type": "oob", "oob": code]).status == 200)
    let user = try #require(await server.server.user(first.recipient))
    let late = await post(server, second.path, second.token, ["grant_type": "oob", "oob": other])
    #expect(late.row == "user_already_exists 1003037")
    #expect(await server.server.user(first.recipient)?.id == user.id)
  }

  @Test func `has a new password that lifts the duty to choose one, and is remembered for two more`() async throws {
    let server = try Server {
      $0.pollsOfReset = 0
      $0.limits.codes = 100
    }
    var stale = try #require(await server.server.user("stale@example.com"))
    stale.username = Server.ada
    stale.id = try #require(await server.server.user(Server.ada)?.id)
    await server.server.put(stale)
    func reset(_ password: String) async throws -> Answer {
      let sent = await waiting("reset", server)
      let code = try #require(server.server.outbox.code(for: Server.ada))
      let proven = await post(server, sent.path, sent.token, ["grant_type": "oob", "oob": code])
      return await post(server, "resetpassword/v1.0/submit", proven.continuation, ["new_password": password])
    }
    #expect(await server.signIn().row == "invalid_request 50142")
    #expect(try await reset("Brand-New-1").status == 200)
    #expect(await server.token("password", "password", "Brand-New-1", await server.passwordAsked()).status == 200)
    #expect(try await reset("Brand-New-2").status == 200)
    for known in [Server.password, "Brand-New-1", "Brand-New-2"] {
      #expect(try await reset(known).row == "invalid_grant 399246 password_recently_used", "\(known)")
    }
    #expect(try await reset("Brand-New-3").status == 200)
    #expect(try await reset("Brand-New-1").row == "invalid_grant 399246 password_recently_used")
    #expect(try await reset(Server.password).status == 200, "three passwords are remembered")
  }

  @Test func `registers the address that it was proven with, without a code`() async throws {
    let server = try Server()
    var kim = try #require(await server.server.user(Server.kim))
    kim.password = nil
    await server.server.put(kim)
    let begun = await server.post(
      "/local/oauth2/v2.0/initiate",
      [
        "client_id": Server.client, "username": Server.kim, "challenge_type": "oob redirect",
        "capabilities": "registration_required",
      ])
    let sent = await server.challenge(begun.continuation)
    let code = try #require(server.server.outbox.code(for: Server.kim))
    let needed = await server.token("oob", "oob", code, sent.continuation)
    #expect(needed.row == "invalid_grant 50079 registration_required")
    let count = server.server.outbox.messages.count
    let known = await post(
      server, "register/v1.0/challenge", needed.continuation,
      ["challenge_type": "oob", "challenge_target": "KIM@example.com"])
    #expect(known["challenge_type"] == "preverified" && server.server.outbox.messages.count == count)
    let wrong = await post(server, "register/v1.0/continue", known.continuation, ["grant_type": "oob", "oob": "1"])
    #expect(wrong.row == "unsupported_grant_type 70003")
    let proven = await post(
      server, "register/v1.0/continue", known.continuation, ["grant_type": "continuation_token"])
    let tokens = await server.token("continuation_token", "username", Server.kim, proven.continuation)
    #expect(tokens.status == 200 && tokens.claims("access_token")["amr"] == ["otp", "mfa"])
    #expect(await server.server.user(Server.kim)?.methods.map(\.target) == ["KIM@example.com"])
    // With a password alone the same address is asked for a code.
    let other = try Server()
    let asked = await other.signIn(Server.kim)
    let coded = await post(
      other, "register/v1.0/challenge", asked.continuation,
      ["challenge_type": "oob", "challenge_target": Server.kim])
    #expect(coded["challenge_type"] == "oob")
  }

  @Test func `registers no contact of somebody whose contacts are blocked`() async throws {
    let server = try Server()
    var kim = try #require(await server.server.user(Server.kim))
    kim.isContactBlocked = true
    await server.server.put(kim)
    let asked = await server.signIn(Server.kim)
    let refused = await post(
      server, "register/v1.0/challenge", asked.continuation,
      ["challenge_type": "oob", "challenge_target": Server.kim])
    #expect(refused.row == "access_denied 550021 provider_blocked_by_rep")
    #expect(server.server.outbox.messages.isEmpty)
  }
}
