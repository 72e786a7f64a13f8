import ContentServer
import HTTPServer
import JSON
import TestSupport
import Testing

private let list = TestSite.list
private let bySlug = TestSite.bySlug

private let pathCases: [(String, Int)] = [
  (list, 4), ("\(list);", 4), ("\(list)%3Blimit%3D3;", 3), ("\(list);limit=3", 3), ("\(list);limit=0", 0),
  ("\(list);ts=1234567;unknown", 4), ("\(list);;limit=2;;", 2), ("//graphql/execute.json/site/trips;limit=1", 1),
  ("/graphql/execute.json//site/trips;limit=1", 1), ("/graphql/execute.json/site%2Ftrips%3Blimit%3D1;", 1),
  ("\(list);limit=1;limit=2", 2), ("\(bySlug);slug=trip-2", 1), ("\(bySlug)%3Bslug%3Dnobody;", 0),
  ("\(bySlug);slug=%22trip-2%22", 0), ("\(bySlug);slug=trip-2=", 0), ("\(bySlug);slug=12", 0),
]

private let refusals: [(String, String, String, Int, String)] = [
  ("/graphql/execute.json", "GET", "", 400, "Suffix: '/' does not contain a path"),
  ("/graphql/execute.json/", "GET", "", 400, "Suffix: '/' does not contain a path"),
  ("/graphql/execute.json/;a=b", "GET", "", 400, "Suffix: '/' does not contain a path"),
  ("/graphql/persist.json/", "PUT", "{}", 400, "Suffix: '/' does not contain a path"),
  ("/graphql/execute.json/other/trips", "GET", "", 404, "No suitable endpoint found"),
  ("/graphql/execute.json/site", "GET", "", 404, "No suitable endpoint found"),
  ("/graphql/execute.json/site/nothing", "GET", "", 404, "No persisted query found"),
  ("/graphql/execute.json/site/%1B[31m", "GET", "", 404, "'site/\u{FFFD}[31m'"),
  ("/graphql/execute.json/site/%FF", "GET", "", 400, "UTF-8"), ("/%2", "GET", "", 400, "UTF-8"),
  ("/", "GET", "", 404, "Not Found"), (list, "DELETE", "", 405, "Method"), (list, "PUT", "", 405, "Method"),
  ("/graphql/persist.json/site/a", "GET", "", 405, "Method"), ("/graphql/list.json", "POST", "", 405, "Method"),
  ("/content/dam/site/hill.png", "POST", "", 405, "Method"),
  (list, "POST", "[", 400, "JSON"), (list, "POST", "{\"variables\":3}", 400, "JSON"),
  (
    "/content/cq:graphql/other/endpoint.json", "POST", "{\"query\":\"{__typename}\"}", 404, "No suitable endpoint found"
  ),
  ("/content/cq:graphql/other/endpoint.GQLschema", "GET", "", 404, "No suitable endpoint found"),
  ("/content/cq:graphql/site/endpoint.json", "GET", "", 400, "query"),
  ("/content/cq:graphql/site/endpoint.json", "POST", "{}", 400, "query"),
  ("/content/cq:graphql/site/endpoint.json", "POST", "{\"query\":\"{a}\",\"variables\":[1]}", 400, "query"),
  ("/content/dam/../../../etc/passwd", "GET", "", 404, "Not Found"),
  ("/content/dam/site/trip-1.json", "GET", "", 404, "Not Found"),
  ("/models/site/trip.json", "GET", "", 404, "Not Found"),
]

@Suite(.timeLimit(.minutes(1)))
struct `A content server` {
  private let site: TestSite
  private let server: ContentServer

  init() throws {
    site = try TestSite()
    server = try ContentServer(configuration: .init(root: site.root))
  }

  private func other(_ change: (inout ContentServer.Configuration) -> Void) throws -> ContentServer {
    var configuration = ContentServer.Configuration(root: site.root)
    change(&configuration)
    return try ContentServer(configuration: configuration)
  }

  private func items(_ target: String) async throws -> [JSONValue]? {
    try json(await ask(target, of: server))["data"]?["tripList"]?["items"]?.arrayValue
  }

  @Test func `answers a persisted query`() async throws {
    let response = await ask(list, of: server)
    #expect(response.status == 200)
    #expect(response.header("Content-Type") == "application/json;charset=utf-8")
    let value = try json(response)
    #expect(value["errors"] == nil)
    let items = try #require(value["data"]?["tripList"]?["items"]?.arrayValue)
    #expect(items.map { $0["slug"] } == ["trip-0", "trip-1", "trip-2", "trip-3"])
    #expect(items[1]["picture"]?["_path"] == "/content/dam/site/hill.png")
  }

  @Test(arguments: pathCases)
  func `reads variables from the path`(target: String, count: Int) async throws {
    #expect(try await items(target)?.count == count)
  }

  @Test func `sorts as the path says`() async throws {
    let items = try await items("\(list)%3Bsort%3Dprice%20DESC%2C%20title%20ASC%3Blimit%3D2;")
    #expect(items?.map { $0["slug"] } == ["trip-3", "trip-2"])
  }

  @Test(arguments: [("\(list);limit=ten", "limit"), ("\(list);sort=color", "color"), (bySlug, "slug")])
  func `reports wrong variables with status 200, unless the client asks for another`(
    target: String, word: String
  ) async throws {
    let response = await ask(target, of: server)
    #expect(response.status == 200)
    #expect(response.header("Cache-Control") == "no-store")
    let value = try json(response)
    #expect(value["errors"]?[0]?["message"]?.stringValue?.contains(word) == true, "\(value)")
    let accept = [ServerField("Accept", "application/graphql-response+json, application/json;q=0.9")]
    let told = await ask(target, headers: accept, of: server)
    #expect(told.status == 400 || told.status == 500)
    #expect(told.header("Content-Type") == "application/graphql-response+json;charset=utf-8")
    let well = await ask(list, headers: accept, of: server)
    #expect(well.status == 200)
    let always = await ask(target, of: try other { $0.respondsWithGraphQLStatus = true })
    #expect(always.status == told.status)
  }

  @Test(arguments: [
    ("{\"variables\":{\"limit\":2}}", 2), ("{\"variables\":null}", 4), ("{}", 4), ("", 4),
  ])
  func `runs queries by POST too`(body: String, count: Int) async throws {
    let response = await ask(list, method: "POST", body: body, of: server)
    #expect(try json(response)["data"]?["tripList"]?["items"]?.arrayValue?.count == count)
    #expect(response.header("Cache-Control") == nil && response.header("ETag") == nil)
  }

  @Test func `knows text from numbers in a body`() async throws {
    let value = try json(await ask(list, method: "POST", body: "{\"variables\":{\"limit\":\"2\"}}", of: server))
    #expect(value["errors"] != nil && (value["data"] ?? .null).isNull)
  }

  @Test(arguments: refusals)
  func `refuses as AEM does`(target: String, method: String, body: String, status: Int, words: String) async throws {
    let response = await ask(target, method: method, body: body, of: server)
    #expect(response.status == status)
    #expect(text(response).contains(words), "\(text(response))")
    #expect((response.header("Allow") != nil) == (status == 405))
  }

  @Test func `says how long its answers keep`() async throws {
    let publish = await ask(list, of: server)
    #expect(
      publish.header("Cache-Control")
        == "max-age=60, s-maxage=7200, stale-while-revalidate=86400, stale-if-error=86400")
    let author = await ask(list, of: try other { $0.isAuthor = true })
    #expect(author.header("Cache-Control")?.hasPrefix("max-age=60, s-maxage=60,") == true)
    let short = await ask(list, of: try other { $0.maximumAge = 3 })
    #expect(short.header("Cache-Control")?.hasPrefix("max-age=3,") == true)
  }

  @Test func `answers 304 to a client that has the answer`() async throws {
    // Once made, once kept.
    for _ in 0..<2 {
      let first = await ask(list, of: server)
      let tag = try #require(first.header("ETag"))
      for value in [tag, "W/\(tag)", "\"x\", \(tag)", "*", "\"x\" ,\t\(tag) "] {
        let again = await ask(list, headers: [ServerField("If-None-Match", value)], of: server)
        #expect(again.status == 304 && again.body.isEmpty)
        #expect(again.header("ETag") == tag && again.header("Cache-Control") != nil)
      }
      let other = await ask("\(list);limit=1", headers: [ServerField("If-None-Match", tag)], of: server)
      #expect(other.status == 200)
    }
  }

  @Test func `gives kept answers no longer than the content is the same`() async throws {
    for price in [7, 8] {
      try site.write(trip: 0, price: price)
      server.reload()
      for _ in 0..<2 { #expect(try await items(list)?[0]["price"]?.doubleValue == Double(price)) }
    }
  }

  @Test(arguments: [
    (
      ContentServer.Configuration.Authentication.basic(username: "admin", password: "pä:ss"), "Basic",
      "YWRtaW46cOQ6c3M="
    ),
    (.token("abc"), "Bearer", "abc"),
  ])
  func `lets in only who may ask, whatever is asked`(
    authentication: ContentServer.Configuration.Authentication, scheme: String, proof: String
  ) async throws {
    let server = try other { $0.authentication = authentication }
    let targets = [
      list, "/graphql/list.json", "/content/dam/site/hill.png", "/content/cq:graphql/site/endpoint.GQLschema", "/none",
    ]
    for target in targets {
      let refused = await ask(target, of: server)
      #expect(refused.status == 401 && refused.header("WWW-Authenticate") != nil)
      // UTF-8 among them: Sling reads ISO-8859-1.
      for wrong in [
        "", scheme, "\(scheme) \(proof)x", "\(scheme) x\(proof)", "Other \(proof)", "Basic YWRtaW46cMOkOnNz",
      ] {
        let answer = await ask(target, headers: [ServerField("Authorization", wrong)], of: server)
        #expect(answer.status == 401, "\(wrong)")
      }
      for name in [scheme, scheme.lowercased()] {
        let right = await ask(target, headers: [ServerField("authorization", "\(name) \(proof)")], of: server)
        #expect(right.status == (target == "/none" ? 404 : 200))
      }
    }
    #expect(await ask("/libs/granite/core/content/login.html", of: server).status == 200)
  }

  @Test func `lets nobody in by a password that cannot be sent`() async throws {
    let server = try other { $0.authentication = .basic(username: "a", password: "€") }
    #expect(await ask(list, headers: [ServerField("Authorization", "Basic YTo=")], of: server).status == 401)
  }
}
