import ContentServer
import GraphQL
import HTTPServer
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A query stored while the server runs` {
  private let site: TestSite
  private let server: ContentServer

  init() throws {
    site = try TestSite()
    server = try ContentServer(configuration: .init(root: site.root))
  }

  private static let titles =
    "query ($limit: Int) { tripList(limit: $limit, sort: \"price DESC\") { items { title } } }"
  private static let persist = "/graphql/persist.json/site/titles"
  private static let execute = "/graphql/execute.json/site/titles"

  private func quoted(_ text: String) -> String { JSONCoding.text(of: .string(text)) }

  /// The public clients send the bare text, called JSON.
  @Test(arguments: [true, false])
  func `is stored, listed and executed`(isWrapped: Bool) async throws {
    #expect(await ask(Self.execute, of: server).status == 404)
    let body = isWrapped ? "{\"query\":\(quoted(Self.titles))}" : Self.titles
    let type = [ServerField("Content-Type", "application/json")]
    let stored = await ask(Self.persist, method: "PUT", headers: type, body: body, of: server)
    #expect(stored.status == 201)
    #expect(
      try json(stored) == [
        "action": "create", "configurationName": "site", "name": "titles", "shortPath": "/site/titles",
        "path": "/conf/site/settings/graphql/persistentQueries/titles",
      ])
    let listed = try json(await ask("/graphql/list.json/site", of: server))
    let queries = try #require(listed[0]?["queries"]?.arrayValue)
    #expect(listed[0]?["configurationName"] == "site")
    #expect(
      queries.map { $0["path"]?["shortForm"] } == ["site/trip-by-slug", "site/trips", "site/titles"])
    #expect(queries.last?["path"]?["longForm"] == "/conf/site/settings/graphql/persistentQueries/titles")
    #expect(queries.last?["data"] == ["query": .string(Self.titles)])
    for query in queries {
      _ = try GraphQLParser.parse(GraphQLSource(try #require(query["data"]?["query"]?.stringValue)))
    }
    let answer = try json(await ask("\(Self.execute);limit=1", of: server))
    #expect(answer["data"]?["tripList"]?["items"] == [["title": "Trip 3"]])
  }

  @Test func `is not created over another of its name`() async throws {
    // One of the repository, and one that was stored.
    let shipped = await ask("/graphql/persist.json/site/trips", method: "PUT", body: Self.titles, of: server)
    #expect(shipped.status == 409)
    #expect(await ask(Self.persist, method: "PUT", body: Self.titles, of: server).status == 201)
    #expect(await ask(Self.persist, method: "PUT", body: "{__typename}", of: server).status == 409)
    let listed = try json(await ask("/graphql/list.json/site", of: server))
    #expect(listed[0]?["queries"]?.arrayValue?.last?["data"] == ["query": .string(Self.titles)])
    #expect(await ask(Self.persist, method: "POST", body: "{__typename}", of: server).status == 200)
  }

  @Test func `is created once of many requests that come together`() async throws {
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { await ask(Self.persist, method: "PUT", body: Self.titles, of: server).status } }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses.filter { $0 == 201 }.count == 1 && statuses.filter { $0 == 409 }.count == 19)
  }

  @Test func `takes the place of one of its name, at once`() async throws {
    var configuration = ContentServer.Configuration(port: 0, root: site.root)
    configuration.replacesQueries = true
    let server = try ContentServer(configuration: configuration)
    #expect(await ask(TestSite.list, of: server).status == 200)
    for method in ["POST", "PUT"] {
      let text = "{ tripList { items { \(method): slug } } }"
      let stored = await ask("/graphql/persist.json/site/trips", method: method, body: text, of: server)
      #expect(stored.status == 200)
      #expect(try json(stored)["action"] == "update")
      let answer = try json(await ask(TestSite.list, of: server))
      #expect(answer["data"]?["tripList"]?["items"]?[0] == .object([method: "trip-0"]))
    }
    let listed = try json(await ask("/graphql/list.json", of: server))
    #expect(listed[0]?["queries"]?.arrayValue?.count == 2)
  }

  @Test func `may be of all models`() async throws {
    let stored = await ask("/graphql/persist.json/global/all", method: "PUT", body: Self.titles, of: server)
    #expect(stored.status == 201)
    #expect(try json(await ask("/graphql/execute.json/global/all", of: server))["data"]?["tripList"] != nil)
    #expect(try json(await ask("/graphql/list.json/global", of: server))[0]?["queries"]?.arrayValue?.count == 1)
  }

  @Test(arguments: [
    (
      "\"cache-control\":{\"max-age\":300}",
      "max-age=300, s-maxage=7200, stale-while-revalidate=86400, stale-if-error=86400"
    ),
    (
      "\"cache-control\":{\"max-age\":\"5\"},\"surrogate-control\":{\"max-age\":600,\"stale-while-revalidate\":1,"
        + "\"stale-if-error\":2}", "max-age=5, s-maxage=600, stale-while-revalidate=1, stale-if-error=2"
    ),
    ("\"cache-control\":null", "max-age=60, s-maxage=7200, stale-while-revalidate=86400, stale-if-error=86400"),
  ])
  func `says how long its answers keep`(members: String, field: String) async throws {
    let body = "{\"query\":\(quoted(Self.titles)),\(members)}"
    #expect(await ask(Self.persist, method: "PUT", body: body, of: server).status == 201)
    #expect(await ask(Self.execute, of: server).header("Cache-Control") == field)
  }

  @Test(arguments: [
    ("site/a", "query {", 400, "InvalidSyntax"),
    ("site/a", "{ tripList { items { colour } } }", 400, "ValidationError"),
    ("site/a", "fragment F on Trip { title }", 400, "no query"), ("site/a", "", 400, "InvalidSyntax"),
    ("site/a", "{\"query\":3}", 400, "not text"),
    ("site/a", "{\"query\":\"{__typename}\",\"cache-control\":3}", 400, "object"),
    ("site/a", "{\"query\":\"{__typename}\",\"cache-control\":{\"max-age\":-1}}", 400, "max-age"),
    ("site/a", "{\"query\":\"{__typename}\",\"surrogate-control\":{\"max-age\":1e99}}", 400, "max-age"),
    ("site/a%3Bb", "{__typename}", 400, "name"), ("site/%2E%2E", "{__typename}", 400, "name"),
    ("other/a", "{__typename}", 404, "No suitable endpoint found"), ("site", "{__typename}", 404, "endpoint"),
    ("site/a/b", "{__typename}", 404, "endpoint"), ("site/a", "{\"query\":\"\\u0000\"}", 400, "InvalidSyntax"),
  ])
  func `is refused when it is none`(path: String, body: String, status: Int, words: String) async throws {
    for method in ["PUT", "POST"] {
      let response = await ask("/graphql/persist.json/\(path)", method: method, body: body, of: server)
      #expect(response.status == status)
      #expect(text(response).contains(words), "\(text(response))")
    }
    #expect(try json(await ask("/graphql/list.json", of: server))[0]?["queries"]?.arrayValue?.count == 2)
  }

  @Test func `is refused when it is too long, or one too many`() async throws {
    let long = "{ tripList { items { title } } } #" + String(repeating: "x", count: 1 << 17)
    let refused = await ask(Self.persist, method: "PUT", body: long, of: server)
    #expect(refused.status == 400 && text(refused).contains("131072 bytes"))
    var last = 0
    for number in 0...1000 {
      last = await ask("/graphql/persist.json/site/q\(number)", method: "PUT", body: "{__typename}", of: server).status
      if number == 999 { #expect(last == 201) }
    }
    #expect(last == 400)
    #expect(await ask("/graphql/persist.json/site/q1", method: "POST", body: "{__typename}", of: server).status == 200)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An endpoint of the content server` {
  private let site: TestSite
  private let server: ContentServer

  init() throws {
    site = try TestSite()
    server = try ContentServer(configuration: .init(root: site.root))
  }

  private static let paths = [
    "/content/_cq_graphql/site/endpoint.json", "/content/cq:graphql/site/endpoint.json",
    "/content/cq:graphql/global/endpoint.json", "/content/graphql/global/endpoint.json",
    "/content/cq%3Agraphql/site/endpoint",
  ]

  @Test(arguments: paths)
  func `runs any query`(path: String) async throws {
    let query =
      "query One($s: String) { tripList(filter: {slug: {_expressions: [{value: $s}]}}) { items { title } } } query Two { __typename }"
    let order: JSONValue = ["query": .string(query), "variables": ["s": "trip-1"], "operationName": "One"]
    let answer = await ask(path, method: "POST", body: JSONCoding.text(of: order), of: server)
    #expect(answer.status == 200 && answer.header("Cache-Control") == nil)
    #expect(try json(answer)["data"] == ["tripList": ["items": [["title": "Trip 1"]]]])
    let asked = "\(path)?query=%7B+tripList(limit:1)%7Bitems%7Bslug%7D%7D%7D&variables=%7B%7D"
    #expect(try json(await ask(asked, of: server))["data"]?["tripList"]?["items"] == [["slug": "trip-0"]])
    let plain = [ServerField("Content-Type", "application/graphql")]
    let bare = await ask(path, method: "POST", headers: plain, body: "{ __typename }", of: server)
    #expect(try json(bare)["data"]?["__typename"] != nil)
  }

  @Test func `reports what is wrong with a query`() async throws {
    let body = "{\"query\":\"{ tripList { items { colour } } }\"}"
    let response = await ask(Self.paths[0], method: "POST", body: body, of: server)
    #expect(response.status == 200)
    #expect(try json(response)["errors"]?[0]?["message"]?.stringValue?.contains("colour") == true)
    let accept = [ServerField("Accept", "application/graphql-response+json")]
    #expect(await ask(Self.paths[0], method: "POST", headers: accept, body: body, of: server).status == 400)
  }

  @Test(arguments: ["site", "global"])
  func `shows its types`(configuration: String) async throws {
    for folder in ["cq:graphql", "_cq_graphql"] {
      let response = await ask("/content/\(folder)/\(configuration)/endpoint.GQLschema", of: server)
      #expect(response.status == 200 && response.header("Content-Type") == "text/x-graphql-schema")
      let schema = try GraphQLSchema([GraphQLSource(text(response))])
      #expect(schema.root(.query)?.name != nil)
      #expect(text(response).contains("tripList"))
    }
  }
}
