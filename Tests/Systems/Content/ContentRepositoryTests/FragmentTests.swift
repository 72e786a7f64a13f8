import Files
import JSON
import Testing

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `A fragment of the content` {
  private static let model = """
    {"fields": [{"name": "name", "type": "text", "default": "none"}, {"name": "count", "type": "integer", "unique": true},
      {"name": "text", "type": "multiLine"}]}
    """

  private static func problems(_ fragment: String, _ others: [String: String] = [:]) -> [String] {
    var files = others
    files["models/s/thing.json"] = model
    files["content/a.json"] = fragment
    do throws(ContentProblems) {
      _ = try ContentRepository(files: files.mapValues { Array($0.utf8) })
      return []
    } catch {
      return error.problems.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.message)" }
    }
  }

  private static let variation = "A variation has a name other than master, and is an object."
  private static let metadata = "Metadata are texts, numbers, booleans and arrays of them."

  /// The members behind the model, which the first 19 bytes say.
  @Test(
    arguments: [
      (#""fields": {}"#, []), (#""fields": {}, "title": null, "description": null, "id": null"#, []),
      (#""fields": {}, "title": 5"#, ["1:43 \"title\" is a text, not a number."]),
      (#""fields": {}, "description": []"#, ["1:49 \"description\" is a text, not an array."]),
      (#""fields": {}, "id": 5"#, ["1:40 \"id\" is a text, not a number."]),
      (#""fields": {}, "id": "7""#, ["1:40 \"7\" is not a UUID."]),
      (#""fields": {}, "id": "01234567-89AB-CDEF-0123-456789ABCDEF""#, []),
      (#""fields": {}, "tags": []"#, []), (#""fields": {}, "tags": ["a", "b"]"#, []),
      (#""fields": {}, "tags": ["a", 1]"#, ["1:42 \"tags\" is an array of texts, not an array."]),
      (#""fields": {}, "tags": null"#, ["1:42 \"tags\" is an array of texts, not null."]),
      (#""fields": {}, "tags": "a""#, ["1:42 \"tags\" is an array of texts, not a text."]),
      (#""fields": {}, "metadata": {"a": 1, "b": ["c", 1], "d": []}"#, []),
      (#""fields": {}, "metadata": []"#, ["1:46 \"metadata\" is an object, not an array."]),
      (#""fields": {}, "metadata": {"a": null}"#, ["1:52 \(metadata)"]),
      (#""fields": {}, "metadata": {"a": [[1]]}"#, ["1:52 \(metadata)"]),
      (#""fields": {}, "metadata": {"a": [1, null]}"#, ["1:52 \(metadata)"]),
      (#""fields": {}, "metadata": {"a": {}}"#, ["1:52 \(metadata)"]),
      (#""fields": {}, "variations": {}"#, []), (#""fields": {}, "variations": {"v": {}}"#, []),
      (#""fields": {}, "variations": []"#, ["1:48 \"variations\" is an object, not an array."]),
      (#""fields": {}, "variations": {"": {}}"#, ["1:53 \(variation)"]),
      (#""fields": {}, "variations": {"v": 5}"#, ["1:54 \(variation)"]),
      (#""fields": {}, "variations": {"master": {}}"#, ["1:59 \(variation)"]),
      (#""fields": {}, "variations": {"v": {"x": 1}}"#, ["1:55 There is no member \"x\" of a variation."]),
      (#""fields": {}, "variations": {"v": {"title": 5}}"#, ["1:64 \"title\" is a text, not a number."]),
      (#""fields": {}, "variations": {"v": {"fields": 5}}"#, ["1:65 \"fields\" is an object, not a number."]),
      (#""title": "T""#, ["1:1 The fragment has no fields."]),
      (#""fields": null"#, ["1:30 \"fields\" is an object, not null."]),
      (#""fields": {"nam": 1}"#, ["1:31 The model s/thing has no field \"nam\"."]),
    ] as [(String, [String])])
  func `is refused with what is wrong, at its place`(members: String, messages: [String]) {
    #expect(Self.problems("{\"model\": \"thing\", \(members)}") == messages)
  }

  @Test func `has defaults, and null for what it takes back`() async throws {
    let state = try Samples.state([
      "models/s/thing.json": Self.model, "content/dam/s/a.json": #"{"model": "thing", "fields": {}}"#,
      "content/dam/s/b.json": #"{"model": "thing", "fields": {"name": null}}"#,
      "content/dam/s/c.json": """
      {"model": "thing", "fields": {"name": "C", "count": 3}, "variations": {"v": {"fields": {"count": null}},
        "w": {"title": "W", "fields": {"name": "CW"}}}}
      """,
    ])
    let query = "{ thingList(includeVariations: true) { items { name count _variation _variations } } }"
    let items = await state.run(query)["data"]?["thingList"]?["items"]
    let all: JSONValue = ["v", "w"]
    #expect(
      items == [
        ["name": "none", "count": .null, "_variation": "master", "_variations": []],
        ["name": .null, "count": .null, "_variation": "master", "_variations": []],
        ["name": "C", "count": 3, "_variation": "master", "_variations": all],
        ["name": "C", "count": .null, "_variation": "v", "_variations": all],
        ["name": "CW", "count": 3, "_variation": "w", "_variations": all],
      ])
  }

  @Test func `is found by an identifier in any letters`() async throws {
    let id = "01234567-89AB-CDEF-0123-456789ABCDEF"
    let state = try Samples.state([
      "models/s/thing.json": Self.model,
      "content/dam/s/a.json": #"{"model": "thing", "id": "\#(id)", "fields": {"name": "A"}}"#,
      "content/dam/s/b.json": #"{"model": "thing", "fields": {"name": "B"}}"#,
    ])
    for text in [id, id.lowercased()] {
      let answer = await state.run("{ thingById(_id: \"\(text)\") { item { name _id } } }")
      #expect(answer["data"]?["thingById"]?["item"] == ["name": "A", "_id": .string(id.lowercased())])
    }
    let own = await state.run("{ thingById(_id: \"\(StableID.text(of: "/content/dam/s/b"))\") { item { name } } }")
    #expect(own["data"]?["thingById"]?["item"] == ["name": "B"])
  }

  @Test func `has a value that is its own when it has one`() {
    func fragment(_ count: String) -> String { #"{"model": "thing", "fields": {"count": \#(count)}}"# }
    #expect(Self.problems(fragment("null"), ["content/b.json": fragment("null")]) == [])
    #expect(Self.problems(fragment("1"), ["content/b.json": fragment("2")]) == [])
    #expect(
      Self.problems(fragment("1"), ["content/b.json": fragment("1")])
        == ["1:40 content/a.json has the same \"count\", which has to be unique."])
    // Of another model it may be the same.
    let others = ["models/t/other.json": Self.model, "content/b.json": #"{"model": "other", "fields": {"count": 1}}"#]
    #expect(Self.problems(fragment("1"), others) == [])
  }

  // MARK: The second time

  @Test func `is the same one for as long as nothing of it changes`() async throws {
    try await `A folder of content`.withFolder { root in
      let folder = "\(root)/content/dam/demo/en/cities"
      try File.replace(
        "\(folder)/bern.json",
        with: Array(#"{"model": "demo/city", "fields": {"name": "B", "words": {"file": "b.md"}}}"#.utf8))
      try File.replace("\(folder)/b.md", with: Array("Old".utf8))
      let repository = try ContentRepository(root: root)
      let before = repository.state.graph
      #expect(repository.reload().isEmpty)
      let same = repository.state.graph
      let bern = "/content/dam/demo/en/cities/bern"
      #expect(same !== before && same.fragment(at: bern) != nil)
      #expect(same.fragment(at: bern) === before.fragment(at: bern))
      #expect(same.models.count == 4 && same.files.count == before.files.count)
      for (key, model) in same.models { #expect(model === before.models[key], "\(key)") }
      for (name, endpoint) in same.endpoints { #expect(endpoint === before.endpoints[name], "\(name)") }
      // A problem leaves all of it.
      File.remove("\(folder)/b.md")
      for _ in 0..<2 {
        #expect(repository.reload().map(\.message) == ["There is no file \"b.md\" beside this one."])
        #expect(repository.state.graph === same)
      }
      try File.replace("\(folder)/b.md", with: Array("New".utf8))
      #expect(repository.reload().isEmpty)
      let after = repository.state.graph
      #expect(after.fragment(at: bern) !== same.fragment(at: bern))
      let berlin = "/content/dam/demo/en/cities/berlin"
      #expect(after.fragment(at: berlin) != nil && after.fragment(at: berlin) === same.fragment(at: berlin))
      // What is gone is gone.
      File.remove("\(folder)/bern.json")
      #expect(repository.reload().isEmpty && repository.state.graph.fragment(at: bern) == nil)
      #expect(repository.state.asset(path: "\(bern.dropLast(3)).md")?.size == 3)
    }
  }

  /// Two names, as a disk tells them apart.
  private static let spellings = ["\u{e9}", "e\u{301}"]

  @Test func `has a path, a text and a picture of its own, of two spellings of an accent`() async throws {
    try await `A folder of content`.withFolder { root in
      let (folder, path) = ("\(root)/content/dam/demo/en/cities", "/content/dam/demo/en/cities")
      for (name, text) in zip(Self.spellings, ["One", "Two"]) {
        let fields = #"{"name": "\#(text)", "words": {"file": "\#(name).md"}, "picture": "\#(path)/\#(name).pdf"}"#
        try File.replace("\(folder)/\(name).json", with: Array(#"{"model": "city", "fields": \#(fields)}"#.utf8))
        for ending in ["md", "pdf"] { try File.replace("\(folder)/\(name).\(ending)", with: Array(text.utf8)) }
      }
      let repository = try ContentRepository(root: root)
      func told(_ name: String) async -> JSONValue? {
        let query = "{ cityByPath(_path: \"\(path)/\(name)\") { item { name words { plaintext } } } }"
        return await repository.state.run(query, configuration: "demo")["data"]?["cityByPath"]?["item"]
      }
      for (name, text) in zip(Self.spellings, ["One", "Two"]) {
        #expect(await told(name) == ["name": .string(text), "words": ["plaintext": .string(text)]])
        let picture = try #require(repository.state.asset(path: "\(path)/\(name).pdf"))
        #expect(try picture.bytes() == Array(text.utf8))
        // A text of a fragment is no asset; the other one's would be.
        #expect(repository.state.asset(path: "\(path)/\(name).md") == nil)
      }
      let first = repository.state.graph.fragment(at: "\(path)/\(Self.spellings[0])")
      try File.replace("\(folder)/\(Self.spellings[1]).md", with: Array("Three".utf8))
      #expect(repository.reload().isEmpty)
      #expect(await told(Self.spellings[1]) == ["name": "Two", "words": ["plaintext": "Three"]])
      #expect(first != nil && repository.state.graph.fragment(at: "\(path)/\(Self.spellings[0])") === first)
      File.remove("\(folder)/\(Self.spellings[0]).json")
      File.remove("\(folder)/\(Self.spellings[0]).md")
      #expect(repository.reload().isEmpty)
      #expect(await told(Self.spellings[0])?.isNull == true)
    }
  }

  @Test func `refers to what has the very bytes of its path`() async throws {
    try await `A folder of content`.withFolder { root in
      let folder = "\(root)/content/dam/demo/en/cities"
      let link = "/content/dam/demo/en/cities/\(Self.spellings[1]).pdf"
      let text = #"{"model": "city", "fields": {"name": "C", "picture": "\#(link)"}}"#
      try File.replace("\(folder)/c.json", with: Array(text.utf8))
      try File.replace("\(folder)/\(Self.spellings[0]).pdf", with: [1])
      do throws(ContentProblems) {
        _ = try ContentRepository(root: root)
        Issue.record("It was read.")
      } catch {
        #expect(error.problems.map(\.file) == ["content/dam/demo/en/cities/c.json"])
      }
      File.remove("\(folder)/\(Self.spellings[0]).pdf")
      try File.replace("\(folder)/\(Self.spellings[1]).pdf", with: [1])
      #expect(try ContentRepository(root: root).state.asset(path: link) != nil)
    }
  }
}
