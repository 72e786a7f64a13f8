import ContentRepository
import Files
import Glibc
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A folder of content` {
  static let article = #"""
    {"title": "Article", "fields": [
      {"name": "slug", "type": "text", "unique": true, "pattern": "^[a-z0-9\\-_]{2,8}$"}, {"name": "text", "type": "multiLine"},
      {"name": "price", "type": "float", "default": 100.0}, {"name": "kind", "type": "enumeration", "values": ["Long", "Short"]},
      {"name": "day", "type": "date"}, {"name": "picture", "type": "content", "accepts": ["image"]},
      {"name": "next", "type": "fragment", "models": ["article"]}, {"name": "labels", "type": "tags"}
    ]}
    """#
  static let path = "content/dam/s/en/a.json"

  /// What is wrong with a fragment.
  static func problems(_ fragment: String, _ others: [String: String] = [:]) -> [String] {
    var files = others
    files["models/s/article.json"] = files["models/s/article.json"] ?? article
    files[path] = fragment
    do throws(ContentProblems) {
      _ = try ContentRepository(files: files.mapValues { Array($0.utf8) })
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test(arguments: [
    (#"{"model": "s/article", "fields": {}}"#, []),
    (
      #"{"model": "s/article", "fields": {"slug": "x"} "#,
      ["\(path):1:48: The text ends in the middle of a value. Correct the JSON at this place."]
    ),
    (
      #"{"model": "s/artcle", "fields": {}}"#,
      [#"\#(path):1:11: There is no model "s/artcle". Did you mean s/article?"#]
    ),
    (
      "{}", [#"\#(path):1:1: The fragment does not say its model. Give it a member "model" with "configuration/name"."#]
    ),
    (
      "{\"model\": \"article\",\n \"fields\": {\"slg\": \"abc\",\n  \"price\": \"1\", \"kind\": \"Shor\"}, \"x\": 1}",
      [
        #"\#(path):2:13: The model s/article has no field "slg". Did you mean slug?"#,
        #"\#(path):3:12: The field "price" is a number, not a text. Write it without quotation marks."#,
        #"\#(path):3:25: The field "kind" has no value "Shor". Did you mean Short?"#,
        #"\#(path):3:34: There is no member "x" of a fragment. "#
          + "Its members are model, id, title, description, tags, metadata, fields, variations.",
      ]
    ),
    (
      #"{"model": "article", "fields": {"slug": "A B", "day": "May", "labels": ["a", 1], "next": 5}}"#,
      [
        #"\#(path):1:41: The field "slug" has a value that its pattern does not allow. "#
          + #"Write one that fits ^[a-z0-9\-_]{2,8}$."#,
        #"\#(path):1:55: The field "day" is a date, not "May". Write one such as "2026-05-31"."#,
        #"\#(path):1:78: The field "labels" is a text, not a number. Write it between quotation marks."#,
        #"\#(path):1:90: The field "next" is a path, not a number. Write one such as "/content/dam/site/en/name"."#,
      ]
    ),
    (
      #"{"model": "article", "fields": {"next": "/content/dam/s/en/b", "picture": "/content/dam/s/en/p.png"}}"#,
      [
        #"\#(path):1:41: There is no fragment "/content/dam/s/en/b". Did you mean /content/dam/s/en/a?"#,
        #"\#(path):1:75: There is no asset "/content/dam/s/en/p.png". Put the file there."#,
      ]
    ),
    (
      #"{"model": "article", "fields": {"picture": "/content/s/page"}}"#,
      [
        #"\#(path):1:44: "picture" does not take "/content/s/page", which is of the kind page. It accepts image."#
      ]
    ),
    (
      #"{"model": "article", "id": "7", "tags": 1, "metadata": {"a": {}}, "variations": {"master": {}}, "fields": []}"#,
      [
        #"\#(path):1:28: "7" is not a UUID. Write one, or leave the member out."#,
        #"\#(path):1:41: "tags" is an array of texts, not a number. Write texts between [ and ]."#,
        #"\#(path):1:62: Metadata are texts, numbers, booleans and arrays of them. Write one of these."#,
        #"\#(path):1:92: A variation has a name other than master, and is an object. Write it as "name": {"fields": {…}}."#,
        #"\#(path):1:107: "fields" is an object, not an array. Write it between { and }."#,
      ]
    ),
    (
      #"{"model": "article", "fields": {"text": {"file": "no.md"}}}"#,
      [#"\#(path):1:50: There is no file "no.md" beside this one. Write its name as it is."#]
    ),
    (
      #"{"model": "article", "fields": {"text": {"file": "../../../x.exe"}}}"#,
      [
        #"\#(path):1:50: The field "text" names a file that is not text: "../../../x.exe". "#
          + "Name one that ends in .md, .html or .txt."
      ]
    ),
    (
      #"{"model": "article", "fields": {"text": {"file": "../../../models/secret.md"}}}"#,
      [
        #"\#(path):1:50: There is no file "../../../models/secret.md" beside this one. Write its name as it is."#
      ]
    ),
  ])
  func `is read with every problem at its place`(fragment: String, problems: [String]) {
    #expect(Self.problems(fragment) == problems)
  }

  @Test func `takes what has to be unique once, in each language`() {
    let fragment = #"{"model": "article", "fields": {"slug": "same"}}"#
    #expect(Self.problems(fragment, ["content/dam/s/fr/a.json": fragment]) == [])
    #expect(
      Self.problems(fragment, ["content/dam/s/en/b.json": fragment]) == [
        "content/dam/s/en/b.json:1:41: content/dam/s/en/a.json has the same \"slug\", which has to be unique. "
          + "Give it another one."
      ])
    #expect(
      Self.problems(#"{"model": "article", "fields": {}}"#, ["content/dam/s/en/a": "asset"]) == [
        "content/dam/s/en/a: content/dam/s/en/a.json has the same id. Give it another one.",
        "\(Self.path): A fragment and an asset have the path /content/dam/s/en/a. Rename one.",
      ])
  }

  @Test(arguments: [
    ("[]", "A model is an object, not an array."), ("{}", "The model has no fields."),
    (#"{"fields": [{"name": "a"}]}"#, "The field \"a\" has no type that is known."),
    (#"{"fields": [{"name": "a", "type": "txt"}]}"#, "Did you mean text?"),
    (#"{"fields": [{"name": "_a", "type": "text"}]}"#, "A field has a name of letters"),
    (#"{"fields": [{"name": "a", "type": "text"}, {"name": "a", "type": "text"}]}"#, "There are two fields \"a\"."),
    (#"{"fields": [{"name": "a", "type": "enumeration"}]}"#, "does not say its values"),
    (
      #"{"fields": [{"name": "a", "type": "fragment", "models": ["b"]}]}"#,
      "refers to a model \"s/b\", which is not there"
    ),
    (#"{"fields": [{"name": "a", "type": "content", "accepts": ["cat"]}]}"#, "cannot accept \"cat\""),
    (#"{"fields": [{"name": "a", "type": "text", "pattern": "(("}]}"#, "The pattern of \"a\" is not understood."),
    (#"{"fields": [{"name": "a", "type": "integer", "default": 1.5}]}"#, "is a whole number"),
    (#"{"fields": [{"name": "a", "type": "text", "required": 1}]}"#, "\"required\" is true or false, not a number."),
    (#"{"queryName": "1", "fields": [{"name": "a", "type": "text"}]}"#, "\"1\" is not a name for queries."),
  ])
  func `has models that are understood`(model: String, message: String) {
    let problems = Self.problems("{}", ["models/s/article.json": model])
    #expect(problems.first?.hasPrefix("content/dam/s/en/a.json") == true || problems.contains { $0.contains(message) })
    #expect(
      problems.contains { $0.hasPrefix("models/s/article.json:1:") && $0.contains(message) }
        || problems.contains { $0.hasPrefix("models/s/article.json: ") && $0.contains(message) }, "\(problems)")
  }

  @Test func `has queries that fit its models`() {
    let fragment = #"{"model": "article", "fields": {}}"#
    #expect(Self.problems(fragment, ["persisted/s/all.graphql": "{ articleList { items { slug } } }"]) == [])
    let problems = Self.problems(
      fragment,
      ["persisted/s/all.graphql": "{\n articleList { items { slg } }", "persisted/s/x.txt": "", "models/y.json": ""])
    #expect(problems.map { String($0.prefix { $0 != " " }) } == ["models/y.json:", "persisted/s/x.txt:"])
    let wrong = Self.problems(fragment, ["persisted/s/all.graphql": "{\n articleList { items { slg } } }"])
    #expect(wrong.count == 1 && wrong[0].hasPrefix("persisted/s/all.graphql:2:24: ") && wrong[0].contains("slug"))
  }

  @Test func `says that it has no models`() {
    #expect(throws: ContentProblems.self) { try ContentRepository(files: [:]) }
    do throws(ContentProblems) {
      _ = try ContentRepository(root: "/nowhere/at/all")
      Issue.record("It was read.")
    } catch {
      #expect(error.description.contains("/nowhere/at/all is not a folder that can be read."))
    }
  }

  @Test func `gives its defaults and its variations`() async throws {
    let files = [
      "models/s/article.json": Self.article,
      Self.path:
        #"{"model": "s/article", "fields": {"slug": "ab", "text": {"plaintext": "A & B"}}, "variations": {"v": {}}}"#,
    ]
    let state = try Samples.state(files)
    let answer = await state.run(
      "{ articleByPath(_path: \"/content/dam/s/en/a\", variation: \"v\") { item { slug price _variation text { html } } } }",
      configuration: "s")
    #expect(
      answer["data"]?["articleByPath"]?["item"]
        == ["slug": "ab", "price": 100.0, "_variation": "v", "text": ["html": "<p>A &amp; B</p>\n"]])
  }

  // MARK: Disks

  /// Calls `body` with a folder of content.
  static func withFolder(_ body: (String) async throws -> Void) async throws {
    let root = try Folder.makeTemporary(beginning: "/tmp/content-")
    defer { try? Folder.remove(root) }
    for (path, text) in Samples.files {
      try Folder.make(Folder.parent(of: "\(root)/\(path)"))
      try File.replace("\(root)/\(path)", with: Array(text.utf8))
    }
    try await body(root)
  }

  @Test func `keeps its last good state`() async throws {
    try await Self.withFolder { root in
      let repository = try ContentRepository(root: root)
      let file = "\(root)/content/dam/demo/en/cities/zurich.json"
      func names() async -> String? {
        let query = #"{ cityList(filter: {country: {_expressions: {value: "Switzerland"}}}) { items { name } } }"#
        return await repository.state.run(query, configuration: "demo")["data"]?["cityList"]?["items"]?.description
      }
      #expect(await names() == #"[{"name":"Basel"},{"name":"Zürich"}]"#)
      try File.replace(file, with: Array(#"{"model": "demo/city", "fields": {"nam": 1}}"#.utf8))
      #expect(repository.reload().map(\.file) == ["content/dam/demo/en/cities/zurich.json"])
      #expect(await names() == #"[{"name":"Basel"},{"name":"Zürich"}]"#)
      let mended = #"{"model": "demo/city", "fields": {"name": "Zug", "country": "Switzerland"}}"#
      try File.replace(file, with: Array(mended.utf8))
      #expect(repository.reload().isEmpty)
      #expect(await names() == #"[{"name":"Basel"},{"name":"Zug"}]"#)
      #expect(repository.folders.contains("\(root)/content/dam/demo/en/cities"))
    }
  }

  @Test func `reads its assets, until they are gone`() async throws {
    try await Self.withFolder { root in
      let repository = try ContentRepository(root: root) { name, width, height in Array("\(name) \(width)".utf8) }
      let plan = try #require(repository.state.asset(path: "/content/dam/demo/en/files/plan.pdf"))
      #expect(try plan.bytes() == Array("%PDF".utf8))
      let map = try #require(repository.state.asset(path: "/content/dam/demo/en/pictures/map.png"))
      #expect(try map.bytes() == Array("map 320".utf8))
      File.remove("\(root)/content/dam/demo/en/files/plan.pdf")
      #expect(throws: FileError.self) { try plan.bytes() }
    }
  }

  @Test func `lets no link lead out of it`() async throws {
    try await Self.withFolder { root in
      let outside = try Folder.makeTemporary(beginning: "/tmp/outside-")
      defer { try? Folder.remove(outside) }
      try File.replace("\(outside)/secret.txt", with: Array("secret".utf8))
      let folder = "\(root)/content/dam/demo/en/files"
      try Self.link("\(outside)/secret.txt", at: "\(folder)/secret.txt")
      try Self.link(outside, at: "\(folder)/out")
      try Self.link("\(root)/content", at: "\(folder)/loop")
      try Self.link("nowhere", at: "\(folder)/broken")
      do throws(ContentProblems) {
        _ = try ContentRepository(root: root)
        Issue.record("It was read.")
      } catch {
        #expect(
          error.problems.map { "\(Folder.name(of: $0.file)) \($0.message)" } == [
            "broken This link leads nowhere.", "loop This is a link to a folder.",
            "out This link leads out of the folder of the content.",
            "secret.txt This link leads out of the folder of the content.",
          ])
      }
      for name in ["secret.txt", "out", "loop", "broken"] { File.remove("\(folder)/\(name)") }
      // A link to a file that is inside is the file, until it leads elsewhere.
      try Self.link("\(folder)/plan.pdf", at: "\(folder)/copy.pdf")
      let repository = try ContentRepository(root: root)
      let copy = try #require(repository.state.asset(path: "/content/dam/demo/en/files/copy.pdf"))
      #expect(try copy.bytes() == Array("%PDF".utf8))
      File.remove("\(folder)/copy.pdf")
      try Self.link("\(outside)/secret.txt", at: "\(folder)/copy.pdf")
      #expect(throws: FileError.self) { try copy.bytes() }
    }
  }

  static func link(_ target: String, at path: String) throws {
    try #require(symlink(target, path) == 0)
  }

  @Test func `is bounded in files, sizes and depth`() async throws {
    try await Self.withFolder { root in
      func message(_ change: (inout ContentLimits) -> Void) -> String {
        var limits = ContentLimits()
        change(&limits)
        do throws(ContentProblems) {
          _ = try ContentRepository(root: root, limits: limits)
          return ""
        } catch {
          return error.problems.map(\.message).joined(separator: " ")
        }
      }
      #expect(message { $0.files = 3 }.contains("There are more than 3 files."))
      #expect(message { $0.depth = 3 }.contains("This folder is nested deeper than 3 folders."))
      #expect(message { $0.fileBytes = 100 }.contains("The file is larger than 0 KiB."))
      #expect(message { $0.totalBytes = 1_000 }.contains("The files have more than 0 MiB together."))
      #expect(
        message {
          $0.problems = 1; $0.fileBytes = 100
        }.split(separator: ".").count == 1)
      #expect(message { _ in } == "")
    }
  }
}
