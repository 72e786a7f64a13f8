import HTTPServer
import JSON
import Testing

@testable import IdentityServer

private typealias Server = TestedServer

@Suite(.timeLimit(.minutes(1)))
struct `What was ended` {
  private func revoke(_ server: Server, _ token: String, _ client: String = Server.client) async -> Int {
    await server.post("/local/oauth2/v2.0/revoke", ["client_id": client, "token": token]).status
  }

  @Test func `stays ended as long as its tokens would have held`() async throws {
    let server = try Server()
    let revoked = await server.signIn()
    #expect(await revoke(server, revoked["access_token"]) == 200)
    let replayed = await server.signIn()
    _ = await server.refresh(replayed["refresh_token"])
    #expect(await server.refresh(replayed["refresh_token"]).row == "invalid_grant 50173")
    server.clock.advance(3_599)
    for token in [revoked["access_token"], replayed["access_token"]] {
      let answer = await server.get("/api1/items", token: token)
      #expect(answer.status == 401)
      #expect(answer.response.header("WWW-Authenticate")?.contains("is not valid") == true)
    }
  }

  @Test func `is ended by its own client only`() async throws {
    let server = try Server { $0.clients.append(IdentityClient(id: "other")) }
    let tokens = await server.signIn()
    for token in [tokens["access_token"], tokens["refresh_token"]] {
      #expect(await revoke(server, token, "other") == 200)
    }
    #expect(await server.get("/api1/items", token: tokens["access_token"]).status == 200)
    #expect(await server.refresh(tokens["refresh_token"]).status == 200)
  }

  @Test func `is ended by a refresh token whose own time is over, too`() async throws {
    let server = try Server { $0.lifetimes.refreshToken = 100 }
    let tokens = await server.signIn()
    server.clock.advance(100)
    #expect(await revoke(server, tokens["refresh_token"]) == 200)
    #expect(await server.get("/api1/items", token: tokens["access_token"]).status == 401)
  }

  @Test func `leaves the other sign-ins of the user as they are`() async throws {
    let server = try Server()
    let (first, second) = (await server.signIn(), await server.signIn())
    #expect(await revoke(server, first["refresh_token"]) == 200)
    #expect(await server.refresh(first["refresh_token"]).row == "invalid_grant 9002313")
    #expect(await server.get("/api1/items", token: second["access_token"]).status == 200)
    #expect(await server.refresh(second["refresh_token"]).status == 200)
  }

  @Test func `is a token before its beginning, but for five minutes`() async throws {
    let server = try Server()
    let token = await server.signIn()["access_token"]
    server.clock.advance(-300)
    #expect(await server.get("/api1/items", token: token).status == 200)
    server.clock.advance(-1)
    #expect(await server.get("/api1/items", token: token).status == 401)
  }

  @Test func `was the last second of a refresh token`() async throws {
    let server = try Server { $0.lifetimes.refreshToken = 100 }
    let token = await server.signIn()["refresh_token"]
    server.clock.advance(99)
    let next = await server.refresh(token)
    #expect(next.status == 200)
    server.clock.advance(99)
    #expect(await server.refresh(next["refresh_token"]).status == 200, "each has its own time")
  }

  @Test func `by a refresh that asks for less is nothing`() async throws {
    let server = try Server()
    let first = await server.signIn()
    let second = await server.refresh(first["refresh_token"], scope: "\(Server.second)/Notes.Read")
    let third = await server.refresh(second["refresh_token"])
    #expect(third["scope"] == "\(Server.first)/Items.Read openid profile offline_access")
    let plain = await server.post(
      "/oauth2/v2.0/token",
      [
        "client_id": Server.client, "grant_type": "password", "username": Server.ada, "password": Server.password,
        "scope": "\(Server.first)/Items.Read",
      ])
    #expect(plain.status == 200 && plain.json["refresh_token"] == nil && plain.json["id_token"] == nil)
    #expect(plain.json["client_info"] == nil)
  }
}
