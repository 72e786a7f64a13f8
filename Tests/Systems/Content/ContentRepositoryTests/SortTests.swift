import ContentRepository
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The order of a list` {
  /// The names of the items, or the message.
  private static func names(
    _ list: String, _ sort: String, _ more: String = "", of state: ContentState? = nil
  ) async throws -> [String] {
    let state = try #require(state ?? Samples.state)
    let query = "query($s: String) { \(list)(sort: $s \(more)) { items { name } } }"
    let answer = await state.run(query, variables: ["s": .string(sort)])
    if let errors = answer["errors"] { return [errors[0]?["message"]?.stringValue ?? ""] }
    return answer["data"]?[list]?["items"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
  }

  private static func message(_ list: String, _ words: String) -> String {
    "Exception while fetching data (/\(list)) : \(words)"
  }

  @Test(arguments: [
    ("_locale", ["Basel", "Basel", "Berlin", "San Jose", "Zürich"]),
    ("_locale DESC", ["Basel", "Berlin", "San Jose", "Zürich", "Basel"]),
    ("_locale, _path DESC", ["Basel", "Zürich", "San Jose", "Berlin", "Basel"]),
    ("_path DESC", ["Zürich", "San Jose", "Berlin", "Basel", "Basel"]),
    ("_variation DESC, population DESC", ["Berlin", "San Jose", "Basel", "Basel", "Zürich"]),
    ("name\tdesc ,, _path\n", ["Zürich", "San Jose", "Berlin", "Basel", "Basel"]),
    ("founded", ["Basel", "San Jose", "Zürich", "Basel", "Berlin"]),
    ("opens", ["Basel", "San Jose", "Zürich", "Berlin", "Basel"]),
    ("stars DESC", ["Berlin", "Basel", "Basel", "San Jose", "Zürich"]),
    (" \u{3000}\n", ["Basel", "Basel", "Berlin", "San Jose", "Zürich"]),
    (",", ["Basel", "Basel", "Berlin", "San Jose", "Zürich"]),
  ])
  func `is that of its fields`(sort: String, names: [String]) async throws {
    #expect(try await Self.names("cityList", sort) == names)
  }

  @Test func `is that of the variation that is shown`() async throws {
    #expect(
      try await Self.names("cityList", "_variation DESC", "variation: \"night\"")
        == ["Berlin at night", "Basel", "Basel", "San Jose", "Zürich"])
    #expect(
      try await Self.names("cityList", "opens DESC", "variation: \"night\"")
        == ["Berlin at night", "Basel", "Basel", "San Jose", "Zürich"])
    #expect(try await Self.names("cityList", "opens DESC") == ["Basel", "Berlin", "Basel", "San Jose", "Zürich"])
  }

  @Test func `goes through references`() async throws {
    #expect(try await Self.names("personList", "friend._path") == ["Smith", "Croft", "Slade"])
    #expect(try await Self.names("personList", "friend._path DESC") == ["Slade", "Croft", "Smith"])
    #expect(try await Self.names("personList", "friend.friend.firstName") == ["Smith", "Slade", "Croft"])
  }

  private static let mixed: [String: String] = [
    "models/m/x.json": #"{"fields": [{"name": "name", "type": "text"}, {"name": "rank", "type": "integer"}]}"#,
    "models/m/y.json": #"{"fields": [{"name": "name", "type": "text"}]}"#,
    "models/m/z.json": """
    {"fields": [{"name": "name", "type": "text"}, {"name": "score", "type": "float"},
      {"name": "owner", "type": "fragment", "models": ["y", "x"]}]}
    """,
    "content/dam/m/x1.json": #"{"model": "x", "fields": {"name": "x1", "rank": 2}}"#,
    "content/dam/m/x2.json": #"{"model": "x", "fields": {"name": "x2", "rank": 1}}"#,
    "content/dam/m/y1.json": #"{"model": "y", "fields": {"name": "y1"}}"#,
    "content/dam/m/z1.json":
      #"{"model": "z", "fields": {"name": "z1", "score": 4, "owner": "/content/dam/m/x1"}}"#,
    "content/dam/m/z2.json":
      #"{"model": "z", "fields": {"name": "z2", "score": 4.0, "owner": "/content/dam/m/x2"}}"#,
    "content/dam/m/z3.json":
      #"{"model": "z", "fields": {"name": "z3", "score": 3.5, "owner": "/content/dam/m/y1"}}"#,
  ]

  @Test(arguments: [
    // Whole numbers and others may be the same.
    ("score, name DESC", ["z3", "z2", "z1"]), ("score DESC, name", ["z1", "z2", "z3"]),
    ("score DESC, name DESC", ["z2", "z1", "z3"]), ("score", ["z3", "z1", "z2"]),
    // One of the models has the field.
    ("owner.rank", ["z3", "z2", "z1"]), ("owner.rank DESC", ["z1", "z2", "z3"]),
    ("owner.name DESC", ["z3", "z2", "z1"]),
  ])
  func `is of numbers and models of several kinds`(sort: String, names: [String]) async throws {
    #expect(try await Self.names("zList", sort, of: try Samples.state(Self.mixed)) == names)
  }

  // MARK: Bounds

  @Test func `has two thousand bytes at most`() async throws {
    let (list, words) = ("cityList", Self.message("cityList", "The sort expression is too long."))
    let all = ["Zürich", "San Jose", "Berlin", "Basel", "Basel"]
    func spaced(_ space: String, _ count: Int) -> String { "name" + String(repeating: space, count: count) + "DESC" }
    #expect(try await Self.names(list, spaced(" ", 1_992)) == all)
    #expect(try await Self.names(list, spaced(" ", 1_993)) == [words])
    // A wide space has three bytes.
    #expect(try await Self.names(list, spaced("\u{3000}", 664)) == all)
    #expect(try await Self.names(list, spaced("\u{3000}", 665)) == [words])
  }

  @Test func `has sixteen fields at most`() async throws {
    let fields = ["name DESC"] + Array(repeating: "country", count: 15)
    #expect(
      try await Self.names("cityList", fields.joined(separator: ","))
        == ["Zürich", "San Jose", "Berlin", "Basel", "Basel"])
    let more = try await Self.names("cityList", (fields + ["_path"]).joined(separator: ","))
    #expect(more.count == 1 && more[0].hasPrefix(Self.message("cityList", "Invalid sort expression: \"name DESC,")))
  }

  @Test func `goes through eight names at most`() async throws {
    func nested(_ count: Int) -> String { String(repeating: "friend.", count: count - 1) + "firstName" }
    // After seven steps each is at the other one: Croft is sorted as Cutter, Slade as Lara.
    #expect(try await Self.names("personList", nested(8)) == ["Smith", "Croft", "Slade"])
    #expect(
      try await Self.names("personList", nested(9))
        == [Self.message("personList", "A sort field is nested too deeply.")])
  }

  @Test(arguments: [
    ("_path.name", "Invalid sort field: there is no \"_path\"."),
    ("_tags", "Invalid sort field: there is no \"_tags\"."),
    (".", "Invalid sort field: there is no \"\"."), ("name.", "Invalid sort field: \"name\" cannot be sorted by."),
    ("data", "Invalid sort field: \"data\" cannot be sorted by."),
    ("picture", "Invalid sort field: \"picture\" cannot be sorted by."),
    ("scores", "Invalid sort field: \"scores\" is an array."),
    ("notes.html", "Invalid sort field: \"notes\" is an array."),
    ("name ASC,country DOWN", "Invalid sort direction: \"DOWN\". Write ASC or DESC."),
    (
      "name ASC ASC",
      "Invalid sort expression: \"name ASC ASC\". Write fields with ASC or DESC, and commas between them."
    ),
    ("name, ,x y z", "Invalid sort expression: \"name, ,x y z\"."),
  ])
  func `is refused with its reason`(sort: String, words: String) async throws {
    let found = try await Self.names("cityList", sort)
    #expect(found.count == 1 && found[0].hasPrefix(Self.message("cityList", words)), "\(found)")
  }
}
