import ImageFile
import ContentServer
import GraphQL
import HTTPServer
import Images
import JSON
import Testing

private let execute = "/graphql/execute.json/wknd-shared"
private let bali = "%2Fcontent%2Fdam%2Fwknd-shared%2Fen%2Fadventures%2Fbali-surf-camp%2Fbali-surf-camp"
private let article = "%2Fcontent%2Fdam%2Fwknd-shared%2Fen%2Fmagazine%2Ffive-huts%2Ffive-huts"

/// The nine queries of the sample site: their variables, the member of the data, and how many there are at least.
private let nine: [(String, String, ClosedRange<Int>)] = [
  ("adventures-all", "adventureList", 16...16), ("adventures-all%3Blimit%3D3;", "adventureList", 3...3),
  ("adventures-all;offset=14;limit=5", "adventureList", 2...2),
  ("adventure-by-slug%3Bslug%3Dbali-surf-camp;", "adventureList", 1...1),
  ("adventure-by-slug%3Bslug%3Dnobody;", "adventureList", 0...0),
  ("adventure-by-price%3Bprice%3D100%3BpriceOperator%3DLOWER;", "adventureList", 1...8),
  ("adventure-by-price%3Bprice%3D5000%3BpriceOperator%3DEQUAL;", "adventureList", 1...1),
  ("adventures-by-activity%3Bactivity%3Dsurfing;", "adventureList", 1...8),
  ("article-by-author%3BauthorFirstName%3DSofia%3BauthorLastName%3DNobody;", "articleList", 0...0),
]

private let others: [(String, String)] = [
  ("adventure-by-path%3BadventurePath%3D\(bali);", "adventureByPath"),
  ("articles-all%3Bfirst%3D2;", "articlePaginated"),
  ("article-by-path%3BarticlePath%3D\(article);", "articleByPath"),
]

@Suite(.timeLimit(.minutes(1)))
struct `The built-in content of the server` {
  private static let shared = Result { try ContentServer() }
  private var server: ContentServer { get throws { try Self.shared.get() } }

  private func data(_ query: String) async throws -> JSONValue {
    let value = try json(await ask("\(execute)/\(query)", of: try server))
    #expect(value["errors"] == nil, "\(value)")
    return try #require(value["data"])
  }

  @Test(arguments: nine)
  func `answers its queries`(query: String, member: String, count: ClosedRange<Int>) async throws {
    let items = try #require(try await data(query)[member]?["items"]?.arrayValue)
    #expect(count.contains(items.count), "\(items.count)")
  }

  @Test(arguments: others)
  func `answers its queries of one and of pages`(query: String, member: String) async throws {
    let found = try #require(try await data(query)[member])
    let first = found["item"] ?? found["edges"]?[0] ?? .null
    #expect(first != .null, "\(found)")
  }

  @Test func `lists them`() async throws {
    let value = try json(await ask("/graphql/list.json", of: try server))
    #expect(value[0]?["configurationName"] == "wknd-shared")
    let names = value[0]?["queries"]?.arrayValue?.compactMap { $0["path"]?["shortForm"]?.stringValue }
    #expect(
      names?.sorted()
        == [
          "adventure-by-path", "adventure-by-price", "adventure-by-slug", "adventures-all", "adventures-by-activity",
          "article-by-author", "article-by-path", "article-by-slug", "articles-all",
        ].map { "wknd-shared/\($0)" })
  }

  @Test func `turns its pages`() async throws {
    var (cursor, seen) = ("", [JSONValue]())
    for _ in 0..<9 {
      let page = try #require(try await data("articles-all%3Bfirst%3D1%3Bafter%3D\(cursor);")["articlePaginated"])
      seen += page["edges"]?.arrayValue?.compactMap { $0["node"]?["_path"] } ?? []
      guard page["pageInfo"]?["hasNextPage"] == true else { break }
      let next = try #require(page["pageInfo"]?["endCursor"]?.stringValue)
      cursor = next.utf8.map { byte in
        let digits = String(byte, radix: 16)
        return "%" + (digits.count == 1 ? "0" : "") + digits
      }.joined()
    }
    #expect(seen.count >= 3 && Set(seen).count == seen.count)
  }

  @Test func `has a price and a link that people know`() async throws {
    let found = try await data("adventure-by-slug%3Bslug%3Dbali-surf-camp;")["adventureList"]
    #expect(found?["items"]?[0]?["price"]?.doubleValue == 5000)
    #expect(found?["_references"]?.arrayValue?.isEmpty == false)
  }

  @Test func `has types that can be read`() async throws {
    for name in ["wknd-shared", "global"] {
      let response = await ask("/content/cq:graphql/\(name)/endpoint.GQLschema", of: try server)
      let schema = try GraphQLSchema([GraphQLSource(text(response))])
      for query in try #require(json(await ask("/graphql/list.json", of: try server))[0]?["queries"]?.arrayValue) {
        let document = try GraphQLParser.parse(GraphQLSource(query["data"]?["query"]?.stringValue ?? ""))
        #expect(GraphQLValidation.errors(in: document, schema).isEmpty)
      }
    }
  }

  @Test func `draws its pictures, each another, in the format of their names`() async throws {
    let items = try #require(
      try await data("adventures-all;limit=5;imageWidth=60;imageFormat=JPG")["adventureList"]?["items"]?.arrayValue)
    var seen: Set<[UInt8]> = []
    for item in items {
      let picture = try #require(item["primaryImage"])
      let url = try #require(picture["_dynamicUrl"]?.stringValue)
      let small = await ask(url, of: try server)
      #expect(small.status == 200 && ImageFormat(small.body) == .jpeg, "\(url)")
      #expect(try ImageRendering.size(of: small.body).width == 60)
      seen.insert(small.body)
    }
    #expect(seen.count == items.count)
    let path = try #require(items[0]["primaryImage"]?["_path"]?.stringValue)
    let whole = await ask(path, of: try server)
    #expect(ImageFormat(whole.body)?.mimeType == whole.header("Content-Type"))
    #expect(items[0]["primaryImage"]?["mimeType"]?.stringValue == whole.header("Content-Type"))
    let size = try ImageRendering.size(of: whole.body)
    #expect(items[0]["primaryImage"]?["width"] == .integer(Int64(size.width)))
  }

  @Test func `goes wrong in AEM's words`() async throws {
    let value = try json(await ask("\(execute)/adventure-by-slug", of: try server))
    #expect(value["errors"]?[0]?["message"]?.stringValue?.contains("slug") == true)
    #expect(value["errors"]?[0]?["extensions"]?["classification"] == "ValidationError")
  }
}
