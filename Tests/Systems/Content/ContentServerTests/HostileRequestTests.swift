import ContentServer
import EventLoop
import HTTPClient
import HTTPServer
import JSON
import TestSupport
import Testing

/// The same numbers every time.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A hostile request to the content server` {
  private let site: TestSite
  private let server: ContentServer

  init() throws {
    site = try TestSite()
    server = try ContentServer(configuration: .init(root: site.root))
  }

  /// What may be asked, from which others are made.
  private static let seeds = [
    TestSite.list, "\(TestSite.bySlug)%3Bslug%3Dtrip-1;", "/graphql/list.json/site", "/graphql/persist.json/site/a",
    "/content/cq:graphql/site/endpoint.json", "/content/_cq_graphql/global/endpoint.GQLschema",
    "/content/dam/site/hill.png", "/adobe/dynamicmedia/deliver/dm-aid--x/hill.jpg",
    "/libs/granite/core/content/login.html",
  ]
  private static let pieces = [
    "%", "%00", "%FF", ";", "=", "/", "//", "..", "%2F", "%3B", "%3D", "?", "&", "#", "\u{0}", "é",
    "9999999999999999999999",
    "-1", "{", "}", "[", "\"", "limit=", "sort=", "after=", "first=", "null", "NaN", "1e999", "width=", "crop=",
  ]
  private static let queries = [
    nil, "", "width=1&crop=0,0,1,1", "query={tripList{items{title}}}&variables={}", "%", "=&=&", "size=1,1&flip=x",
  ]
  private static let bodies = [
    "", "{}", "{\"query\":\"{tripList{items{title}}}\",\"variables\":{\"limit\":1}}", "{\"variables\":[]}", "[[[[",
    "null",
    "{\"query\":\"query Q { ...F } fragment F on QueryType { ...F }\"}", "\u{FEFF}{}", "{\"query\":1e999}",
  ]

  private static let known: Set<Int> = [200, 201, 304, 400, 404, 405]

  @Test(arguments: 0..<8)
  func `is answered, whatever it says`(seed: Int) async throws {
    var dice = Dice(state: UInt64(seed) &* 0x9e37_79b9 &+ 1)
    for _ in 0..<250 {
      var path = Self.seeds.randomElement(using: &dice) ?? "/"
      for _ in 0..<Int.random(in: 0...4, using: &dice) {
        let place = Int.random(in: 1...path.count, using: &dice)
        let piece = Self.pieces.randomElement(using: &dice) ?? ""
        path.insert(contentsOf: piece, at: path.index(path.startIndex, offsetBy: place))
      }
      let request = ServerRequest(
        method: ["GET", "HEAD", "POST", "PUT", "DELETE"].randomElement(using: &dice) ?? "GET", path: path,
        query: Self.queries.randomElement(using: &dice) ?? nil,
        headers: [
          ServerField(
            "Accept", ["image/webp", "application/graphql-response+json", ";;,,", ""].randomElement(using: &dice) ?? ""),
          ServerField("If-None-Match", ["*", "W/", ",,,", "\""].randomElement(using: &dice) ?? ""),
        ], body: Array((Self.bodies.randomElement(using: &dice) ?? "").utf8))
      let response = await server.respond(to: request)
      let isKnown = Self.known.contains(response.status) || response.status == 500
      #expect(isKnown, "\(response.status) \(request)")
      // What it says of the request cannot steer who reads it.
      let isPlain = !response.body.contains(0x1B) && response.headers.allSatisfy { !$0.value.contains("\n") }
      #expect(isPlain || response.status == 200, "\(request)")
    }
  }

  @Test func `is no deeper and no longer than a query may be`() async throws {
    let deep = String(repeating: "{a", count: 5_000) + String(repeating: "}", count: 5_000)
    let wide = "{" + (0..<30_000).map { "a\($0): __typename " }.joined() + "}"
    let spread = (0..<24).map { "fragment F\($0) on QueryType { a: __typename ...F\($0 + 1) ...F\($0 + 1) }" }.joined()
    let bomb = "{ ...F0 } \(spread) fragment F24 on QueryType { __typename }"
    for query in [deep, wide, bomb] {
      let body = JSONCoding.text(of: ["query": .string(query)])
      let response = await ask("/content/cq:graphql/site/endpoint.json", method: "POST", body: body, of: server)
      #expect(try json(response)["errors"]?.arrayValue?.isEmpty == false, "\(query.prefix(40))")
      let stored = await ask("/graphql/persist.json/site/q", method: "PUT", body: body, of: server)
      #expect(stored.status == 400)
    }
    let nested = "{\"variables\":" + String(repeating: "[", count: 50_000) + "}"
    #expect(await ask(TestSite.list, method: "POST", body: nested, of: server).status == 400)
  }

  @Test(arguments: [
    "GET \(TestSite.list) HTTP/1.1\r\nHost: evil.example\r\n\r\n", "PUT /graphql/persist.json/site/a HTTP/1.1\r\n\r\n",
    "GET \(TestSite.list)\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST \(TestSite.list) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n{",
    "GET /\(String(repeating: "a", count: 200_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ])
  func `of raw bytes hurts nobody else`(bytes: String) async throws {
    let server = try ContentServer(configuration: .init(port: 0, root: site.root))
    try await server.withRunning { address in
      let raw = try RawClient(port: address.port)
      let answer = await SystemThread.run(name: "raw-client") {
        raw.send(bytes)
        raw.finish()
        return raw.received(silence: 20_000)
      }
      #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(200))")
      let alive = try await HTTPClient.patient.send(HTTPRequest("GET", "\(address.url)\(TestSite.list)"))
      #expect(alive.status == 200)
    }
  }
}
