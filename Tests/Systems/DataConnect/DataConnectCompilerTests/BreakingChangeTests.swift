import DataConnectCompiler
import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Changes of a connector` {
  private static let schema = """
    enum Mood { DULL BRIGHT }
    type Film @table { title: String! mood: Mood minutes: Int }
    """
  private static let operations = """
    query List($mood: Mood, $limit: Int) @auth(level: PUBLIC) {
      films(where: {mood: {eq: $mood}}, limit: $limit) { id title mood }
    }
    mutation Add($title: String!) @auth(level: USER) { film_insert(data: {title: $title}) }
    """

  private func changes(
    _ operations: String, schema: String = schema, from old: String = operations
  ) throws -> [String] {
    let before = try Fixture.connector(old, schema: Self.schema)
    let after = try Fixture.connector(operations, schema: schema)
    return BreakingChange.between(before, and: after).map(\.description)
  }

  private func changes(_ part: String, _ replacement: String) throws -> [String] {
    try changes(Self.operations.replacing(part, with: replacement))
  }

  @Test func `that add something break nobody`() throws {
    #expect(try changes(Self.operations) == [])
    let schema = Self.schema.replacing("BRIGHT", with: "BRIGHT NEW").replacing(
      "minutes: Int", with: "minutes: Int x: Int")
    #expect(try changes(Self.operations, schema: schema) == [])
    #expect(try changes("$limit: Int)", "$limit: Int = 5)") == [])
    let more = Self.operations.replacing("id title mood", with: "id title mood minutes")
    #expect(try changes(more + "\nquery More @auth(level: USER) { films { id } }") == [])
  }

  @Test func `that take operations away are told`() throws {
    let gone = try changes("query Other @auth(level: USER) { films { id } }")
    #expect(gone.count == 2)
    #expect(gone.first?.hasPrefix("films.gql:1:1: The query \"List\" is gone.") == true)
    let kind = try changes(
      "mutation Add($title: String!) @auth(level: USER) { film_insert(data: {title: $title}) }", "")
    #expect(kind.count == 1)
  }

  @Test func `of variables are told`() throws {
    let added = try changes(
      Self.operations.replacing("$limit: Int)", with: "$limit: Int, $least: Int!)")
        .replacing("{eq: $mood}}", with: "{eq: $mood}, minutes: {gt: $least}}"))
    #expect(added.count == 1 && added[0].contains("wants a variable $least"))
    let defaulted = try changes(
      Self.operations.replacing("$limit: Int)", with: "$limit: Int, $least: Int! = 1)")
        .replacing("{eq: $mood}}", with: "{eq: $mood}, minutes: {gt: $least}}"))
    #expect(defaulted == [])
    #expect(try changes("$limit: Int)", "$limit: Int!)").first?.contains("has to be given") == true)
    let gone = try changes(
      Self.operations.replacing(", $limit: Int)", with: ")").replacing(", limit: $limit", with: ""))
    #expect(gone.count == 1 && gone[0].contains("no variable $limit any more"))
    let type = try changes(
      Self.operations.replacing("$mood: Mood,", with: "$mood: [Mood!],").replacing("eq: $mood", with: "in: $mood"))
    #expect(type == [])
    let other = try changes(
      Self.operations.replacing("$mood: Mood,", with: "$mood: String,")
        .replacing("mood: {eq: $mood}", with: "title: {eq: $mood}"))
    #expect(other.count == 1 && other[0].contains("was Mood and is String"))
  }

  @Test func `of results are told`() throws {
    #expect(try changes("id title mood", "id title").first?.contains("has no \"films.mood\" any more") == true)
    #expect(try changes("title mood", "title @redact mood").count == 1)
    #expect(try changes("id title mood", "id title: minutes mood").first?.contains("was String! and is Int") == true)
    let nullable = try changes(Self.operations, schema: Self.schema.replacing("String!", with: "String"))
    #expect(nullable.count == 1 && nullable[0].contains("was String! and is String"))
    let missing = try changes("title mood }", "title mood @include(if: false) }")
    #expect(missing.count == 1 && missing[0].contains("may be missing"))
    let key = try changes(
      Self.operations.replacing("id title", with: "id: title title").replacing("id: title ", with: ""),
      schema: "enum Mood { DULL BRIGHT } type Film @table(key: \"title\") { title: String! mood: Mood minutes: Int }")
    #expect(
      key.contains { $0.contains("The key that \"film_insert\" of \"Add\" gives was id: UUID! and is title: String!") })
  }

  @Test func `of enumerations are told`() throws {
    let gone = try changes(Self.operations, schema: Self.schema.replacing("DULL BRIGHT", with: "DULL"))
    #expect(
      gone == [
        "schema.gql:1:6: The value \"BRIGHT\" of the enumeration \"Mood\" is gone. Keep it: old clients still send it."
      ])
    let order = try changes(Self.operations, schema: Self.schema.replacing("DULL BRIGHT", with: "BRIGHT DULL"))
    #expect(order.count == 1 && order[0].contains("another order"))
  }

  @Test func `of inputs are told`() throws {
    let old = """
      mutation Add($film: Film_Data! @allow(fields: "title minutes")) @auth(level: USER) { film_insert(data: $film) }
      """
    let schema = "enum Mood { DULL BRIGHT } type Film @table { title: String! mood: Mood minutes: Float }"
    let found = try changes(old, schema: schema, from: old)
    #expect(found.contains { $0.contains("Film_Data.minutes") && $0.contains("was Int and is Float") })
    let narrower = try changes(old.replacing("title minutes", with: "title"), from: old)
    #expect(narrower.count == 1 && narrower[0].contains("may not hold \"minutes\" any more"))
  }
}

extension String {
  /// The text with a part put in place of another.
  fileprivate func replacing(_ part: String, with other: String) -> String {
    var result = ""
    var rest = Substring(self)
    while let range = rest.firstRange(of: part) {
      result += rest[..<range.lowerBound] + other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
