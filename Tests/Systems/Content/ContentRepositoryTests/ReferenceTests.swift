import JSON
import Testing
import Text

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `A reference of a fragment` {
  private static let files = [
    "models/r/leaf.json": """
    {"fields": [{"name": "name", "type": "text"}, {"name": "links", "type": "content", "multiple": true},
      {"name": "text", "type": "multiLine", "format": "markdown"}, {"name": "data", "type": "json"},
      {"name": "next", "type": "fragment", "models": ["leaf"]}]}
    """,
    "models/q/other.json": #"{"fields": [{"name": "name", "type": "text"}]}"#,
    "content/dam/q/x.json": #"{"model": "other", "fields": {"name": "X"}}"#,
    "content/dam/r/a.json": """
    {"model": "leaf", "fields": {"name": "A", "data": "/content/dam/r/b", "next": "/content/dam/r/c",
      "links": ["/content/site/one.html", "/content/dam/r/b", "/elsewhere", "/content/site/two", "/content/dam/r/f.pdf"],
      "text": "[x](/content/dam/none) [y](https://example.com/a) [z](/content/site/three.html#top) [b](/content/dam/r/b)"}}
    """,
    "content/dam/r/b.json": #"{"model": "leaf", "fields": {"name": "B", "links": ["/content/dam/q/x"]}}"#,
    "content/dam/r/c.json":
      #"{"model": "leaf", "fields": {"name": "C"}, "variations": {"v": {"fields": {"name": "CV"}}}}"#,
    "content/dam/r/f.pdf": "f", "content/dam/r/f.pdf.json": #"{"author": "Me", "title": "F"}"#,
  ]

  private static func item(
    _ name: String, _ selection: String, configuration: String? = nil, options: RunOptions = RunOptions()
  ) async throws -> JSONValue? {
    let query = "{ leafByPath(_path: \"/content/dam/r/\(name)\") { item { \(selection) } } }"
    let answer = await (try Samples.state(files)).run(query, configuration: configuration, options: options)
    #expect(answer["errors"] == nil, "\(answer["errors"]?.description ?? "")")
    return answer["data"]?["leafByPath"]?["item"]
  }

  @Test func `leads to pages, assets and fragments, and to nothing else`() async throws {
    let parts = "__typename ... on PageRef { _path } ... on LeafModel { name } ... on DocumentRef { _path author }"
    let item = try await Self.item("a", "links { \(parts) } _references { \(parts) }")
    let (one, two): (JSONValue, JSONValue) = (
      ["__typename": "PageRef", "_path": "/content/site/one"], ["__typename": "PageRef", "_path": "/content/site/two"]
    )
    let b: JSONValue = ["__typename": "LeafModel", "name": "B"]
    let file: JSONValue = ["__typename": "DocumentRef", "_path": "/content/dam/r/f.pdf", "author": "Me"]
    #expect(item?["links"] == [one, b, .null, two, file])
    // In the order of the fields; a reference of a field of fragments is none of the content.
    let three: JSONValue = ["__typename": "PageRef", "_path": "/content/site/three"]
    #expect(item?["_references"] == [one, b, two, file, three])
  }

  @Test func `leads to no fragment whose model the endpoint does not have`() async throws {
    let parts = "links { __typename } _references { __typename }"
    #expect(
      try await Self.item("b", parts)
        == ["links": [["__typename": "OtherModel"]], "_references": [["__typename": "OtherModel"]]])
    #expect(try await Self.item("b", parts, configuration: "r") == ["links": [.null], "_references": []])
  }

  @Test func `has addresses of its own kind`() async throws {
    let parts = """
      links { ... on PageRef { type _authorUrl _publishUrl } ... on DocumentRef { type title: format _authorUrl _publishUrl } }
      """
    let none = try await Self.item("a", parts)?["links"]
    #expect(none?[0] == ["type": "page", "_authorUrl": .null, "_publishUrl": .null])
    #expect(
      none?[4] == ["type": "document", "title": "application/pdf", "_authorUrl": .null, "_publishUrl": .null])
    let both = try await Self.item("a", parts, options: RunOptions(authorURL: "http://a", publishURL: "http://p"))
    #expect(
      both?["links"]?[0] == [
        "type": "page", "_authorUrl": "http://a/content/site/one.html", "_publishUrl": "http://p/content/site/one.html",
      ])
    #expect(both?["links"]?[4]?["_authorUrl"] == "http://a/content/dam/r/f.pdf")
    #expect(both?["links"]?[4]?["_publishUrl"] == "http://p/content/dam/r/f.pdf")
  }

  @Test func `is one, with the ending of its address and without`() async throws {
    var files = Self.files
    files["content/dam/r/twice.json"] = """
      {"model": "leaf", "fields": {"links": ["/content/s/a", "/content/s/a.html", "/content/s/b.html", "/content/s/b"]}}
      """
    let answer = await (try Samples.state(files)).run(
      "{ leafByPath(_path: \"/content/dam/r/twice\") { item { _references { ... on PageRef { _path } } } } }")
    let found = answer["data"]?["leafByPath"]?["item"]?["_references"]
    #expect(found == [["_path": "/content/s/a"], ["_path": "/content/s/b"]])
  }

  @Test func `is one of ten thousand at most`() async throws {
    let links = (0...10_000).map { "\"/content/s/p\($0)\"" }.joined(separator: ",")
    var files = Self.files
    files["content/dam/r/many.json"] = #"{"model": "leaf", "fields": {"links": [\#(links)]}}"#
    let answer = await (try Samples.state(files)).run(
      "{ leafByPath(_path: \"/content/dam/r/many\") { item { _references { ... on PageRef { _path } } } } }")
    let found = answer["data"]?["leafByPath"]?["item"]?["_references"]?.arrayValue
    #expect(found?.count == 10_000 && found?.last?["_path"] == "/content/s/p9999")
  }

  // MARK: What is kept

  @Test func `is sorted once for each order, until there are too many`() throws {
    let list = FragmentList([])
    var made = 0
    func order(_ name: String, _ choice: FragmentList.Choice = FragmentList.Choice()) -> [Int32] {
      list.order(choice, name) {
        made += 1
        return [Int32(made)]
      }
    }
    #expect(order("0") == [1] && order("0") == [1] && made == 1)
    #expect(order("0", FragmentList.Choice(variation: "v")) == [2])
    #expect(order("0", FragmentList.Choice(includesVariations: true)) == [3] && order("0") == [1])
    for number in 1..<30 { #expect(order("\(number)") == [Int32(number + 3)]) }
    // All 32 are known.
    #expect(order("0") == [1] && order("29") == [32] && made == 32)
    #expect(order("30") == [33] && order("0") == [34] && order("30") == [33] && made == 34)
  }

  @Test func `is not sorted by what failed`() throws {
    struct Failure: Error {}
    let list = FragmentList([])
    #expect(throws: Failure.self) { try list.order(FragmentList.Choice(), "a") { throw Failure() } }
    #expect(list.order(FragmentList.Choice(), "a") { [7] } == [7])
  }

  @Test func `is counted with the texts of an answer`() throws {
    let endpoint = try #require(Samples.state?.endpoint("demo"))
    let mebibyte = JSONValue.string(String(repeating: "é", count: 1 << 19))
    let texts = RunScope(graph: .empty, endpoint: endpoint, options: RunOptions())
    for _ in 0..<63 { try texts.count(mebibyte) }
    try texts.count(.string(String(repeating: "a", count: (1 << 20) - 1)))
    try texts.count("")
    for _ in 0..<2 { #expect(throws: (any Error).self) { try texts.count("a") } }
    let trees = RunScope(graph: .empty, endpoint: endpoint, options: RunOptions())
    for _ in 0..<16_383 { try trees.count([]) }
    #expect(throws: (any Error).self) { try trees.count([]) }
  }
}
