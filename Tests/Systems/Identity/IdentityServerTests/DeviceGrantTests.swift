import Cryptography
import HTTPServer
import JSON
import Testing

@testable import IdentityServer

private typealias Server = TestedServer

@Suite(.timeLimit(.minutes(1)))
struct `The device grant` {
  private func poll(_ server: Server, _ code: String) async -> Answer {
    await server.post(
      "/oauth2/v2.0/token",
      ["client_id": Server.client, "grant_type": IdentityService.deviceGrant, "device_code": code])
  }

  private func begin(_ server: Server) async -> Answer {
    await server.post(
      "/oauth2/v2.0/devicecode", ["client_id": Server.client, "scope": "openid \(Server.first)/Items.Read"])
  }

  @Test func `waits for the user, at the device's pace`() async throws {
    let server = try Server()
    let begun = await begin(server)
    #expect(begun.json["interval"] == 5 && begun["user_code"].count == 9)
    #expect(await poll(server, begun["device_code"]).row == "authorization_pending 70016")
    #expect(await poll(server, begun["device_code"]).row == "slow_down 70019")
    server.clock.advance(5)
    #expect(await poll(server, begun["device_code"]).row == "slow_down 70019", "five seconds were added")
    server.clock.advance(15)
    #expect(await poll(server, begun["device_code"]).row == "authorization_pending 70016")
    let page = await server.get("/device?user_code=\(begun["user_code"])")
    #expect(page.text.contains(begun["user_code"]))
    let wrong = await server.post(
      "/device", ["user_code": begun["user_code"], "username": Server.ada, "password": "wrong"])
    #expect(wrong.text.contains("is wrong") && wrong.text.contains("value=\"\(Server.ada)\""), "\(wrong.text)")
    let done = await server.post(
      "/device", ["user_code": begun["user_code"].lowercased(), "username": Server.ada, "password": Server.password])
    #expect(done.text.contains("signed in"))
    server.clock.advance(20)
    let tokens = await poll(server, begun["device_code"])
    #expect(tokens.status == 200 && tokens.claims("access_token")["aud"] == .string(Server.first))
    #expect(await poll(server, begun["device_code"]).row == "invalid_grant 70000")
  }

  @Test func `asks for the second factor`() async throws {
    let server = try Server()
    let begun = await begin(server)
    let asked = await server.post(
      "/device", ["user_code": begun["user_code"], "username": Server.eve, "password": Server.password])
    #expect(asked.text.contains("name=\"confirmed\""))
    let code = try #require(server.server.outbox.code(for: Server.eve))
    let typed = begun["user_code"].filter { $0 != "-" }
    #expect(await server.post("/device", ["confirmed": typed, "code": code]).text.contains("signed in"))
    #expect(await poll(server, begun["device_code"]).status == 200)
  }

  @Test func `ends when the user refuses, and with its time`() async throws {
    let server = try Server()
    let begun = await begin(server)
    _ = await server.post("/device", ["user_code": begun["user_code"], "decision": "deny"])
    #expect(await poll(server, begun["device_code"]).row == "access_denied 65004")
    let late = await begin(server)
    server.clock.advance(900)
    #expect(await poll(server, late["device_code"]).row == "expired_token 70020")
  }

  @Test func `is allowed or refused, also when one comes while the password for the other is checked`() async throws {
    let server = try Server()
    // Checking this one takes longer than to press another button.
    var ada = try #require(await server.server.user(Server.ada))
    let cost = Scrypt.Cost(logarithm: 14, blocks: 8, lanes: 1)
    ada.password = try PasswordHash(Server.password, cost: cost, salt: Array(1...16))
    await server.server.put(ada)
    let begun = await begin(server)
    let code = begun["user_code"]
    let allowing = Task.immediate {
      await server.post("/device", ["user_code": code, "username": Server.ada, "password": Server.password])
    }
    let refused = await server.post("/device", ["user_code": code, "decision": "deny"])
    let allowed = await allowing.value
    let isRefused = refused.text.contains("The device is not signed in.")
    #expect(allowed.text.contains("The device is signed in.") != isRefused, "\(allowed.text)")
    #expect((await poll(server, begun["device_code"]).row == "access_denied 65004") == isRefused)
  }

  @Test func `gives its tokens to the client that asked, and takes a typed code once`() async throws {
    let server = try Server { $0.clients.append(IdentityClient(id: "other")) }
    let begun = await begin(server)
    let typed: KeyValuePairs<String, String> = [
      "user_code": begun["user_code"], "username": Server.ada, "password": Server.password,
    ]
    #expect(await server.post("/device", typed).text.contains("signed in"))
    #expect(await server.post("/device", typed).text.contains("not valid"))
    let other = await server.post(
      "/oauth2/v2.0/token",
      ["client_id": "other", "grant_type": "device_code", "device_code": begun["device_code"]])
    #expect(other.row == "invalid_grant 70000")
    #expect(await poll(server, begun["device_code"]).status == 200)
    let refused = await begin(server)
    let deny: KeyValuePairs<String, String> = ["user_code": refused["user_code"], "decision": "deny"]
    #expect(await server.post("/device", deny).text.contains("not signed in"))
    #expect(await server.post("/device", deny).text.contains("not valid"))
    #expect(await poll(server, refused["device_code"]).row == "access_denied 65004")
    #expect(await poll(server, refused["device_code"]).row == "invalid_grant 70000")
  }

  @Test func `waits to its last second, and counts the tries of a second factor`() async throws {
    let server = try Server { $0.limits.triesOfCode = 2 }
    let begun = await begin(server)
    let typed = begun["user_code"].filter { $0 != "-" }
    _ = await server.post(
      "/device", ["user_code": typed, "username": Server.eve, "password": Server.password])
    let code = try #require(server.server.outbox.code(for: Server.eve))
    for text in ["1", "2", code] {
      #expect(await server.post("/device", ["confirmed": typed, "code": text]).text.contains("The code is wrong"))
    }
    server.clock.advance(899)
    #expect(await poll(server, begun["device_code"]).row == "authorization_pending 70016")
    server.clock.advance(1)
    #expect(await poll(server, begun["device_code"]).row == "expired_token 70020")
    #expect(await poll(server, begun["device_code"]).row == "invalid_grant 70000", "it is forgotten")
  }

  @Test func `lets one more code be tried than were wrong, and again after a while`() async throws {
    let server = try Server { $0.limits.failures = 2 }
    let begun = await begin(server)
    func status(_ code: String) async -> Int { await server.post("/device", ["user_code": code], from: "a").status }
    for _ in 0..<2 {
      #expect(await status("BCDF-GHJK") == 200)
      #expect(await status(begun["user_code"]) == 200)
      #expect(await status("BCDF-GHJK") == 200)
      #expect(await status(begun["user_code"]) == 429)
      server.clock.advance(60)
    }
  }

  @Test func `counts wrong codes apart from the wrong passwords of any account`() async throws {
    let server = try Server { $0.limits.failures = 1 }
    let code = await begin(server)["user_code"]
    for name in ["device\na", "a"] {
      let wrong = await server.post(
        "/device", ["user_code": code, "username": name, "password": "wrong"], from: "a")
      #expect(wrong.status == 200 && wrong.text.contains("is wrong"), "\(wrong.text)")
    }
    #expect(await server.post("/device", ["user_code": code], from: "a").status == 200)
  }

  @Test func `ends with a new password, granted or half way`() async throws {
    let server = try Server { $0.limits.codes = 100 }
    let (granted, half, other) = (await begin(server), await begin(server), await begin(server))
    for (device, user) in [(granted, Server.ada), (half, Server.eve)] {
      let page = await server.post(
        "/device", ["user_code": device["user_code"], "username": user, "password": Server.password])
      #expect(page.status == 200 && page.text.contains(user == Server.ada ? "signed in" : "name=\"confirmed\""))
      #expect(await server.reset(user, to: "Brand-New-77").status == 200)
      #expect(await poll(server, device["device_code"]).row == "invalid_grant 70000")
    }
    #expect(await poll(server, other["device_code"]).row == "authorization_pending 70016")
  }

  @Test func `lets nobody try codes without end`() async throws {
    let server = try Server()
    let begun = await begin(server)
    for number in 0..<12 { _ = await server.post("/device", ["user_code": "BCDF-GHJ\(number)"], from: "192.0.2.7") }
    let refused = await server.post("/device", ["user_code": begun["user_code"]], from: "192.0.2.7")
    #expect(refused.status == 429 && refused.response.header("Retry-After") != nil)
    #expect(refused.response.header("Content-Type")?.hasPrefix("text/html") == true && refused.text.contains("seconds"))
    // Everybody else goes on.
    let done = await server.post(
      "/device", ["user_code": begun["user_code"], "username": Server.ada, "password": Server.password],
      from: "192.0.2.8")
    #expect(done.text.contains("signed in"))
  }
}
