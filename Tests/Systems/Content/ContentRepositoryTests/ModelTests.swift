import Pattern
import Testing

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `A model of the content` {
  @Test(arguments: [
    ("a", true), ("z", true), ("A", true), ("Z", true), ("_", true), ("_1", true), ("a0_Z9", true), ("", false),
    ("0a", false), ("9a", false), ("a-b", false), ("a b", false), ("a.b", false), ("é", false), ("a@", false),
    ("a[", false), ("a`", false), ("a{", false), ("a/", false), ("a:", false), ("a\u{301}", false),
    (String(repeating: "a", count: 200), true), (String(repeating: "a", count: 201), false),
  ])
  func `has names of letters and digits`(name: String, isOne: Bool) { #expect(ModelReader.isName(name) == isOne) }

  @Test(arguments: [
    ("hero", "hero"), ("Hero", "hero"), ("FAQ", "fAQ"), ("hero-banner", "heroBanner"), ("Hero-Banner", "heroBanner"),
    ("a.b_c d", "aBCD"), ("--a--b--", "aB"), ("2nd-page", "2ndPage"), ("page-2", "page2"), ("é-x", "x"), ("xéy", "xY"),
    ("-", ""), ("", ""),
  ])
  func `has a name for queries`(name: String, query: String) { #expect(ModelReader.queryName(name) == query) }

  /// The model of a file, and the messages.
  private static func read(_ json: String) throws -> (model: ContentModel?, messages: [String]) {
    let file = try SourceFile(path: "models/s/hero-banner.json", stamp: "", bytes: Array(json.utf8))
    var problems = ContentProblemList(limit: 100)
    let model = ModelReader(file: file, configuration: "s", name: "hero-banner").model(&problems)
    return (model, problems.sorted.map(\.message))
  }

  @Test func `is what its file says`() throws {
    let (model, messages) = try Self.read(
      """
      {"title": "Hero", "description": "Words", "queryName": "top_1", "fields": [
        {"name": "a", "type": "text", "title": "T", "description": "D", "required": true, "unique": true, "pattern": "^a$"},
        {"name": "b", "type": "integer", "multiple": true, "required": false, "default": [1, 2]},
        {"name": "c", "type": "tags"}, {"name": "d", "type": "multiLine"},
        {"name": "e", "type": "multiLine", "format": "plaintext"}, {"name": "f", "type": "enumeration", "values": ["x", "y"]},
        {"name": "g", "type": "content", "accepts": ["image", "page"]}, {"name": "h", "type": "content"},
        {"name": "i", "type": "fragment", "models": ["one", "other/two"]}, {"name": "j", "type": "json", "pattern": null},
        {"name": "k", "type": "multiLine", "format": null, "title": null}]}
      """)
    #expect(messages == [])
    let found = try #require(model)
    #expect(
      found.title == "Hero" && found.words == "Words" && found.queryName == "top_1" && found.name == "hero-banner")
    #expect(found.key == "s/hero-banner" && found.path == "/conf/s/settings/dam/cfm/models/hero-banner")
    #expect(
      found.fields.map(\.type) == [
        .text, .integer, .tags, .multiLine(.html), .multiLine(.plaintext), .enumeration(["x", "y"]),
        .content(accepts: [.image, .page]), .content(accepts: []), .fragment(models: ["s/one", "other/two"]), .json,
        .multiLine(.html),
      ])
    #expect(found.fields.map(\.isMultiple) == [false, true, true] + Array(repeating: false, count: 8))
    #expect(found.fields.map(\.isRequired) == [true] + Array(repeating: false, count: 10))
    #expect(found.fields.map(\.isUnique) == [true] + Array(repeating: false, count: 10))
    #expect(found.fields.map { $0.pattern?.text } == ["^a$"] + Array(repeating: nil, count: 10))
    #expect(found.fields[0].title == "T" && found.fields[1].title == nil && found.fields[10].title == nil)
    #expect(found.position(of: "a") == 0 && found.position(of: "k") == 10 && found.position(of: "z") == nil)
    guard case .list(let values) = found.fields[1].defaultValue else {
      Issue.record("no default")
      return
    }
    #expect(values.count == 2 && found.fields[0].defaultValue.elements.isEmpty)
  }

  @Test func `has the name of its file where it says none`() throws {
    let (model, messages) = try Self.read(#"{"fields": [{"name": "a", "type": "text"}]}"#)
    #expect(model?.title == "hero-banner" && model?.queryName == "heroBanner" && model?.words == nil && messages == [])
  }

  private static let noName = "A field has a name of letters, digits and _, which does not begin with _."

  @Test(
    arguments: [
      (#"{"title": 5, "fields": [{"name": "a", "type": "text"}]}"#, ["\"title\" is a text, not a number."]),
      (#"{"fild": 5, "fields": [{"name": "a", "type": "text"}]}"#, ["There is no member \"fild\" of a model."]),
      (#"{"fields": []}"#, ["The model has no fields."]), (#"{"fields": {}}"#, ["The model has no fields."]),
      (#"{"queryName": "a-b", "fields": []}"#, ["\"a-b\" is not a name for queries."]),
      (#"{"fields": [5]}"#, [noName]), (#"{"fields": [{"name": 5, "type": "text"}]}"#, [noName]),
      (#"{"fields": [{"name": "_a", "type": "text"}]}"#, [noName]), (#"{"fields": [{"type": "text"}]}"#, [noName]),
      (#"{"fields": [{"name": "a", "type": 5}]}"#, ["The field \"a\" has no type that is known."]),
      (#"{"fields": [{"name": "a", "type": "Text"}]}"#, ["The field \"a\" has no type that is known."]),
      (#"{"fields": [{"name": "a", "type": "text", "x": 1}]}"#, ["There is no member \"x\" of a field."]),
      (
        #"{"fields": [{"name": "a", "type": "text"}, {"name": "b", "type": "text"}, {"name": "a", "type": "long"}]}"#,
        ["There are two fields \"a\"."]
      ),
      (#"{"fields": [{"name": "a", "type": "text", "pattern": 5}]}"#, ["\"pattern\" is a text, not a number."]),
      (#"{"fields": [{"name": "a", "type": "text", "pattern": "("}]}"#, ["The pattern of \"a\" is not understood."]),
      (#"{"fields": [{"name": "a", "type": "text", "multiple": null}]}"#, ["\"multiple\" is true or false, not null."]),
      (#"{"fields": [{"name": "a", "type": "text", "unique": "true"}]}"#, ["\"unique\" is true or false, not a text."]),
      (#"{"fields": [{"name": "a", "type": "text", "title": []}]}"#, ["\"title\" is a text, not an array."]),
      (
        #"{"fields": [{"name": "a", "type": "multiLine", "format": "rtf"}]}"#, ["The field \"a\" has no such format."]
      ),
      (
        #"{"fields": [{"name": "a", "type": "enumeration"}]}"#, ["The field \"a\" does not say its values."]
      ),
      (
        #"{"fields": [{"name": "a", "type": "enumeration", "values": []}]}"#,
        ["\"values\" is an array of texts, not an array."]
      ),
      (
        #"{"fields": [{"name": "a", "type": "enumeration", "values": ["a", 1]}]}"#,
        ["\"values\" is an array of texts, not an array."]
      ),
      (#"{"fields": [{"name": "a", "type": "fragment"}]}"#, ["The field \"a\" does not say its models."]),
      (
        #"{"fields": [{"name": "a", "type": "fragment", "models": "b"}]}"#,
        ["\"models\" is an array of texts, not a text."]
      ),
      (
        #"{"fields": [{"name": "a", "type": "content", "accepts": []}]}"#,
        ["\"accepts\" is an array of texts, not an array."]
      ),
      (
        #"{"fields": [{"name": "a", "type": "content", "accepts": ["image", "Page"]}]}"#,
        ["The field \"a\" cannot accept \"Page\"."]
      ),
      (
        #"{"fields": [{"name": "a", "type": "boolean", "default": 1}]}"#,
        ["The field \"a\" is true or false, not a number."]
      ),
    ] as [(String, [String])])
  func `is refused with what is wrong`(json: String, messages: [String]) throws {
    #expect(try Self.read(json).messages == messages)
  }

  @Test func `keeps the fields that are right, and a thousand at most`() throws {
    let some = try Self.read(
      #"{"fields": [{"name": "_a", "type": "text"}, {"name": "b", "type": "text"}, {"name": "b", "type": "long"}]}"#)
    #expect(some.model?.fields.map(\.name) == ["b"] && some.model?.fields.first?.type == .text)
    let many = (0...1_000).map { #"{"name": "f\#($0)", "type": "text"}"# }.joined(separator: ", ")
    let (model, messages) = try Self.read("{\"fields\": [\(many)]}")
    #expect(model?.fields.count == 1_000 && model?.fields.last?.name == "f999" && messages == [])
  }

  // MARK: Several models

  private static func problems(_ files: [String: String]) -> [String] {
    do throws(ContentProblems) {
      _ = try ContentRepository(files: files.mapValues { Array($0.utf8) })
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test func `has a name for queries of its own in its configuration`() {
    func model(_ name: String) -> String { #"{"queryName": "\#(name)", "fields": [{"name": "a", "type": "text"}]}"# }
    let advice = "Give it a queryName of its own."
    #expect(
      Self.problems(["models/s/a.json": model("top"), "models/s/b.json": model("TOP"), "models/s/c.json": model("top")])
        == [
          "models/s/b.json: This model has the same name in queries as models/s/a.json. \(advice)",
          "models/s/c.json: This model has the same name in queries as models/s/b.json. \(advice)",
        ])
    #expect(Self.problems(["models/s/a.json": model("top"), "models/t/a.json": model("top")]) == [])
  }

  @Test func `is found by its names`() {
    let model = #"{"fields": [{"name": "a", "type": "text"}]}"#
    func problems(_ name: String, _ models: String...) -> [String] {
      var files = ["content/a.json": #"{"model": "\#(name)", "fields": {}}"#]
      for path in models { files["models/\(path).json"] = model }
      return Self.problems(files)
    }
    for name in ["page", "s/page", "/conf/s/settings/dam/cfm/models/page", "/conf/s/page", "conf/s/page"] {
      #expect(problems(name, "s/page", "t/other") == [], "\(name)")
    }
    #expect(problems("conf/page", "conf/page", "s/page") == [])
    #expect(
      problems("page", "s/page", "t/page") == [
        "content/a.json:1:11: There is no model \"page\". Several configurations have it: write \"configuration/name\"."
      ])
    #expect(problems("t/page", "s/page", "t/page") == [])
    #expect(
      problems("zzzzz", "s/page")
        == ["content/a.json:1:11: There is no model \"zzzzz\". Write \"configuration/name\" of one that is."])
    #expect(
      problems("s/pag", "s/page") == ["content/a.json:1:11: There is no model \"s/pag\". Did you mean s/page?"])
  }

  @Test func `makes names that are its own in a schema`() throws {
    let state = try Samples.state([
      "models/a/top.json": #"{"fields": [{"name": "x", "type": "fragment", "models": ["b/top"]}]}"#,
      "models/b/top.json": #"{"fields": [{"name": "x", "type": "fragment", "models": ["c/top", "b/more"]}]}"#,
      "models/b/more.json": #"{"fields": [{"name": "x", "type": "text"}]}"#,
      "models/c/top.json": #"{"queryName": "TOP", "fields": [{"name": "x", "type": "text"}]}"#,
      "models/d/lone.json": #"{"fields": [{"name": "x", "type": "text"}]}"#,
    ])
    func names(_ configuration: String) -> [String]? {
      state.graph.endpoints[configuration]?.plan.entries.map { "\($0.model.key) \($0.queryName) \($0.typeName)" }
    }
    #expect(
      names("a") == ["a/top top TopModel", "b/more more MoreModel", "b/top top2 Top2Model", "c/top TOP3 TOP3Model"])
    #expect(names("b") == ["b/more more MoreModel", "b/top top TopModel", "c/top TOP2 TOP2Model"])
    #expect(names("c") == ["c/top TOP TOPModel"] && names("d") == ["d/lone lone LoneModel"])
    #expect(
      names("global") == [
        "a/top top TopModel", "b/more more MoreModel", "b/top top2 Top2Model", "c/top TOP3 TOP3Model",
        "d/lone lone LoneModel",
      ])
    #expect(names("e") == nil)
    let endpoint = try #require(state.endpoint("a"))
    #expect(
      endpoint.typeNames == ["a/top": "TopModel", "b/more": "MoreModel", "b/top": "Top2Model", "c/top": "TOP3Model"])
    #expect(endpoint.roots["top2List"]?.model == "b/top" && endpoint.roots["TOP3ById"]?.model == "c/top")
    #expect(endpoint.roots.count == 16 && endpoint.roots["loneList"] == nil)
    #expect(state.endpoint(nil) === state.endpoint("global") && state.endpoint("e") == nil)
  }
}
