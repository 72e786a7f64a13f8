import ContentRepository
import JSON
import Testing

@Suite(.timeLimit(.minutes(4))) struct `A hostile query` {
  static func nested(_ open: String, _ middle: String, _ close: String, _ count: Int) -> String {
    String(repeating: open, count: count) + middle + String(repeating: close, count: count)
  }

  @Test func `follows a circle of fragments only as deep as it is itself`() async throws {
    let query = "{ personList { items { \(Self.nested("friend { ", "name", " }", 40)) } } }"
    let items = try await Samples.answer(query)["data"]?["personList"]?["items"]?.arrayValue
    var item = items?.first { $0["friend"]?.isNull == false }
    for _ in 0..<40 { item = item?["friend"] }
    #expect(item?["name"]?.stringValue != nil)
    let deeper = try await Samples.errors("{ personList { items { \(Self.nested("friend { ", "name", " }", 400)) } } }")
    #expect(deeper.count == 1 && deeper[0].contains("deeper than"))
  }

  /// Two persons that like each other ten times.
  static let crowd: ContentState? = {
    let likes = (0..<10).map { "\"/content/dam/c/\($0 % 2)\"" }.joined(separator: ",")
    var files = [
      "models/c/person.json": """
      {"fields": [{"name": "name", "type": "text"}, {"name": "likes", "type": "fragment", "models": ["person"],
        "multiple": true}, {"name": "text", "type": "multiLine", "format": "plaintext"}]}
      """
    ]
    let text = String(repeating: "long ", count: 40_000)
    for number in 0..<2 {
      files["content/dam/c/\(number).json"] =
        #"{"model": "person", "fields": {"name": "\#(number)", "likes": [\#(likes)], "text": "\#(text)"}}"#
    }
    return try? Samples.state(files)
  }()

  @Test func `that grows without end is ended`() async throws {
    let state = try #require(Self.crowd)
    let query = "{ personList { items { \(Self.nested("likes { ", "name", " }", 20)) } } }"
    let answer = await state.run(query, configuration: "c")
    #expect(answer["errors"]?[0]?["extensions"]?["classification"] == "ExecutionAborted")
    #expect(answer["errors"]?[0]?["message"]?.stringValue?.contains("more than 1000000 values") == true)
  }

  @Test func `that filters through circles without end is ended`() async throws {
    let state = try #require(Self.crowd)
    let filter = Self.nested(
      "likes: {_apply: ALL, _match: {", "name: {_expressions: {value: null, _operator: EQUALS_NOT}}", "}}", 20)
    let answer = await state.run("{ personList(filter: {\(filter)}) { items { name } } }", configuration: "c")
    #expect(answer["errors"]?[0]?["message"]?.stringValue?.contains("The filter compares too much.") == true)
    #expect(answer["errors"]?[0]?["extensions"]?["classification"] == "ExecutionAborted")
  }

  @Test func `that asks for one text very often is ended`() async throws {
    let state = try #require(Self.crowd)
    let fields = (0..<500).map { "t\($0): text { plaintext html markdown }" }.joined(separator: " ")
    let answer = await state.run("{ personList { items { \(fields) } } }", configuration: "c")
    #expect(answer["errors"]?[0]?["message"]?.stringValue?.contains("64 MiB of text") == true)
  }

  @Test(arguments: [
    "{ personList { items { ...A } } } fragment A on PersonModel { likes { ...A } }",
    "{ personList(first: 1) { items { name } } }",
    "{ personList(sort: \"\(String(repeating: "name,", count: 9_000))\") { items { name } } }",
    "{ personList(sort: \"likes.likes.likes\") { items { name } } }", "mutation { personList { items { name } } }",
    "subscription { personList { items { name } } }", "type A { b: Int }", "{", "\u{0}",
    "query { personPaginated(first: -1) { edges { cursor } } }",
    "{ __schema { types { \(nested("ofType { ", "name", " }", 300)) } } }",
    "{ personById(_id: 7.5) { item { name } } }",
  ])
  func `gets an error and no data`(query: String) async throws {
    let answer = try await #require(Self.crowd).run(query, configuration: "c")
    #expect(answer["errors"]?.arrayValue?.isEmpty == false && answer["data"] == .null)
  }

  @Test func `for the schema gets it`() async throws {
    let answer = try await Samples.answer(
      "{ __schema { queryType { name fields { name } } } __type(name: \"Reference\") { possibleTypes { name } } }")
    #expect(answer["data"]?["__schema"]?["queryType"]?["name"] == "QueryType")
    #expect(answer["data"]?["__schema"]?["queryType"]?["fields"]?.arrayValue?.count == 16)
    #expect(answer["data"]?["__type"]?["possibleTypes"]?.arrayValue?.count == 9)
    let text = try #require(Samples.state?.schemaText(configuration: "demo"))
    for line in [
      "cityByPath(_path: String!, variation: String, _assetTransform: AssetTransform): CityModelResult!",
      "likes: [AllFragmentModels]", "photo: ImageRef", "picture: Reference", "employees: [PersonModel]",
      "employees: PersonModelArrayFilter", "ceo: PersonModelFilter", "visited: CalendarFilter",
      "words: MultiFormatStringFilter", "union Reference = ImageRef | ",
    ] {
      #expect(text.contains(line), "\(line)")
    }
    #expect(Samples.state?.schemaText(configuration: nil) == text)
    #expect(Samples.state?.schemaText(configuration: "none") == nil)
  }
}

@Suite(.timeLimit(.minutes(4))) struct `A hostile content` {
  static let model = #"{"fields": [{"name": "json", "type": "json"}, {"name": "text", "type": "multiLine"}]}"#

  static func problems(_ files: [String: String]) -> [ContentProblem] {
    do throws(ContentProblems) {
      _ = try ContentRepository(files: files.mapValues { Array($0.utf8) })
      return []
    } catch {
      return error.problems
    }
  }

  @Test(arguments: [50, 100, 100_000])
  func `is read as deep as it may be`(depth: Int) {
    let json = `A hostile query`.nested("[", "1", "]", depth)
    let found = Self.problems([
      "models/h/a.json": Self.model, "content/dam/h/a.json": #"{"model": "a", "fields": {"json": \#(json)}}"#,
    ])
    #expect(found.map(\.message) == (depth < 64 ? [] : ["Arrays and objects are nested more than 64 deep."]))
  }

  @Test func `with texts that are too deep is refused at its place`() {
    let html = `A hostile query`.nested("<ul><li>", "a", "</li></ul>", 2_000)
    let found = Self.problems([
      "models/h/a.json": Self.model,
      "content/dam/h/a.json": "{\"model\": \"a\", \"fields\": {\n\"text\": \"\(html)\"}}",
    ])
    #expect(found.count == 1 && found[0].line == 2 && found[0].column == 9)
    #expect(found.first?.message.hasPrefix("The field \"text\" cannot be read") == true)
  }

  @Test func `has as many problems as are shown`() {
    let fields = (0..<500).map { "\"f\($0)\": 1" }.joined(separator: ",\n")
    let found = Self.problems([
      "models/h/a.json": Self.model, "content/dam/h/a.json": "{\"model\": \"a\", \"fields\": {\(fields)}}",
    ])
    #expect(found.count == 100 && found[99].line == 100)
  }

  @Test func `shows nothing that a terminal obeys`() {
    let found = Self.problems([
      "models/h/a.json": Self.model,
      "content/dam/h/a.json":
        "{\"model\": \"a\", \"fields\": {\"\\u001b[31m\\u202e\(String(repeating: "x", count: 9_000))\": 1}}",
    ])
    let text = found.first?.description ?? ""
    #expect(
      found.count == 1 && text.utf8.count < 600
        && !text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
  }

  @Test func `may hold names that mean something to schemas`() throws {
    let models = ["string", "reference", "image", "page-info", "query", "multi-format-string", "all-fragment"]
    var files: [String: String] = [:]
    for name in models { files["models/h/\(name).json"] = #"{"fields": [{"name": "type", "type": "text"}]}"# }
    #expect(Self.problems(files) == [])
    files["models/i/string.json"] = #"{"fields": [{"name": "query", "type": "fragment", "models": ["h/query"]}]}"#
    let state = try Samples.state(files)
    #expect(state.configurationNames == ["h", "i"])
    #expect(state.schemaText(configuration: nil)?.contains("type String2Model {") == true)
    #expect(state.schemaText(configuration: "i")?.contains("query: QueryModel") == true)
  }
}
