import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import ContentServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Content of a publisher` {
  static let entitled = Caller.Identity.testing(entitlements: ["content"])
  static let answer = Content.Execute.Result(
    data: [
      "adventureList": ["items": [["title": "Caves", "price": 5], .null, ["title": "Reef", "price": "5 dollars"]]]
    ],
    errors: [Content.QueryError(message: "One is missing.", path: ["adventureList", "items", 1])], source: .stale,
    ageSeconds: 90)

  struct Adventures: Decodable, Sendable {
    struct List: Decodable, Sendable { var items: ContentItems<Adventure> }
    struct Adventure: Decodable, Sendable, Equatable {
      var title: String
      var price: Double?
    }
    var adventureList: List?
  }

  @Test func `is fetched by the host, with the variables in their order`() async throws {
    let kept = Kept<Content.Execute>()
    let host = TestHost(services: [
      ContentService { asked in
        kept.keep(asked)
        return Self.answer
      }
    ])
    let answer = try await host.inWidget(as: Self.entitled) {
      try await $0.content("wknd-shared/adventures-all", variables: ["z": 1, "a": "two", "m": .null], refresh: true)
    }
    #expect(answer == Self.answer)
    #expect(kept.value?.query == "wknd-shared/adventures-all" && kept.value?.refresh == true)
    #expect(kept.value?.variables?.map(\.key) == ["z", "a", "m"])
    #expect(kept.value?.variables?["a"] == "two")
  }

  @Test func `can be taken as a type of the author's`() async throws {
    let host = TestHost(services: [ContentService { _ in Self.answer }])
    let answer = try await host.inWidget(as: Self.entitled) {
      try await $0.content("wknd-shared/adventures-all", as: Adventures.self)
    }
    let items = try #require(answer.data.adventureList?.items)
    #expect(Array(items) == [.init(title: "Caves", price: 5)])
    #expect(items.problems.map(\.index) == [1, 2])
    #expect(items.problems[1].message.contains("price"), "\(items.problems)")
    #expect(answer.errors.map(\.message) == ["One is missing."])
    #expect(answer.source == .stale && answer.ageSeconds == 90 && answer.httpStatus == 200)
  }

  /// A host that notes whether content was asked for.
  private static func host(noting asked: Kept<Bool>) -> TestHost {
    TestHost(services: [
      ContentService { _ in
        asked.keep(true)
        return Self.answer
      }
    ])
  }

  @Test(arguments: [
    "", "adventures-all", "a/b/c", "/adventures-all", "wknd-shared/", "../etc", "wknd-shared/..", "a/b?c", "a/b;c=d",
    "a/%2e%2e", "a/b c", "https://example.com/a", "a//b", "wknd-shared/é",
  ])
  func `is not asked for by anything but two plain path segments`(query: String) async throws {
    let asked = Kept<Bool>()
    let host = Self.host(noting: asked)
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: Self.entitled) { _ = try await $0.content(query) }
    }
    #expect(caught?.code == .invalidParams)
    #expect(asked.value == nil)
  }

  @Test func `needs the entitlement`() async throws {
    let asked = Kept<Bool>()
    let host = Self.host(noting: asked)
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: .testing(entitlements: ["defaults"])) { _ = try await $0.content("a/b") }
    }
    #expect(caught?.code == .permissionDenied)
    #expect(caught?.details["permission"] == "content")
    #expect(caught?.recovery?.contains("Annex.Entitlements") == true)
    #expect(asked.value == nil)
  }

  @Test func `that cannot be fetched is an error with the reason`() async throws {
    let host = TestHost(services: [
      ContentService { _ in throw ExtensionError(.contentFailed, "The publisher answered 503.") }
    ])
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: Self.entitled) { _ = try await $0.content("a/b") }
    }
    #expect(caught?.code == .contentFailed)
    #expect(caught?.message == "The publisher answered 503.")
  }

  @Test func `of another shape is an error with its place`() async throws {
    struct Wrong: Decodable, Sendable { var adventureList: [String] }
    let host = TestHost(services: [ContentService { _ in Self.answer }])
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: Self.entitled) {
        _ = try await $0.content("wknd-shared/adventures-all", as: Wrong.self)
      }
    }
    #expect(caught?.code == .contentInvalid)
    #expect(caught?.message.contains("data.adventureList") == true, "\(String(describing: caught))")
    #expect(caught?.message.contains("One is missing.") == true)
  }

  @Test(arguments: [
    (["wknd-shared/adventures-all"], "wknd-shared/adventures-all", true),
    (["wknd-shared/*"], "wknd-shared/adventure-by-slug", true),
    (["wknd-shared/adventures-all"], "wknd-shared/adventure-by-slug", false),
    (["wknd-shared/*"], "wknd-shared-two/adventures-all", false), ([], "wknd-shared/adventures-all", false),
  ])
  func `is given for the queries of the manifest alone`(allowed: [String], query: String, isGiven: Bool) async throws {
    let asked = Kept<Bool>()
    var caller = Self.entitled
    caller.contentQueries = allowed.compactMap(ContentQueryPattern.init)
    let host = Self.host(noting: asked)
    do {
      _ = try await host.inWidget(as: caller) { try await $0.content(query) }
      #expect(isGiven)
    } catch let error as ExtensionError {
      #expect(!isGiven && error.code == .permissionDenied && error.recovery?.contains("Annex.Content") == true)
    }
    #expect((asked.value == true) == isGiven)
  }

  // MARK: Pictures

  @Test func `has pictures, which come as files`() async throws {
    let kept = Kept<Content.Image>()
    let host = TestHost(services: [
      ContentService { _ in
        Self.answer
      } image: { asked in
        kept.keep(asked)
        return ContentPicture(bytes: [1, 2, 3], mimeType: "image/png", source: .cache, ageSeconds: 4)
      }
    ])
    let image = try await host.inWidget(as: Self.entitled) {
      try await $0.contentImage("/content/dam/caves.png", width: 600, format: "PNG", quality: 80)
    }
    #expect(image.mimeType == "image/png" && image.bytes == 3 && image.source == .cache && image.ageSeconds == 4)
    #expect(!image.file.contains("/"))
    #expect(kept.value?.path == "/content/dam/caves.png" && kept.value?.width == 600 && kept.value?.refresh == nil)
  }

  @Test(arguments: [
    Content.Image(path: ""), Content.Image(path: "/a\nb"), Content.Image(path: "/a", width: 0),
    Content.Image(path: "/a", width: 1_000_000), Content.Image(path: "/a", height: 20_000),
    Content.Image(path: "/a", quality: 101), Content.Image(path: String(repeating: "/a", count: 5000)),
  ])
  func `has no pictures of sizes that nobody can mean`(asked: Content.Image) async throws {
    let host = TestHost(services: [
      ContentService { _ in
        Self.answer
      } image: { _ in
        ContentPicture(bytes: [], mimeType: "image/png", source: .cache)
      }
    ])
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: Self.entitled) { _ = try await $0.call(asked) }
    }
    #expect(caught?.code == .invalidParams)
  }

  // MARK: Pages

  struct Person: Decodable, Sendable { var name: String }

  /// A list of people, by cursor and by offset.
  private static func people(_ count: Int) -> TestHost {
    TestHost(services: [
      ContentService { asked in
        let variables = asked.variables ?? [:]
        let start =
          variables["after"]?.stringValue.flatMap(Int.init) ?? variables["offset"]?.integerValue.map { Int($0) } ?? 0
        let size = (variables["first"] ?? variables["limit"])?.integerValue.map { Int($0) } ?? 0
        let all = (start..<min(count, start + size)).map { JSONValue.object(["name": .string("\($0)")]) }
        if variables["first"] == nil {
          return Content.Execute.Result(data: ["personList": ["items": .array(all)]], source: .network)
        }
        let edges = all.map { JSONValue.object(["node": $0]) }
        let end = start + all.count
        let information: JSONValue = ["endCursor": .string("\(end)"), "hasNextPage": .bool(end < count)]
        return Content.Execute.Result(
          data: ["personPaginated": ["edges": .array(edges), "pageInfo": information]], source: .network)
      }
    ])
  }

  @Test(arguments: [ContentPaging.cursor(first: 3), .offset(limit: 3)], [0, 3, 7])
  func `has pages that end behind the last`(paging: ContentPaging, count: Int) async throws {
    let names = try await Self.people(count).inWidget(as: Self.entitled) { context in
      var names: [String] = []
      for try await page in context.contentPages("people/all", by: paging, of: Person.self) {
        names += page.items.map(\.name)
      }
      return names
    }
    #expect(names == (0..<count).map { "\($0)" })
  }

  @Test func `has pages that end when the server gives the same again`() async throws {
    let calls = Kept<Int>()
    let host = TestHost(services: [
      ContentService { _ in
        calls.keep((calls.value ?? 0) + 1)
        return Content.Execute.Result(data: ["personList": ["items": [["name": "a"]]]], source: .network)
      }
    ])
    let count = try await host.inWidget(as: Self.entitled) { context in
      var count = 0
      for try await page in context.contentPages("people/all", by: .offset(limit: 1), of: Person.self) {
        count += page.items.count
      }
      return count
    }
    #expect(count == 1 && calls.value == 2)
  }

  @Test func `has pages that go on behind the last edge, and end when its cursor comes again`() async throws {
    let host = TestHost(services: [
      ContentService { asked in
        let pages: [String: [String]] = ["": ["a", "b"], "b": ["c", "d"], "d": ["e", "b"]]
        let names = pages[asked.variables?["after"]?.stringValue ?? ""] ?? []
        let edges = names.map { JSONValue.object(["cursor": .string($0), "node": ["name": .string($0)]]) }
        return Content.Execute.Result(data: ["personPaginated": ["edges": .array(edges)]], source: .network)
      }
    ])
    let names = try await host.inWidget(as: Self.entitled) { context in
      var names: [String] = []
      for try await page in context.contentPages("people/all", by: .cursor(first: 2), of: Person.self) {
        names += page.items.map(\.name)
        #expect(page.errors == [] && page.source == .network)
      }
      return names
    }
    #expect(names == ["a", "b", "c", "d", "e", "b"])
  }

  @Test func `has pages that end with an error`() async throws {
    let calls = Kept<Int>()
    let host = TestHost(services: [
      ContentService { _ in
        calls.keep((calls.value ?? 0) + 1)
        throw ExtensionError(.contentFailed, "The publisher is gone.")
      }
    ])
    let count = try await host.inWidget(as: Self.entitled) { context in
      var iterator = context.contentPages("people/all", by: .offset(limit: 1), of: Person.self).makeAsyncIterator()
      let error = await #expect(throws: ExtensionError.self) { try await iterator.next() }
      #expect(error?.code == .contentFailed)
      return try await iterator.next()?.items.count
    }
    #expect(count == nil && calls.value == 1)
  }
}
