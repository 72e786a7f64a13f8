import HTTPServer
import JSON
import TestSupport
import Testing
import Text

@testable import IdentityServer

private typealias Server = TestedServer

@Suite(.timeLimit(.minutes(1)))
struct `A client with a secret` {
  private static let secret = "a secret with : and ü"
  private static let address = "https://web.example/callback"

  /// Reads a file of clients while it is there.
  private func withFile<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    return try body(directory.write(text, to: "clients.json"))
  }

  private func server(_ text: String) throws -> Server {
    try withFile(text) { file in try Server { $0.clientsFile = file } }
  }

  private func server() throws -> Server {
    try server(
      """
      {"clients": [
        {"id": "web", "secret": "\(Self.secret)", "redirectURIs": ["\(Self.address)"], "pkce": false},
        {"id": "spa", "redirectURIs": ["\(Self.address)"]}
      ]}
      """)
  }

  private static func basic(_ id: String, _ secret: String) -> ServerField {
    let words = "\(PercentEncoding.encoded(id)):\(PercentEncoding.encoded(secret))"
    return ServerField("Authorization", "Basic \(Base64.encode(Array(words.utf8)))")
  }

  private func code(_ server: Server, _ client: String, to address: String = address) async throws -> String? {
    let query = Server.form(["client_id": client, "redirect_uri": address, "response_type": "code", "scope": "openid"])
    let page = await server.get("/oauth2/v2.0/authorize?\(query)")
    guard let request = page.text.firstMatch(of: #/name="request" value="([^"]+)"/#)?.1 else { return nil }
    let back = await server.post(
      "/oauth2/v2.0/authorize",
      ["request": String(request), "username": Server.ada, "password": Server.password, "decision": "approve"])
    let location = back.response.header("Location") ?? ""
    return location.firstMatch(of: #/[?&]code=([^&]+)/#).map { String($0.1) }
  }

  @Test func `signs a user in with a web application's defaults, by Basic and by fields`() async throws {
    let server = try server()
    for isBasic in [true, false] {
      let code = try #require(try await code(server, "web"))
      var fields = "grant_type=authorization_code&code=\(code)&redirect_uri=\(PercentEncoding.encoded(Self.address))"
      if !isBasic { fields += "&client_id=web&client_secret=\(PercentEncoding.encoded(Self.secret))" }
      let answer = await server.send(
        "POST", "/oauth2/v2.0/token", headers: isBasic ? [Self.basic("web", Self.secret)] : [], body: fields)
      #expect(answer.status == 200 && !answer["id_token"].isEmpty, "\(answer.row)")
    }
  }

  @Test func `is believed with its secret only, and has its own addresses only`() async throws {
    let server = try server()
    let code = try #require(try await code(server, "web"))
    let fields = "grant_type=authorization_code&code=\(code)&redirect_uri=\(PercentEncoding.encoded(Self.address))"
    for headers in [[Self.basic("web", "wrong")], [Self.basic("nobody", Self.secret)]] {
      let answer = await server.send("POST", "/oauth2/v2.0/token", headers: headers, body: fields)
      #expect(answer.status == 401 && answer["error"] == "invalid_client")
      #expect(answer.response.header("WWW-Authenticate")?.hasPrefix("Basic") == true)
    }
    #expect(await server.send("POST", "/oauth2/v2.0/token", body: fields + "&client_id=web").status == 401)
    #expect(try await self.code(server, "web", to: "https://evil.example/") == nil)
    // Without a secret there is no code without a proof key.
    #expect(try await self.code(server, "spa") == nil)
    for path in ["introspection", "revoke"] {
      #expect(await server.send("POST", "/oauth2/v2.0/\(path)", body: "client_id=web&token=x").status == 401)
    }
  }

  @Test func `proves itself in one way, under one name`() async throws {
    let server = try server()
    let fields = "grant_type=client_credentials&scope=\(PercentEncoding.encoded("\(Server.first)/Items.Read"))"
    func status(_ header: ServerField?, _ more: String = "") async -> Int {
      await server.send("POST", "/oauth2/v2.0/token", headers: header.map { [$0] } ?? [], body: fields + more).status
    }
    let own = Self.basic("web", Self.secret)
    let secret = PercentEncoding.encoded(Self.secret)
    #expect(await status(own, "&client_id=WEB") == 200)
    #expect(await status(own, "&client_id=spa") == 401)
    #expect(await status(own, "&client_secret=\(secret)") == 400)
    #expect(await status(nil, "&client_id=web&client_secret=\(secret)") == 200)
    #expect(await status(nil, "&client_id=web&client_secret=\(secret)x") == 401)
    #expect(await status(nil, "&client_secret=\(secret)") == 400)
    #expect(await status(ServerField("Authorization", own.value.replacing("Basic", with: "basic"))) == 200)
    for words in ["web", "%:x", "web:%"] {
      let header = ServerField("Authorization", "Basic \(Base64.encode(Array(words.utf8)))")
      #expect(await status(header) == 400, "\(words)")
    }
    #expect(await status(ServerField("Authorization", "Basic x")) == 400)
  }

  @Test func `has a secret that begins with a mark, escaped or as it is`() async throws {
    let secret = "\u{301} of the web application"
    let server = try self.server(#"{"clients": [{"id": "web", "secret": "\#(secret)"}]}"#)
    let fields = "grant_type=client_credentials&scope=\(PercentEncoding.encoded("\(Server.first)/Items.Read"))"
    let plain = ServerField("Authorization", "Basic \(Base64.encode(Array("web:\(secret)".utf8)))")
    for header in [Self.basic("web", secret), plain] {
      #expect(await server.send("POST", "/oauth2/v2.0/token", headers: [header], body: fields).status == 200)
    }
  }

  @Test func `gets a token of its own for an API, and a public client none`() async throws {
    let server = try server()
    let fields = "grant_type=client_credentials&scope=\(PercentEncoding.encoded("\(Server.first)/Items.Read"))"
    let answer = await server.send(
      "POST", "/oauth2/v2.0/token", headers: [Self.basic("web", Self.secret)], body: fields)
    #expect(answer.status == 200 && answer["refresh_token"].isEmpty && answer["id_token"].isEmpty)
    #expect(answer.claims("access_token")["sub"] == "web")
    #expect(await server.get("/api1/items", token: answer["access_token"]).status == 200)
    #expect(await server.get("/api2/items", token: answer["access_token"]).status == 401)
    let open = await server.send("POST", "/oauth2/v2.0/token", body: fields + "&client_id=spa")
    #expect(open["error"] == "unauthorized_client")
  }

  @Test func `gets no token of its own without a scope of an API, nor with one of the user's`() async throws {
    let server = try server()
    for scope in ["", "openid", "openid \(Server.first)/Items.Read"] {
      let answer = await server.send(
        "POST", "/oauth2/v2.0/token", headers: [Self.basic("web", Self.secret)],
        body: "grant_type=client_credentials&scope=\(PercentEncoding.encoded(scope))")
      #expect(answer.row == "invalid_scope 70011", "\(scope)")
    }
  }

  /// Somebody took the proof key out of the request for the code (RFC 9700, 4.8.2).
  @Test func `has no code redeemed with a proof key that it was not asked for with`() async throws {
    let server = try server()
    let code = try #require(try await code(server, "web"))
    let fields = "grant_type=authorization_code&code=\(code)&redirect_uri=\(PercentEncoding.encoded(Self.address))"
    let answer = await server.send(
      "POST", "/oauth2/v2.0/token", headers: [Self.basic("web", Self.secret)],
      body: "\(fields)&code_verifier=\(String(repeating: "a", count: 43))")
    #expect(answer.row == "invalid_grant 501481")
  }

  @Test func `has a name of 1 to 256 visible letters, and a secret of 16 to 1,024 bytes`() throws {
    func isTaken(_ id: String, _ secret: String) throws -> Bool {
      let root: JSONValue = ["clients": [["id": .string(id), "secret": .string(secret)]]]
      return try withFile(root.description) { file in (try? ClientsFile.read(file)) != nil }
    }
    let name = String(repeating: "c", count: 256)
    let (shortest, longest) = (String(repeating: "é", count: 8), String(repeating: "é", count: 512))
    #expect(try isTaken("c", shortest) && isTaken(name, longest) && isTaken("!~", shortest))
    for wrong in ["", name + "c", "a b", "é", "a\u{7F}"] { #expect(try !isTaken(wrong, shortest), "\(wrong)") }
    for wrong in [String(shortest.dropLast()) + "s", longest + "s", ""] { #expect(try !isTaken("c", wrong)) }
  }

  @Test func `has the rights that its file names, and the common ones without a word`() throws {
    let clients = try withFile(
      """
      {"clients": [{"id": "a"}, {"id": "b", "native": true}, {"id": "c", "password": true},
        {"id": "d", "native": false, "password": false, "pkce": true}]}
      """
    ) { try ClientsFile.read($0) }
    #expect(clients.map(\.isNative) == [false, true, false, false])
    #expect(clients.map(\.allowsPasswordGrant) == [false, false, true, false])
    #expect(clients.map(\.needsProofKey) == [true, true, true, true])
  }

  @Test(arguments: [
    #"{}"#, #"{"clients": [{}]}"#, #"{"clients": [{"id": "a", "secret": "short"}]}"#,
    #"{"clients": [{"id": "a", "pkce": false}]}"#, #"{"clients": [{"id": "a", "other": 1}]}"#,
    #"{"clients": [{"id": "a"}, {"id": "A"}]}"#, #"{"clients": [{"id": "a", "redirectURIs": ["javascript:1"]}]}"#,
  ])
  func `is not one of a file with a fault`(text: String) throws {
    let error = #expect(throws: IdentityServerError.self) { _ = try server(text) }
    #expect(error.map { "\($0)".contains("cannot be opened") } == false)
  }
}
