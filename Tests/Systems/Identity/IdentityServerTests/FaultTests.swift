import HTTPClient
import HTTPServer
import JSON
import TestSupport
import Testing
import WebTokens

@testable import IdentityServer

private typealias Server = TestedServer

@Suite(.timeLimit(.minutes(1)))
struct `A fault of the server` {
  @Test func `comes as often as it was asked for`() async throws {
    let server = try Server { $0.faults = ["/local/oauth2/v2.0/initiate=503*2", "/api1=429"] }
    for _ in 0..<2 {
      let answer = await server.post("/local/oauth2/v2.0/initiate", [:])
      #expect(answer.status == 503 && answer["error"] == "temporarily_unavailable")
      #expect(answer.response.header("Retry-After") == "1")
    }
    #expect(await server.post("/local/oauth2/v2.0/initiate", [:]).status == 400)
    #expect(await server.get("/api1/x").status == 429)
  }

  @Test(arguments: [
    "", "token", "token=", "=503", "token=200", "token=503*0", "token=503*x", "token=slow:x", "token=503*1*1",
  ])
  func `in other words is refused`(words: String) {
    #expect(throws: IdentityServerError.self) { try Server { $0.faults = [words] } }
  }

  @Test(arguments: [
    ("400", true), ("599", true), ("399", false), ("600", false), ("503*1", true), ("503*1000000", true),
    ("503*1000001", false), ("slow:0", true), ("slow:600000", true), ("slow:600001", false), ("slow:-1", false),
  ])
  func `is of a status, a time and a number within bounds`(words: String, isTaken: Bool) {
    let faults = IdentityFaults(quirks: [])
    #expect(((try? faults.add("token=\(words)")) != nil) == isTaken)
    #expect((faults.next(for: "/local/token") != nil) == isTaken && faults.next(for: "/keys") == nil)
  }

  @Test func `is gone with all others, and with every deviation, when they are cleared`() {
    let faults = IdentityFaults(quirks: [.opaqueTokens])
    for _ in 0..<2 {
      faults.add(.page, at: "token", count: 9)
      faults.set([.resetFails])
      #expect(faults.next(for: "/token") == .page && faults.has(.resetFails) && !faults.has(.opaqueTokens))
      faults.clear()
      #expect(faults.next(for: "/token") == nil && !faults.has(.resetFails))
    }
  }

  @Test func `may be a page, a cut text or an end of the connection`() async throws {
    let server = try Server()
    let client = HTTPClient.patient
    try await server.server.withRunning { address in
      server.server.faults.add(.page, at: "keys")
      server.server.faults.add(.cut, at: "keys")
      // The library tries once more when a connection that it used before ends.
      server.server.faults.add(.dropped, at: "keys", count: 2)
      server.server.faults.add(.halved, at: "keys")
      server.server.faults.add(.slow(.milliseconds(1)), at: "keys")
      let url = "\(address.url)/discovery/v2.0/keys"
      let page = try await client.send(HTTPRequest("GET", url))
      #expect(page.status == 200 && page.headers["Content-Type"]?.hasPrefix("text/html") == true)
      let cut = try await client.send(HTTPRequest("GET", url))
      #expect(throws: JSONError.self) { try JSONCoding.parse(cut.body) }
      await #expect(throws: HTTPError.self) { try await client.send(HTTPRequest("POST", url, body: [1])) }
      await #expect(throws: HTTPError.self) { try await client.send(HTTPRequest("GET", url)) }
      let slow = try await client.send(HTTPRequest("GET", url))
      #expect(slow.status == 200)
    }
  }

  @Test func `behind the request spends what the request spends`() async throws {
    let server = try Server()
    let token = await server.signIn()["refresh_token"]
    server.server.faults.add(.droppedAfter, at: "token")
    _ = await server.refresh(token)
    #expect(await server.refresh(token).row == "invalid_grant 50173")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An identity server` {
  @Test func `is reached at its address, which tokens name as their issuer`() async throws {
    let server = try Server()
    let client = HTTPClient.patient
    try await server.server.withRunning { address in
      let sent = try await client.send(
        HTTPRequest(
          "POST", "\(address.url)/local/oauth2/v2.0/token",
          headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
          body: Array(
            Server.form([
              "client_id": Server.client, "grant_type": "password", "username": Server.ada,
              "password": Server.password, "scope": "\(Server.first)/Items.Read",
            ]).utf8)))
      let body = try JSONCoding.parse(sent.body)
      let token = try #require(body["access_token"]?.stringValue)
      let claims = try JSONCoding.parse(CompactToken(token).unverifiedPayload)
      #expect(claims["iss"] == .string("\(address.url)/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0"))
      let called = try await client.send(
        HTTPRequest("GET", "\(address.url)/api1/x", headers: ["Authorization": "Bearer \(token)"]))
      #expect(called.status == 200)
      let large = try await client.send(
        HTTPRequest("POST", "\(address.url)/oauth2/v2.0/token", body: [UInt8](repeating: 65, count: 65_537)))
      #expect(large.status == 413)
    }
  }

  @Test func `shows codes at loopback only, to who has the secret, and keeps them in a file of its owner`() async throws
  {
    let directory = try TemporaryDirectory()
    let file = directory.file("outbox")
    let server = try Server {
      $0.outboxFile = file
      $0.outboxSecret = "secret"
    }
    let begun = await server.post(
      "/local/oauth2/v2.0/initiate",
      ["client_id": Server.client, "username": Server.bob, "challenge_type": "oob redirect"])
    _ = await server.challenge(begun.continuation)
    let code = try #require(server.server.outbox.code(for: Server.bob))
    #expect(await server.get("/outbox", token: "secret").json["messages"]?[0]?["code"] == .string(code))
    for wrong in [nil, "", "secre", "secret ", "owner"] {
      let refused = await server.get("/outbox", token: wrong)
      #expect(refused.status == 401 && refused.json["messages"] == nil)
    }
    #expect(try fileText(file).contains("\"code\":\"\(code)\""))
    #expect(mode(of: file) == 0o600)
    let open = try Server {
      $0.host = "0.0.0.0"
      $0.outboxSecret = "secret"
    }
    #expect(await open.get("/outbox", token: "secret").status == 404)
    #expect(throws: IdentityServerError.self) { try Server { $0.outboxFile = directory.path } }
  }

  @Test func `shows codes to nobody where its secret is empty, or where two are given`() async throws {
    let closed = try Server { $0.outboxSecret = "" }
    for token in [nil, ""] { #expect(await closed.get("/outbox", token: token).status == 401) }
    let server = try Server { $0.outboxSecret = "secret" }
    let field = ServerField("Authorization", "Bearer secret")
    #expect(await server.send("GET", "/outbox", headers: [field]).status == 200)
    #expect(await server.send("GET", "/outbox", headers: [field, field]).status == 401)
  }

  @Test func `takes users whose names and contacts have 1 to 256 bytes`() throws {
    let directory = try TemporaryDirectory()
    func user(_ name: String, _ channel: String = "email", _ target: String = "a@b.de") -> IdentityUser? {
      let methods: JSONValue = [["channel": .string(channel), "target": .string(target)]]
      let root: JSONValue = ["users": [["username": .string(name), "methods": methods]]]
      return try? UsersFile.read(directory.write(root.description, to: "users.json")).first
    }
    let longest = String(repeating: "é", count: 128)
    for (text, isTaken) in [("", false), ("a", true), (longest, true), (longest + "a", false)] {
      #expect((user(text) != nil) == isTaken, "\(text.utf8.count)")
      #expect((user("a", "sms", text) != nil) == isTaken, "\(text.utf8.count)")
    }
    #expect(user("a", "fax")?.username == nil)
    #expect(user("a")?.methods == [IdentityUser.Method(id: "email-1", channel: "email", target: "a@b.de")])
  }

  @Test func `reads users from a file`() async throws {
    let directory = try TemporaryDirectory()
    let hash = try PasswordHash("From-A-File-1", cost: Server.cheap, salt: Array(1...16))
    let file = try directory.write(
      "{\"users\":[{\"username\":\"file@example.com\",\"password\":\"\(hash.text)\",\"name\":\"File\"}]}", to: "users")
    let server = try Server { $0.usersFile = file }
    let tokens = await server.token(
      "password", "password", "From-A-File-1", await server.passwordAsked("file@example.com"))
    #expect(tokens.claims("id_token")["name"] == "File")
    #expect("\(hash)" == "<redacted>" && PasswordHash(parsing: hash.text) == hash)
  }

  @Test func `makes an account anew under its name, and leaves it its identifier`() async throws {
    let server = try Server()
    let token = await server.signIn()["refresh_token"]
    let id = try #require(await server.server.user(Server.ada)?.id)
    var ada = IdentityUser(username: "ADA@example.com")
    ada.name = "Countess"
    await server.server.put(ada)
    let found = await server.server.user(Server.ada)
    #expect(found?.id == id && found?.name == "Countess" && found?.password == nil)
    #expect(await server.refresh(token).claims("id_token")["name"] == "Countess")
    await server.server.put(IdentityUser(username: "new@example.com"))
    let other = await server.server.user("new@example.com")
    #expect(other?.id.isEmpty == false && other?.id != id)
  }

  @Test(arguments: [
    ("{", "users"), ("{}", "not an array"), ("{\"users\":[1]}", "users[0]"), ("{\"users\":[{}]}", "users[0].username"),
    ("{\"users\":[{\"username\":\"a\",\"password\":\"plain\"}]}", "users[0].password"),
    ("{\"users\":[{\"username\":\"a\",\"pasword\":\"x\"}]}", "pasword"),
    ("{\"users\":[{\"username\":\"a\",\"mfa\":1}]}", "users[0].mfa"),
    ("{\"users\":[{\"username\":\"a\"},{\"username\":\"A\"}]}", "two users"),
    (
      "{\"users\":[{\"username\":\"a\",\"password\":\"$scrypt$ln=40,r=8,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA\"}]}",
      "scrypt"
    ),
  ])
  func `says what is wrong with a file of users`(text: String, place: String) throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(text, to: "users.json")
    let error = #expect(throws: IdentityServerError.self) { try Server { $0.usersFile = file } }
    #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
  }

  @Test func `does not start without its key`() throws {
    let error = #expect(throws: IdentityServerError.self) { try Server { $0.signingKeyFile = "/nonexistent" } }
    #expect(error?.message.contains("/nonexistent") == true)
  }

  @Test func `keeps no more of anything than it may`() async throws {
    let server = try Server { $0.limits.entries = 4 }
    let oldest = await server.passwordAsked()
    for _ in 0..<4 { _ = await server.passwordAsked() }
    #expect(await server.token("password", "password", Server.password, oldest).row == "invalid_request 55200")
  }

  /// Whatever comes, it is an answer, and no fault of the server's.
  @Test func `has an answer to everything`() async throws {
    let server = try Server()
    var random = SystemRandomNumberGenerator()
    let paths = [
      "oauth2/v2.0/initiate", "oauth2/v2.0/challenge", "oauth2/v2.0/introspect", "oauth2/v2.0/token",
      "oauth2/v2.0/authorize", "oauth2/v2.0/devicecode", "oauth2/v2.0/introspection", "oauth2/v2.0/revoke",
      "signup/v1.0/start", "signup/v1.0/continue", "resetpassword/v1.0/submit", "register/v1.0/challenge", "device",
      "userinfo", "api1", "..", "%00", "",
    ]
    let names = [
      "client_id", "continuation_token", "grant_type", "challenge_type", "username", "oob", "attributes", "scope",
    ]
    let values = [
      Server.client, "oob redirect", "password oob redirect", Server.ada, "refresh_token", "%00", "%F0%9F%98%80", "",
      "{\"a\":1e999}", String(repeating: "a/", count: 3_000), "new@example.com", "\u{202E}",
    ]
    for _ in 0..<2_000 {
      let body = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        "\(names.randomElement(using: &random) ?? "")=\(values.randomElement(using: &random) ?? "")"
      }.joined(separator: "&")
      let path = paths.randomElement(using: &random) ?? ""
      let method = ["GET", "POST", "PUT", "OPTIONS"].randomElement(using: &random) ?? ""
      let answer = await server.send(method, "/local/\(path)?\(body)", body: body)
      #expect((200..<500).contains(answer.status), "\(method) \(path) \(body)")
    }
  }

  @Test func `logs what happened and no parameter`() async throws {
    let lines = Lines()
    let server = try Server { $0.log = { lines.add($0) } }
    let tokens = await server.signIn()
    _ = await server.get("/api1/x?token=\(tokens["access_token"])", token: tokens["access_token"])
    #expect(lines.all.contains("POST oauth2/v2.0/token 200") && lines.all.contains("GET api1/x 200"))
    let everything = lines.all.joined()
    for secret in [Server.password, tokens["access_token"], tokens["refresh_token"], Server.ada] {
      #expect(!everything.contains(secret))
    }
  }
}
