import ConfigurationFiles
import ContentClient
import HTTPClient
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Credentials` {
  private func header(_ authentication: ContentConfiguration.Authentication) async throws -> String? {
    let server = FakeAEM(.json(twoAdventures))
    let configuration = try ContentConfiguration(scheme: "", host: "", authentication: authentication)
    _ = try await server.client(configuration).execute(query: adventures)
    return server.requests.first?.headers["Authorization"]
  }

  @Test func `are a bearer token, and nothing around it`() async throws {
    #expect(try await header(.token(Secret("abc.def"))) == "Bearer abc.def")
  }

  @Test(arguments: [
    ("admin", "p\u{E4}:ss", "Basic YWRtaW46cOQ6c3M="), ("admin", "admin", "Basic YWRtaW46YWRtaW4="),
    ("a", "", "Basic YTo="), ("a", "b", "Basic YTpi"), ("ÿ", "", "Basic /zo="),
  ])
  func `are a user and a password in ISO-8859-1`(user: String, password: String, header: String) async throws {
    #expect(try await self.header(.basic(user: user, password: Secret(password))) == header)
  }

  @Test func `are not there without authentication`() async throws {
    #expect(try await header(.none) == nil)
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func `reach no other server`(status: Int) async throws {
    let server = FakeAEM(.status(status, "", ["Location": "http://evil.example.com/graphql"]), .json(twoAdventures))
    let configuration = try ContentConfiguration(
      scheme: "https", host: "publish.example.com", authentication: .token(Secret("t")))
    await #expect(throws: ContentError.self) { try await server.client(configuration).execute(query: adventures) }
    #expect(server.requests.count == 1)
    let request = try #require(server.requests.first)
    #expect(request.maximumRedirects == 0)
    #expect(HTTPOrigin(url: request.url)?.description == "https://publish.example.com:443")
  }
}
