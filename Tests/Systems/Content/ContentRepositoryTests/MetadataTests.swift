import ContentRepository
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The metadata of a fragment` {
  private static let state: ContentState? = try? Samples.state([
    "models/m/thing.json": #"{"fields": [{"name": "name", "type": "text"}]}"#,
    "content/dam/m/a.json": """
    {"model": "thing", "title": "A thing", "description": "What it is", "tags": ["x"], "fields": {}, "metadata": {
      "flag": true, "count": 3, "one": 1.0, "most": 2147483647, "more": 2147483648, "least": -2147483648,
      "less": -2147483649, "ratio": 1.5, "when": "2026-05-31T18:30:00.000Z", "day": "2026-05-31", "text": "t",
      "flags": [true, false], "counts": [1, 2], "mixed": [1, 1.5],
      "whens": ["2026-05-31T18:30:00Z", "2026-06-01T00:00Z"], "texts": ["2026-05-31T18:30:00Z", "t"], "none": []},
      "variations": {"named": {"title": "Its name", "fields": {}}, "plain": {}}}
    """,
    "content/dam/m/b.json": #"{"model": "thing", "title": null, "fields": {}}"#,
  ])

  private static func metadata(_ name: String, _ groups: String..., variation: String = "") async throws -> JSONValue? {
    let state = try #require(state)
    let fields = groups.map { "\($0) { name value }" }.joined(separator: " ")
    let query = """
      { thingByPath(_path: "/content/dam/m/\(name)", variation: "\(variation)") { item { _metadata { \(fields) } } } }
      """
    let answer = await state.run(query)
    #expect(answer["errors"] == nil, "\(answer["errors"]?.description ?? "")")
    return answer["data"]?["thingByPath"]?["item"]?["_metadata"]
  }

  private static func entry(_ name: String, _ value: JSONValue) -> JSONValue {
    ["name": .string(name), "value": value]
  }

  @Test func `is grouped by the types of its values`() async throws {
    #expect(
      try await Self.metadata(
        "a", "stringMetadata", "intMetadata", "floatMetadata", "booleanMetadata", "calendarMetadata")
        == [
          "stringMetadata": [
            Self.entry("title", "A thing"), Self.entry("description", "What it is"), Self.entry("day", "2026-05-31"),
            Self.entry("text", "t"),
          ],
          "intMetadata": [
            Self.entry("count", 3), Self.entry("one", 1), Self.entry("most", 2_147_483_647),
            Self.entry("least", -2_147_483_648),
          ],
          "floatMetadata": [
            Self.entry("more", 2_147_483_648), Self.entry("less", -2_147_483_649), Self.entry("ratio", 1.5),
          ],
          "booleanMetadata": [Self.entry("flag", true)],
          "calendarMetadata": [Self.entry("when", "2026-05-31T18:30:00.000Z")],
        ])
  }

  @Test func `has arrays by what all of their values are`() async throws {
    #expect(
      try await Self.metadata(
        "a", "stringArrayMetadata", "intArrayMetadata", "floatArrayMetadata", "booleanArrayMetadata",
        "calendarArrayMetadata")
        == [
          "stringArrayMetadata": [
            Self.entry("cq:tags", ["x"]), Self.entry("texts", ["2026-05-31T18:30:00Z", "t"]), Self.entry("none", []),
          ],
          "intArrayMetadata": [Self.entry("counts", [1, 2])],
          "floatArrayMetadata": [Self.entry("mixed", [1, 1.5])],
          "booleanArrayMetadata": [Self.entry("flags", [true, false])],
          "calendarArrayMetadata": [Self.entry("whens", ["2026-05-31T18:30:00Z", "2026-06-01T00:00Z"])],
        ])
  }

  @Test func `is a title and a description when nothing is said`() async throws {
    #expect(
      try await Self.metadata("b", "stringMetadata", "stringArrayMetadata", "intMetadata", "calendarArrayMetadata")
        == [
          "stringMetadata": [Self.entry("title", "b"), Self.entry("description", "")], "stringArrayMetadata": [],
          "intMetadata": [], "calendarArrayMetadata": [],
        ])
  }

  @Test(arguments: [("named", "Its name"), ("plain", "A thing"), ("none", "A thing"), ("master", "A thing")])
  func `has the title of the variation, or of the fragment`(variation: String, title: String) async throws {
    let metadata = try await Self.metadata("a", "stringMetadata", variation: variation)
    #expect(metadata?["stringMetadata"]?[0] == Self.entry("title", .string(title)))
    #expect(metadata?["stringMetadata"]?[1] == Self.entry("description", "What it is"))
  }
}
