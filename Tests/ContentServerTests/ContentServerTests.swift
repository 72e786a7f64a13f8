import ContentServer
import HTTPClient
import HTTPServer
import JSONRPC
import TestSupport
import Testing

private func ask(
  _ target: String, method: String = "GET", headers: [ServerField] = [], body: String = "",
  of configuration: ContentServer.Configuration = .init()
) async throws -> ServerResponse {
  let server = try ContentServer(configuration: configuration)
  let parts = target.split(separator: "?", maxSplits: 1).map { String($0) }
  return await server.respond(
    to: ServerRequest(
      method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers,
      body: Array(body.utf8)))
}

private func json(_ response: ServerResponse) throws -> JSONValue { try JSONCoding.parse(response.body) }

private let all: String = "/graphql/execute.json/wknd-shared/adventures-all"
private let bySlug: String = "/graphql/execute.json/wknd-shared/adventure-by-slug"

private let pathCases: [(String, Int)] = [
  (all, 10), ("\(all);", 10), ("\(all)%3Blimit%3D3;", 3), ("\(all);limit=3", 3), ("\(all);offset=8;limit=5;", 2),
  ("\(all)%3Boffset%3D100;", 0), ("\(all);limit=0", 0), ("\(all);ts=1234567;unknown", 10), ("\(all);limit=null", 10),
  ("/graphql/execute.json//wknd-shared/adventures-all;limit=1", 1),
  ("/graphql/execute.json/wknd-shared%2Fadventures-all%3Blimit%3D1;", 1),
]

private let wrongCases: [(String, String)] = [
  ("\(all);limit=ten", "limit"), ("\(all);limit=-1", "limit"), ("\(all);offset=1.5", "offset"),
  ("\(all);sort=color", "sort"), ("\(all);sort=price%20UP", "direction"), ("\(all);imageFormat=BMP", "imageFormat"),
  (bySlug, "slug"), ("\(all);limit=99999999999999999999", "limit"),
]

private let refusals: [(String, String, String, Int, String)] = [
  ("/graphql/execute.json", "GET", "", 400, "Suffix: '/' does not contain a path"),
  ("/graphql/execute.json/", "GET", "", 400, "Suffix: '/' does not contain a path"),
  ("/graphql/execute.json/other/adventures-all", "GET", "", 404, "No suitable endpoint found"),
  ("/graphql/execute.json/wknd-shared", "GET", "", 404, "No suitable endpoint found"),
  ("/graphql/execute.json/wknd-shared/nothing", "GET", "", 404, "No persisted query found"),
  ("/graphql/execute.json/wknd-shared/%FF", "GET", "", 400, "UTF-8"), ("/%2", "GET", "", 400, "UTF-8"),
  ("/", "GET", "", 404, "Not Found"), (all, "DELETE", "", 405, "Method"),
  (all, "POST", "[", 400, "JSON"), (all, "POST", "{\"variables\":3}", 400, "JSON"),
]

@Suite(.timeLimit(.minutes(1)))
struct `A content server` {
  @Test func `lists adventures in the order of their paths`() async throws {
    let response = try await ask(all)
    #expect(response.status == 200)
    #expect(response.header("Content-Type") == "application/json;charset=utf-8")
    let value = try json(response)
    let items = try #require(value["data"]?["adventureList"]?["items"]?.arrayValue)
    #expect(items.count >= 8)
    let paths = items.compactMap { $0["_path"]?.stringValue }
    #expect(paths == paths.sorted() && paths.count == items.count)
    #expect(value["errors"] == nil)
    for item in items {
      #expect(item["price"]?.doubleValue != nil && item["description"] == nil)
      #expect(item["primaryImage"]?["_path"]?.stringValue?.hasSuffix(".png") == true)
    }
  }

  @Test func `gives one adventure whole`() async throws {
    let value = try json(await ask("\(bySlug);slug=thornwood-ridge-run"))
    let items = try #require(value["data"]?["adventureList"]?["items"]?.arrayValue)
    #expect(items.count == 1)
    #expect(items[0]["title"] == "Thornwood Ridge Run")
    for field in ["description", "itinerary", "gearList"] {
      #expect(items[0][field]?["html"]?.stringValue?.hasPrefix("<") == true)
      #expect(items[0][field]?["plaintext"]?.stringValue?.contains("<") == false)
    }
  }

  @Test func `gives no item for a slug that does not exist`() async throws {
    let value = try json(await ask("\(bySlug)%3Bslug%3Dnobody;"))
    #expect(value["data"]?["adventureList"]?["items"] == [])
  }

  @Test(arguments: pathCases)
  func `reads variables from the path`(target: String, count: Int) async throws {
    let value = try json(await ask(target))
    #expect(value["data"]?["adventureList"]?["items"]?.arrayValue?.count == count)
  }

  @Test(arguments: [
    ("price DESC, title ASC", "morrow-glacier-ski-tour"), ("price", "tidewalk-of-the-seven-sands"),
    ("groupSize DESC", "quarry-park-board-days"), ("difficulty ASC,price desc", "morrow"),
    ("", "ferrow-reef-surf-week"),
  ])
  func `sorts as it is told`(sort: String, first: String) async throws {
    let escaped = sort.replacing(" ", with: "%20").replacing(",", with: "%2C")
    let value = try json(await ask("\(all)%3Bsort%3D\(escaped);"))
    let slug = value["data"]?["adventureList"]?["items"]?[0]?["slug"]?.stringValue
    if sort.hasPrefix("difficulty") { #expect(slug == "osprey-cliffs-climb") } else { #expect(slug == first) }
  }

  @Test(arguments: wrongCases)
  func `reports wrong variables with status 200`(target: String, word: String) async throws {
    let response = try await ask(target)
    #expect(response.status == 200)
    let value = try json(response)
    #expect(value["errors"]?[0]?["message"]?.stringValue?.contains(word) == true)
    #expect(value["data"] == .null)
  }

  @Test(arguments: [
    ("{\"variables\":{\"limit\":2}}", 2), ("{\"variables\":null}", 10), ("{}", 10), ("", 10),
  ])
  func `runs queries by POST too`(body: String, count: Int) async throws {
    let value = try json(await ask(all, method: "POST", body: body))
    #expect(value["data"]?["adventureList"]?["items"]?.arrayValue?.count == count)
  }

  @Test func `knows text from numbers in a body`() async throws {
    let value = try json(await ask(all, method: "POST", body: "{\"variables\":{\"limit\":\"2\"}}"))
    #expect(value["data"] == .null)
  }

  @Test(arguments: refusals)
  func `refuses as AEM does`(target: String, method: String, body: String, status: Int, text: String) async throws {
    let response = try await ask(target, method: method, body: body)
    #expect(response.status == status)
    #expect(String(decoding: response.body, as: UTF8.self).contains(text))
  }

  @Test func `says how long its answers keep`() async throws {
    let publish = try await ask(all)
    #expect(publish.header("Cache-Control")?.hasPrefix("max-age=60, s-maxage=7200") == true)
    let short = try await ask(all, of: .init(maximumAge: 3))
    #expect(short.header("Cache-Control")?.hasPrefix("max-age=3,") == true)
  }

  @Test func `answers 304 to a client that has the answer`() async throws {
    let first = try await ask(all)
    let tag = try #require(first.header("ETag"))
    for value in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      let again = try await ask(all, headers: [ServerField("If-None-Match", value)])
      #expect(again.status == 304 && again.body.isEmpty)
      #expect(again.header("ETag") == tag && again.header("Cache-Control") != nil)
    }
    let other = try await ask("\(all);limit=1", headers: [ServerField("If-None-Match", tag)])
    #expect(other.status == 200)
  }

  @Test(arguments: [
    (ContentServer.Configuration.Authentication.basic(username: "admin", password: "pä:ss"), "Basic YWRtaW46cOQ6c3M="),
    (.token("abc"), "Bearer abc"),
  ])
  func `lets in only who may ask`(authentication: ContentServer.Configuration.Authentication, proof: String)
    async throws
  {
    let configuration = ContentServer.Configuration(authentication: authentication)
    let refused = try await ask(all, of: configuration)
    #expect(refused.status == 401 && refused.header("WWW-Authenticate") != nil)
    let wrong = try await ask(all, headers: [ServerField("Authorization", proof + "x")], of: configuration)
    #expect(wrong.status == 401)
    let right = try await ask(all, headers: [ServerField("authorization", proof)], of: configuration)
    #expect(right.status == 200)
  }

  @Test func `lists its persisted queries`() async throws {
    let value = try json(await ask("/graphql/list.json"))
    let queries = try #require(value[0]?["queries"]?.arrayValue)
    let names = queries.compactMap { $0["path"]?["shortForm"]?.stringValue }
    #expect(names == ["wknd-shared/adventures-all", "wknd-shared/adventure-by-slug"])
    #expect(try json(await ask("/graphql/list.json/other")) == [])
  }

  @Test func `goes wrong on request`() async throws {
    let page = try await ask(all, of: .init { _ in .loginPage })
    #expect(page.header("Content-Type")?.hasPrefix("text/html") == true)
    let partial = try json(await ask(all, of: .init { _ in .partial("half") }))
    #expect(partial["data"]?["adventureList"] != nil && partial["errors"]?[0]?["message"] == "half")
    let errors = try json(await ask(all, of: .init { $0 == "wknd-shared/adventures-all" ? .errors("none") : nil }))
    #expect(errors["data"] == .null)
  }

  @Test func `serves curl's requests over a socket`() async throws {
    try await ContentServer(configuration: .init(port: 0)).withRunning { address in
      let client = HTTPClient.patient
      let whole = try await client.send(HTTPRequest("GET", "\(address.url)\(all)%3Blimit%3D2;"))
      #expect(whole.status == 200)
      let head = try await client.send(HTTPRequest("HEAD", "\(address.url)\(all)%3Blimit%3D2;"))
      #expect(head.headers["Content-Length"] == "\(whole.body.count)")
      let tag = try #require(whole.headers["ETag"])
      let again = try await client.send(
        HTTPRequest("GET", "\(address.url)\(all)%3Blimit%3D2;", headers: ["If-None-Match": tag]))
      #expect(again.status == 304)
    }
  }
}
