import Text
import ConfigurationFiles
import Foundation
import JSON
import Synchronization
import TestSupport
import Testing
import Time

@testable import ContentClient
@testable import HTTPClient

private func service() throws -> ContentConfiguration {
  let directory = try TemporaryDirectory()
  let file = try directory.write(serviceFile(), to: "x.json")
  return try ContentConfiguration(
    scheme: "https", host: "author.example.com", authentication: try CredentialsFile(path: file).authentication())
}

private func token(_ name: String, _ seconds: String = "86400") -> FakeAEM.Answer {
  .json(#"{"token_type":"bearer","access_token":"\#(name)","expires_in":\#(seconds)}"#)
}

extension FakeAEM {
  /// The `Authorization` of what went to AEM, in order.
  fileprivate var authorizations: [String?] {
    requests.filter { !$0.url.contains("/ims/") }.map { $0.headers["Authorization"] }
  }
  fileprivate var exchanges: [HTTPRequest] { requests.filter { $0.url.contains("/ims/") } }
}

@Suite(.timeLimit(.minutes(1)))
struct `The account of a service` {
  private func fields(_ request: HTTPRequest) -> [String: String] {
    let pairs = String(decoding: request.body ?? [], as: UTF8.self).split(separator: "&").map { pair in
      pair.split(separator: "=", maxSplits: 1).map { String($0) }
    }
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") })
  }

  private func decoded(_ part: Substring) throws -> [UInt8] {
    var text = part.replacing("-", with: "+").replacing("_", with: "/")
    while text.utf8.count % 4 != 0 { text += "=" }
    return try #require(Base64.decode(text))
  }

  @Test func `is exchanged for a token by a signed claim`() async throws {
    let server = FakeAEM(token("t1"), .json(twoAdventures))
    _ = try await server.client(try service()).execute(query: adventures)
    let request = try #require(server.exchanges.first)
    #expect(request.method == "POST" && request.url == "https://ims.example.com/ims/exchange/jwt")
    #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(request.headers["Authorization"] == nil && request.maximumRedirects == 0)
    let form = fields(request)
    #expect(form["client_id"] == "cm-p1-client" && form["client_secret"] == "p8e-client-secret")
    let parts = try #require(form["jwt_token"]).split(separator: ".")
    #expect(parts.count == 3)
    #expect(try JSONCoding.parse(decoded(parts[0])) == ["alg": "RS256", "typ": "JWT"])
    let claims = try JSONCoding.parse(decoded(parts[1]))
    #expect(
      claims == [
        "iss": "ORG@AdobeOrg", "sub": "account@techacct.adobe.com", "aud": "https://ims.example.com/c/cm-p1-client",
        "exp": .integer(1_800_000_000 + 3_600), "https://ims.example.com/s/ent_aem_cloud_api": true,
      ])
    #expect(TestKey.shared.hasSigned(Array("\(parts[0]).\(parts[1])".utf8), try decoded(parts[2])))
    #expect(server.authorizations == ["Bearer t1"])
  }

  @Test(arguments: [
    ("86400", 86_100), ("86400000", 86_100), ("\"1000\"", 800), ("null", 240), ("-1", 240), ("99999999999999", 604_500),
  ])
  func `has its token renewed before it expires`(lifetime: String, renewed: Int) async throws {
    let server = FakeAEM(
      token("t1", lifetime), .json(twoAdventures), .json(twoAdventures), token("t2"), .json(twoAdventures))
    let client = server.client(try service())
    _ = try await client.execute(query: adventures)
    server.advance(by: renewed - 1)
    _ = try await client.execute(query: adventures)
    server.advance(by: 1)
    _ = try await client.execute(query: adventures)
    #expect(server.authorizations == ["Bearer t1", "Bearer t1", "Bearer t2"])
  }

  @Test func `keeps its token over the end of the process, for its user alone`() async throws {
    let directory = try TemporaryDirectory()
    let cache = directory.file("cache.sqlite")
    let server = FakeAEM(
      token("t1", "1000"), .json(twoAdventures), .json(twoAdventures), .status(401), token("t2"), .json(twoAdventures),
      token("t3"), .json(twoAdventures))
    func run() async throws {
      _ = try await server.client(try service(), cache: cache).execute(query: adventures, policy: .reload)
    }
    try await run()
    try await run()
    #expect(server.authorizations == ["Bearer t1", "Bearer t1"] && server.exchanges.count == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(cache).token")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // One that AEM does not accept is asked for again, and the next process has the new one.
    try await run()
    #expect(server.authorizations.suffix(2) == ["Bearer t1", "Bearer t2"])
    // What others may read is not believed.
    chmod("\(cache).token", 0o644)
    try await run()
    #expect(server.authorizations.last == "Bearer t3" && server.exchanges.count == 3)
  }

  @Test func `goes on with a token that is still good when it cannot be renewed`() async throws {
    let server = FakeAEM(
      token("t1", "1000"), .json(twoAdventures), .status(500), .json(twoAdventures), .down(.timedOut))
    let client = server.client(try service())
    _ = try await client.execute(query: adventures)
    server.advance(by: 900)
    _ = try await client.execute(query: adventures)
    #expect(server.authorizations == ["Bearer t1", "Bearer t1"])
    server.advance(by: 100)
    let error = await #expect(throws: ContentError.self) { try await client.execute(query: adventures) }
    #expect(error?.kind == .tokenExchangeFailed)
  }

  @Test func `has its token renewed once when AEM does not accept it`() async throws {
    let server = FakeAEM(
      token("t1"), .status(401), token("t2"), .json(twoAdventures), .status(401), token("t3"), .status(401))
    let client = server.client(try service())
    _ = try await client.execute(query: adventures)
    #expect(server.authorizations == ["Bearer t1", "Bearer t2"])
    let error = await #expect(throws: ContentError.self) { try await client.execute(query: adventures) }
    #expect(error?.kind == .unauthorized && error?.recovery.contains("AEM_SERVICE_CREDENTIALS") == true)
    #expect(server.exchanges.count == 3)
  }

  @Test func `is exchanged once for many`() async throws {
    final class Count: Sendable { let value = Mutex(0) }
    let exchanges = Count()
    let transport: ContentTransport = { request throws(HTTPError) in
      let isExchange = request.url.contains("/ims/")
      if isExchange {
        exchanges.value.withLock { $0 += 1 }
        for _ in 0..<100 { await Task.yield() }
      }
      let body = isExchange ? #"{"access_token":"t","expires_in":86400}"# : #"{"data":{}}"#
      return HTTPResponse(status: 200, body: Array(body.utf8), url: request.url)
    }
    let client = ContentClient(configuration: try service(), transport: transport)
    try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask { _ = try await client.execute(query: "a/b", variables: ["n": .integer(Int64(number))]) }
      }
      try await group.waitForAll()
    }
    #expect(exchanges.value.withLock { $0 } == 1)
  }

  @Test(arguments: [
    FakeAEM.Answer.json("{}"), .json("<html>"), .json(#"{"access_token":5}"#), .json(#"{"access_token":"a b"}"#),
    .json(#"{"access_token":""}"#), .status(400, #"{"error":"invalid_token","error_description":"expired"}"#),
    .status(302, "", ["Location": "https://evil.example.com"]), .down(.refused), .down(.tls), .down(.timedOut),
  ])
  func `that gets no token is an error with the file and the code`(answer: FakeAEM.Answer) async throws {
    let server = FakeAEM(answer, .json(twoAdventures))
    let error = try await #require(throws: ContentError.self) {
      try await server.client(try service()).execute(query: adventures)
    }
    #expect(error.kind == .tokenExchangeFailed)
    #expect(error.message.contains("x.json") && error.message.contains("EXCHANGE_TOKEN_ERROR"))
    #expect(server.requests.count == 1)
  }

  @Test func `asks a server of tokens on this machine without TLS`() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(serviceFile(endpoint: "127.0.0.1:9999"), to: "x.json")
    let configuration = try ContentConfiguration(
      scheme: "", host: "", authentication: try CredentialsFile(path: file).authentication())
    let server = FakeAEM(token("t"), .json(twoAdventures))
    _ = try await server.client(configuration).execute(query: adventures)
    #expect(server.exchanges.first?.url == "http://127.0.0.1:9999/ims/exchange/jwt")
  }

  @Test func `does not go on with a token that the server has refused while it was renewed`() async throws {
    final class Place: Sendable {
      let exchange = Mutex<TokenExchange?>(nil)
      let seconds = Mutex<Int64>(1_800_000_000)
    }
    let directory = try TemporaryDirectory()
    let file = try directory.write(serviceFile(), to: "x.json")
    guard case .service(let account) = try CredentialsFile(path: file).authentication() else {
      Issue.record("This is no service account.")
      return
    }
    let place = Place()
    let transport: ContentTransport = { request throws(HTTPError) in
      // The second question: meanwhile another request is answered with 401.
      if let exchange = place.exchange.withLock({ $0 }) {
        exchange.drop("t1")
        return HTTPResponse(status: 500, url: request.url)
      }
      return HTTPResponse(
        status: 200, body: Array(#"{"access_token":"t1","expires_in":1000}"#.utf8), url: request.url)
    }
    let clock = WallClock(
      now: { UnixTime(seconds: place.seconds.withLock { $0 }) }, sleep: { _ in }, random: { 1 })
    let exchange = TokenExchange(account, transport: transport, clock: clock)
    let first = try await exchange.token(within: 5)
    #expect(first.revealed() == "t1")
    place.exchange.withLock { $0 = exchange }
    place.seconds.withLock { $0 += 900 }
    let error = await #expect(throws: ContentError.self) { _ = try await exchange.token(within: 5) }
    #expect(error?.kind == .tokenExchangeFailed)
    place.exchange.withLock { $0 = nil }
  }

  @Test func `goes on with the newer token when the refusal of an older one comes late`() async throws {
    final class Place: Sendable {
      let client = Mutex<ContentClient?>(nil)
      let exchanges = Mutex(0)
    }
    let place = Place()
    let transport: ContentTransport = { request throws(HTTPError) in
      func answer(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(body.utf8), url: request.url)
      }
      if request.url.contains("/ims/") {
        let number = place.exchanges.withLock { count in
          count += 1
          return count
        }
        return answer(200, #"{"access_token":"t\#(number)","expires_in":86400}"#)
      }
      guard request.headers["Authorization"] == "Bearer t1" else { return answer(200, #"{"data":{}}"#) }
      // Before the first hears of it, another was refused with the same token, and has a newer one.
      if request.url.hasSuffix("/a/first"), let client = place.client.withLock({ $0 }) {
        _ = try? await client.execute(query: "a/second")
      }
      return answer(401, "")
    }
    let client = ContentClient(configuration: try service(), transport: transport)
    place.client.withLock { $0 = client }
    let result = try? await client.execute(query: "a/first")
    place.client.withLock { $0 = nil }
    #expect(result?.source == .network)
    #expect(place.exchanges.withLock { $0 } == 2)
  }

  @Test func `forgets the token that was refused, and no other`() async throws {
    guard case .service(let account) = try service().authentication else {
      Issue.record("This is no service account.")
      return
    }
    let made = Mutex(0)
    let transport: ContentTransport = { request throws(HTTPError) in
      let number = made.withLock { count in
        count += 1
        return count
      }
      let body = #"{"access_token":"t\#(number)","expires_in":1000}"#
      return HTTPResponse(status: 200, body: Array(body.utf8), url: request.url)
    }
    let clock = WallClock(now: { UnixTime(seconds: 1_800_000_000) }, sleep: { _ in }, random: { 1 })
    let exchange = TokenExchange(account, transport: transport, clock: clock)
    for number in 1...2 {
      let token = try await exchange.token(within: 5)
      #expect(token.revealed() == "t\(number)")
      exchange.drop("t\(number - 1)")
      #expect(exchange.current == token)
      exchange.drop("t\(number)")
      #expect(exchange.current == nil)
    }
  }

  @Test func `takes no token over that another process should have renewed`() async throws {
    let directory = try TemporaryDirectory()
    let cache = directory.file("cache.sqlite")
    let server = FakeAEM(
      token("t1", "1000"), .json(twoAdventures), .json(twoAdventures), token("t2", "1000"), .json(twoAdventures))
    for (seconds, name) in [(0, "t1"), (799, "t1"), (1, "t2")] {
      server.advance(by: seconds)
      // A client of its own, as another process has it.
      _ = try await server.client(try service(), cache: cache).execute(query: adventures, policy: .reload)
      #expect(server.authorizations.last == "Bearer \(name)")
    }
  }

  @Test func `has as many attempts with a renewed token as without`() async throws {
    let server = FakeAEM(
      token("t1"), .status(401), token("t2"), .status(503), .status(503), .json(twoAdventures))
    _ = try await server.client(try service()).execute(query: adventures)
    #expect(server.authorizations == ["Bearer t1", "Bearer t2", "Bearer t2", "Bearer t2"])
    #expect(server.slept == [0.25, 0.5])
  }
}
