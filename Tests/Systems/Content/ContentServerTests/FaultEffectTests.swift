import EventLoop
import HTTPServer
import JSON
import Synchronization
import Testing

@testable import ContentServer

@Suite(.timeLimit(.minutes(1)))
struct `The effect of a fault` {
  private static let result: JSONObject = ["data": ["a": 1], "extensions": 2]
  private static let error: JSONValue = [
    "message": "why", "locations": [], "extensions": ["classification": "DataFetchingException"],
  ]

  @Test func `is on the result of a query`() {
    func applied(_ fault: ContentFault, _ json: JSONObject = Self.result) -> JSONObject { fault.applied(to: json) }
    #expect(applied(.errors("why")) == ["errors": [Self.error], "data": .null])
    #expect(applied(.partial("why")) == ["errors": [Self.error], "data": ["a": 1]])
    #expect(applied(.partial("why"), [:]) == ["errors": [Self.error], "data": .null])
    #expect(applied(.changed { .array([$0]) }) == ["data": [["a": 1]]])
    #expect(applied(.changed { .array([$0]) }, [:]) == ["data": [.null]])
    for fault in [ContentFault.dropped, .truncated, .slow(.seconds(1)), .unavailable] {
      #expect(applied(fault) == Self.result)
    }
  }

  @Test func `is on the bytes of an answer`() {
    for (count, half) in [(0, 0), (1, 0), (2, 1), (5, 2)] {
      let answer = ServerResponse(body: (0..<count).map { UInt8($0) })
      #expect(ContentFault.dropped.applied(to: answer).bytesBeforeEnd == half)
      #expect(ContentFault.dropped.applied(to: answer).body == answer.body)
      #expect(ContentFault.truncated.applied(to: answer).body == Array(answer.body.prefix(half)))
      #expect(ContentFault.truncated.applied(to: answer).bytesBeforeEnd == nil)
      for fault in [ContentFault.errors("a"), .partial("a"), .changed { $0 }, .slow(.seconds(1)), .unavailable] {
        #expect(fault.applied(to: answer) == answer)
      }
    }
  }

  @Test func `is content of another model, below items and nodes only`() throws {
    guard case .changed(let change) = ContentFault.otherModel else {
      Issue.record("no change")
      return
    }
    let data: JSONValue = [
      "price": 5,
      "one": ["item": ["price": 5.0, "size": 1.5, "_path": "/a", "deep": ["price": 1], "title": "t", "no": .null]],
      "page": ["edges": [["cursor": "c", "node": ["price": -2, "isGood": true, "_items": [1]]]], "node": .null],
      "items": [1, "x", ["é": 3]],
    ]
    #expect(
      change(data) == [
        "price": 5,
        "one": [
          "item": [
            "adventurePrice": "$5 USD", "adventureSize": "$1.5 USD", "_path": "/a", "adventureDeep": ["price": 1],
            "adventureTitle": "t", "adventureNo": .null,
          ]
        ],
        "page": [
          "edges": [["cursor": "c", "node": ["adventurePrice": "$-2 USD", "adventureIsGood": true, "_items": [1]]]],
          "node": .null,
        ],
        "items": [1, "x", ["adventureÉ": "$3 USD"]],
      ])
  }

  // MARK: Servers

  private static func server(_ plan: FaultPlan<ContentFault>, _ site: TestSite) throws -> ContentServer {
    try ContentServer(configuration: .init(root: site.root, fault: { plan.next(for: $0) }))
  }

  @Test func `happens once, to an answer that is kept or not`() async throws {
    let (site, plan) = (try TestSite(), FaultPlan<ContentFault>())
    let server = try Self.server(plan, site)
    for _ in 0..<2 {
      plan.add(.rateLimited, count: 1) { $0 == "site/trips" }
      #expect(await ask(TestSite.list, of: server).status == 429)
      // The second time it comes from what is kept.
      for _ in 0..<2 { #expect(await ask(TestSite.list, of: server).status == 200) }
    }
    plan.add(.rateLimited, count: 1) { $0 == "site/other" }
    #expect(await ask(TestSite.list, of: server).status == 200)
  }

  @Test func `that is slow waits for the end of the server that runs, not for that of one before`() async throws {
    let server = try ContentServer(configuration: .init(port: 0))
    for ended in 0..<3 as Range<UInt64> {
      try await server.withRunning { _ in
        let seen = server.endings.withLock { $0 }
        #expect(seen == ended && server.ending.count == ended)
      }
    }
  }

  @Test func `is asked for once for each request`() async throws {
    let site = try TestSite()
    let asked = Mutex<[String]>([])
    let server = try ContentServer(
      configuration: .init(
        root: site.root,
        fault: { query in
          asked.withLock { $0.append(query) }
          return nil
        }))
    _ = await ask(TestSite.list, of: server)
    _ = await ask(TestSite.list, of: server)
    _ = await ask(TestSite.bySlug, method: "POST", body: "{\"variables\":{\"slug\":\"trip-1\"}}", of: server)
    _ = await ask("/content/graphql/site/endpoint.json?query=%7B__typename%7D", of: server)
    _ = await ask("/content/graphql/global/endpoint.json?query=%7B__typename%7D", of: server)
    _ = await ask("/content/dam/site/hill.png", of: server)
    // No query and no picture.
    _ = await ask("/graphql/list.json", of: server)
    _ = await ask("/content/graphql/site/endpoint.GQLschema", of: server)
    _ = await ask("/graphql/execute.json/site/none", of: server)
    #expect(
      asked.withLock { $0 } == [
        "site/trips", "site/trips", "site/trip-by-slug", "site/endpoint", "global/endpoint", "pictures",
      ])
  }

  @Test func `is nothing that is kept`() async throws {
    let (site, plan) = (try TestSite(), FaultPlan<ContentFault>())
    let server = try Self.server(plan, site)
    for fault in [ContentFault.errors("why"), .partial("why"), .truncated, .dropped, .changed { _ in 7 }] {
      plan.add(fault, count: 1) { _ in true }
      let wrong = await ask(TestSite.list, of: server)
      #expect(wrong.status == 200 && (wrong.bytesBeforeEnd == nil) == (wrong.header("ETag") != nil))
      let right = await ask(TestSite.list, of: server)
      let answer = try json(right)
      #expect(right.bytesBeforeEnd == nil && answer["errors"] == nil && right.header("ETag") != nil)
      #expect(answer["data"]?["tripList"]?["items"]?.arrayValue?.count == 4)
      #expect(wrong.body != right.body || wrong.bytesBeforeEnd == right.body.count / 2)
      // What was kept is not in the way of the next.
      server.reload()
    }
  }

  @Test func `is on pictures that are there`() async throws {
    let (site, plan) = (try TestSite(), FaultPlan<ContentFault>())
    let server = try Self.server(plan, site)
    func picture(_ fault: ContentFault, _ path: String = "/content/dam/site/hill.png") async -> ServerResponse {
      plan.add(fault, count: 1) { $0 == "pictures" }
      return await ask(path, of: server)
    }
    let half = Landscape.bytes.count / 2
    #expect(await picture(.truncated).body == Array(Landscape.bytes.prefix(half)))
    let dropped = await picture(.dropped)
    #expect(dropped.bytesBeforeEnd == half && dropped.header("ETag") == nil)
    #expect(await picture(.unavailable).status == 503)
    for fault in [ContentFault.errors("a"), .partial("a"), .changed { _ in 7 }, .slow(.zero)] {
      let answer = await picture(fault)
      #expect(answer.status == 200 && answer.body == Landscape.bytes && answer.bytesBeforeEnd == nil)
    }
    for fault in [ContentFault.truncated, .dropped] {
      let missing = await picture(fault, "/content/dam/site/none.png")
      #expect(missing.status == 404 && missing.body == Array("Not Found".utf8) && missing.bytesBeforeEnd == nil)
    }
    #expect(await ask("/content/dam/site/hill.png", of: server).body == Landscape.bytes)
  }

  @Test func `is on a query of one's own`() async throws {
    let (site, plan) = (try TestSite(), FaultPlan<ContentFault>())
    let server = try Self.server(plan, site)
    let path = "/content/graphql/site/endpoint.json?query=%7B__typename%7D"
    plan.add(.unavailable, count: 1) { $0 == "site/endpoint" }
    plan.add(.errors("why"), count: 1) { $0 == "site/endpoint" }
    #expect(await ask(path, of: server).status == 503)
    #expect(try json(await ask(path, of: server)) == ["errors": [Self.error], "data": .null])
    #expect(try json(await ask(path, of: server)) == ["data": ["__typename": "QueryType"]])
  }
}
