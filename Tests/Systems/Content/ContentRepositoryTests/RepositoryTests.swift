import ContentRepository
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The built-in content` {
  static let state: ContentState? = try? ContentRepository(root: nil).state

  static func run(_ name: String, _ variables: JSONObject) async throws -> JSONObject {
    let state = try #require(state)
    let query = try #require(state.persistedQueries(configuration: "wknd-shared").first { $0.name == name })
    return await state.run(query.text, variables: variables, variablesAreText: true, configuration: "wknd-shared")
  }

  static let adventures = "/content/dam/wknd-shared/en/adventures"

  @Test(
    arguments: [
      ("adventures-all", [:], 16), ("adventures-all", ["offset": "14"], 2), ("adventures-all", ["limit": "3"], 3),
      ("adventure-by-slug", ["slug": "bali-surf-camp", "imageSeoName": "x", "timestamp": "7"], 1),
      ("adventure-by-price", ["price": "5000", "priceOperator": "EQUAL"], 1),
      ("adventure-by-price", ["price": "100.00", "priceOperator": "LOWER"], 3),
      ("adventures-by-activity", ["activity": "SURFING"], 2), ("article-by-slug", ["slug": "five-huts"], 1),
      ("article-by-author", ["authorFirstName": "Sofia", "authorLastName": "Sjöberg"], 2),
    ] as [(String, JSONObject, Int)])
  func `answers the queries for lists`(name: String, variables: JSONObject, count: Int) async throws {
    let answer = try await Self.run(name, variables)
    #expect(answer["errors"] == nil, "\(answer["errors"]?.description ?? "")")
    #expect(answer["data"]?.objectValue?.first?.value["items"]?.arrayValue?.count == count)
  }

  @Test func `answers the queries for one and for pages`() async throws {
    let path = "\(Self.adventures)/bali-surf-camp/bali-surf-camp"
    let bali = try await Self.run("adventure-by-path", ["adventurePath": .string(path)])["data"]?["adventureByPath"]
    #expect(bali?["item"]?["price"] == 5000.0 && bali?["item"]?["groupSize"] == 6)
    #expect(bali?["_references"]?.arrayValue?.map { $0["__typename"] } == ["AdventureModel", "ImageRef"])
    #expect(bali?["_references"]?[0]?["slug"] == "ferrow-reef-surf-week")
    let huts = "/content/dam/wknd-shared/en/magazine/five-huts/five-huts"
    let article = try await Self.run("article-by-path", ["articlePath": .string(huts)])["data"]?["articleByPath"]
    #expect(article?["item"]?["authorFragment"]?["lastName"] == "Orrell")
    let page = try await Self.run("articles-all", ["first": "3"])["data"]?["articlePaginated"]
    #expect(page?["edges"]?.arrayValue?.count == 3 && page?["pageInfo"]?["hasNextPage"] == true)
    let rest = try await Self.run("articles-all", ["after": page?["pageInfo"]?["endCursor"] ?? .null])
    #expect(rest["data"]?["articlePaginated"]?["edges"]?.arrayValue?.count == 1)
  }

  @Test func `has nine queries and their pictures`() async throws {
    let repository = try ContentRepository(root: nil) { name, width, height in Array("\(name) \(width)x\(height)".utf8)
    }
    let state = repository.state
    #expect(state.configurationNames == ["wknd-shared"])
    #expect(
      state.persistedQueries(configuration: "wknd-shared").map(\.name) == [
        "adventure-by-path", "adventure-by-price", "adventure-by-slug", "adventures-all", "adventures-by-activity",
        "article-by-author", "article-by-path", "article-by-slug", "articles-all",
      ])
    let answer = try await Self.run(
      "adventures-all", ["imageWidth": "50", "imageQuality": "100", "sort": "price DESC"])
    let first = answer["data"]?["adventureList"]?["items"]?[0]
    let url = try #require(first?["primaryImage"]?["_dynamicUrl"]?.stringValue)
    #expect(url.hasSuffix("/bali-surf-camp.jpg?preferwebp=true&width=50&quality=100"))
    let id = String(url.dropFirst("/adobe/dynamicmedia/deliver/dm-aid--".count).prefix(36))
    #expect(try state.asset(id: id)?.bytes() == Array("bali-surf-camp 600x400".utf8))
    #expect(repository.folders.isEmpty && repository.reload().isEmpty)
  }
}
