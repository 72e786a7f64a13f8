import ContentRepository
import HTTPServer
import JSON
import Synchronization
import Testing

@testable import ContentServer

@Suite(.timeLimit(.minutes(1)))
struct `A setting of the content server` {
  private let site: TestSite

  init() throws { site = try TestSite() }

  private func server(_ change: (inout ContentServer.Configuration) -> Void = { _ in }) throws -> ContentServer {
    var configuration = ContentServer.Configuration(port: 0, root: site.root)
    change(&configuration)
    return try ContentServer(configuration: configuration)
  }

  // MARK: Addresses

  @Test(arguments: [false, true], [false, true])
  func `is of which kind it is`(isAuthor: Bool, hasDynamicURLs: Bool) async throws {
    let server = try server {
      $0.isAuthor = isAuthor
      $0.hasDynamicURLs = hasDynamicURLs
    }
    let (author, publish) = ("http://localhost:4502", "http://localhost:4503")
    #expect(
      server.runOptions == RunOptions(hasDynamicURLs: hasDynamicURLs, authorURL: author, publishURL: publish))
    #expect(server.queryThread() == nil)
    try await server.withRunning { address in
      #expect(
        server.runOptions
          == RunOptions(
            hasDynamicURLs: hasDynamicURLs, authorURL: isAuthor ? address.url : author,
            publishURL: isAuthor ? publish : address.url))
      #expect(server.queryThread() != nil)
    }
    #expect(server.queryThread() == nil)
  }

  @Test func `is what a new one has`() {
    let configuration = ContentServer.Configuration()
    #expect(configuration.port == 4_503 && configuration.host == "127.0.0.1" && configuration.root == nil)
    #expect(!configuration.isAuthor && configuration.hasDynamicURLs && configuration.maximumAge == nil)
    #expect(!configuration.respondsWithGraphQLStatus && !configuration.replacesQueries)
  }

  // MARK: Content

  @Test func `hears what is wrong with the folder, and that it is well again`() throws {
    let heard = Mutex<[[String]]>([])
    var configuration = ContentServer.Configuration(root: site.root)
    configuration.reloaded = { problems in heard.withLock { $0.append(problems.map(\.file)) } }
    let server = try ContentServer(configuration: configuration)
    var generations = [server.generation]
    func reload(isFirst: Bool) -> [[String]] {
      server.reload(isFirst: isFirst)
      generations.append(server.generation)
      return heard.withLock { $0 }
    }
    #expect(reload(isFirst: true) == [])
    #expect(reload(isFirst: false) == [[]])
    try site.write("content/dam/site/trip-1.json", "{")
    #expect(reload(isFirst: true) == [[], ["content/dam/site/trip-1.json"]])
    #expect(reload(isFirst: false) == [[], ["content/dam/site/trip-1.json"], ["content/dam/site/trip-1.json"]])
    try site.write(trip: 1, price: 1)
    #expect(reload(isFirst: false).last == [])
    #expect(Set(generations).count == generations.count)
  }

  @Test func `is the age of answers, whatever a query says`() async throws {
    let server = try server { $0.maximumAge = 3 }
    let body = #"{"query": "{ __typename }", "cache-control": {"max-age": 300, "s-maxage": 4}}"#
    #expect(await ask("/graphql/persist.json/site/own", method: "POST", body: body, of: server).status == 201)
    #expect(
      await ask("/graphql/execute.json/site/own", of: server).header("Cache-Control")
        == "max-age=3, s-maxage=4, stale-while-revalidate=86400, stale-if-error=86400")
  }

  // MARK: Answers

  @Test func `is the type of an answer that the client wants, kept or not`() async throws {
    let server = try server()
    let accept = [ServerField("Accept", "application/graphql-response+json")]
    for _ in 0..<2 {
      let plain = await ask(TestSite.list, of: server)
      #expect(plain.header("Content-Type") == "application/json;charset=utf-8" && plain.header("Vary") == nil)
      let other = await ask(TestSite.list, headers: accept, of: server)
      #expect(other.header("Content-Type") == "application/graphql-response+json;charset=utf-8")
      #expect(other.header("Vary") == "Accept" && other.body == plain.body)
    }
  }

  @Test func `is no answer of another method`() async throws {
    let server = try server()
    let whole = await ask(TestSite.list, of: server)
    let posted = await ask(TestSite.list, method: "POST", body: #"{"variables": {"limit": 1}}"#, of: server)
    #expect(try json(posted)["data"]?["tripList"]?["items"]?.arrayValue?.count == 1)
    #expect(posted.header("Cache-Control") == nil && posted.header("ETag") == nil)
    let again = await ask(TestSite.list, of: server)
    #expect(again == whole && whole.header("ETag") != nil)
    #expect(await ask(TestSite.list, method: "HEAD", of: server).header("ETag") == whole.header("ETag"))
    #expect(await ask(TestSite.list, method: "DELETE", of: server).status == 405)
  }

  @Test(arguments: [
    ("/graphql/execute.json/site/trips", "DELETE", "GET, HEAD, POST"),
    ("/content/graphql/site/endpoint.json", "PUT", "GET, HEAD, POST"),
    ("/graphql/persist.json/site/trips", "GET", "PUT, POST"), ("/graphql/list.json", "POST", "GET, HEAD"),
    ("/content/graphql/site/endpoint.GQLschema", "POST", "GET, HEAD"),
    ("/content/dam/site/hill.png", "PUT", "GET, HEAD"),
    ("/libs/granite/core/content/login.html", "POST", "GET, HEAD"),
  ])
  func `is told to who asks by another method`(path: String, method: String, allowed: String) async throws {
    let answer = await ask(path, method: method, of: try server())
    #expect(answer.status == 405 && answer.header("Allow") == allowed)
  }

  // MARK: Lists

  @Test func `lists each configuration that has queries`() async throws {
    try site.write("persisted/alone/names.graphql", "{ tripList { items { title } } }")
    let server = try server()
    func list(_ suffix: String) async throws -> [String] {
      let lists = try json(await ask("/graphql/list.json\(suffix)", of: server)).arrayValue ?? []
      return lists.map { list in
        let names = list["queries"]?.arrayValue?.compactMap { $0["path"]?["shortForm"]?.stringValue } ?? []
        return "\(list["configurationName"]?.stringValue ?? ""): \(names.joined(separator: " "))"
      }
    }
    let (alone, shipped) = ("alone: alone/names", "site: site/trip-by-slug site/trips")
    for (suffix, lists) in [
      ("", [alone, shipped]), ("/", [alone, shipped]), ("/site", [shipped]), ("/alone/", [alone]), ("/none", []),
      ("/global", []), ("/site/trips", []),
    ] as [(String, [String])] {
      #expect(try await list(suffix) == lists, "\(suffix)")
    }
    for name in ["b", "a"] {
      let body = "{ __typename }"
      #expect(await ask("/graphql/persist.json/global/\(name)", method: "POST", body: body, of: server).status == 201)
      #expect(await ask("/graphql/persist.json/site/\(name)", method: "POST", body: body, of: server).status == 201)
    }
    #expect(try await list("") == [alone, "\(shipped) site/b site/a", "global: global/b global/a"])
    #expect(try await list("/global") == ["global: global/b global/a"])
    // A configuration without models has those of all.
    let answer = try json(await ask("/graphql/execute.json/alone/names;x", of: server))
    #expect(answer["data"]?["tripList"]?["items"]?.arrayValue?.count == 4)
  }

  // MARK: Authentication

  @Test(arguments: [
    ("Bearer abc", 200), ("bearer abc", 200), ("BEARER abc", 200), ("Bearer  abc", 401), ("Bearer abc ", 401),
    ("Bearer ab", 401), ("Bearer abcd", 401), ("Bearer ABC", 401), ("Bearer", 401), ("Bearer ", 401), ("abc", 401),
    ("Basic abc", 401), ("Token abc", 401), ("Bearer abc def", 401), ("", 401),
  ])
  func `is a token that has to be given as it is`(given: String, status: Int) async throws {
    let server = try server { $0.authentication = .token("abc") }
    let answer = await ask(TestSite.list, headers: [ServerField("Authorization", given)], of: server)
    #expect(answer.status == status)
    #expect(answer.header("WWW-Authenticate") == (status == 401 ? "Bearer" : nil))
  }

  @Test func `is a name and a password in Latin letters`() async throws {
    let server = try server { $0.authentication = .basic(username: "ÿ", password: "") }
    func status(_ proof: String) async -> Int {
      await ask(TestSite.list, headers: [ServerField("Authorization", "Basic \(proof)")], of: server).status
    }
    // The bytes FF 3A.
    #expect(await status("/zo=") == 200)
    #expect(await status("w786") == 401)
    let other = try self.server { $0.authentication = .basic(username: "Ā", password: "") }
    for proof in ["Og==", "OgA=", "xIA6", "ADo=", ""] {
      let answer = await ask(TestSite.list, headers: [ServerField("Authorization", "Basic \(proof)")], of: other)
      #expect(answer.status == 401)
      #expect(answer.header("WWW-Authenticate") == "Basic realm=\"Sling (Development)\"")
    }
  }
}
