import DataConnectCompiler
import GraphQL
import JSON
import PostgreSQL
import Testing

@testable import DataConnectStatements

/// Each limit of a statement at its last value and at the one behind it; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `A bound of a statement` {
  private static func limits(_ change: (inout StatementLimits) -> Void) -> StatementLimits {
    var limits = StatementLimits()
    change(&limits)
    return limits
  }

  private func refusal(
    _ query: String, _ variables: JSONObject = [:], _ change: (inout StatementLimits) -> Void
  ) throws -> String? {
    try QueriedDatabase.refusal(
      query, try QueriedDatabase.schema(Movies.schema), variables, limits: Self.limits(change))
  }

  @Test func `counts the values that are bound`() throws {
    let query = "($t: String, $n: Int) @auth { movies(where: {title: {eq: $t}, year: {eq: $n, ne: 5}}) { title } }"
    let variables: JSONObject = ["t": "a", "n": 1]
    #expect(try refusal(query, variables) { $0.parameters = 3 } == nil)
    #expect(try refusal(query, variables) { $0.parameters = 2 } == "The field has more than 2 values.")
    #expect(StatementLimits().parameters == 30_000 && StatementLimits().rows == 10_000)
    #expect(StatementLimits().bytes == 1 << 20 && StatementLimits().depth == 24)
  }

  @Test func `counts the bytes of the text, and those of the values`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    let text = "@auth { _selectFirst(sql: \"SELECT 'éé' AS a\") }"
    let size = try QueriedDatabase.statement(text, schema).text.utf8.count
    #expect(try refusal(text) { $0.bytes = size } == nil)
    #expect(
      try refusal(text) { $0.bytes = size - 1 } == "The field makes a statement of more than \(size - 1) bytes.")
    // The values count by themselves here, since the text is shorter.
    let bound = "($t: String, $u: String) @auth { _selectFirst(sql: \"SELECT $1, $2\", params: [$t, $u]) }"
    let values: JSONObject = ["t": .string(String(repeating: "é", count: 100)), "u": .string("é")]
    #expect(try refusal(bound, values) { $0.bytes = 202 } == nil)
    #expect(try refusal(bound, values) { $0.bytes = 201 } == "The field makes a statement of more than 201 bytes.")
  }

  @Test func `counts a condition once more for each one around it`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    func query(_ depth: Int) -> String {
      let opened = String(repeating: "_not: {", count: depth)
      return "@auth { movies(where: {\(opened)title: {eq: \"a\"}\(String(repeating: "}", count: depth))}) { title } }"
    }
    for (depth, isTooMuch) in [(0, false), (20, true)] {
      let size = try QueriedDatabase.statement(query(depth), schema).text.utf8.count
      let refused = try refusal(query(depth)) { $0.bytes = size }
      #expect(refused == (isTooMuch ? "The field makes a statement of more than \(size) bytes." : nil))
    }
  }

  @Test(
    arguments: [
      ("movies { title }", 2), ("movies { sequel { title } }", 3),
      ("movies { a: sequel { title } b: sequel { title } director { name } }", 3),
      ("movies { a: sequel { b: sequel { title } } c: sequel { d: sequel { title } } }", 4),
      ("movies { reviews_on_movie { stars } }", 4), ("movies(where: {title: {eq: \"a\"}}) { title }", 2),
      ("movies(where: {_not: {title: {eq: \"a\"}}}) { title }", 3),
      ("movies(where: {_or: [{_not: {year: {eq: 1}}}, {_not: {year: {eq: 2}}}], _not: {year: {eq: 3}}}) { title }", 4),
      ("movies(where: {director: {name: {eq: \"a\"}}}) { title }", 3),
      ("movies(orderBy: [{sequel: {sequel: {title: ASC}}}, {sequel: {title: ASC}}]) { title }", 4),
      ("movie(id: \"\(Movies.id(1))\") { title }", 1),
    ] as [(String, Int)])
  func `counts how deep a field is nested, beside others as deep`(field: String, depth: Int) throws {
    #expect(try refusal("@auth { \(field) }") { $0.depth = depth } == nil)
    #expect(
      try refusal("@auth { \(field) }") { $0.depth = depth - 1 }
        == "The field is nested deeper than \(depth - 1) levels.")
  }

  @Test func `counts inserted rows, nested ones too`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    func refusal(_ count: Int, _ rows: Int) throws -> String? {
      let text =
        "{ movie_insertMany(data: [\(String(repeating: "{title: \"a\"}, ", count: count))"
        + "{title: \"b\", reviews_on_movie: [{userUid: \"u\"}, {userUid: \"v\"}]}]) }"
      return try QueriedDatabase.refusal(ofMutation: text, schema, limits: Self.limits { $0.rows = rows })
    }
    #expect(try refusal(4, 7) == nil)
    #expect(
      try refusal(4, 6) == "data.4.reviews_on_movie.1: More than 6 rows cannot be inserted at once.")
    #expect(try refusal(0, 3) == nil && refusal(1, 3) != nil)
  }

  @Test func `tells the keys of rows that lead to those of its field, and not theirs once more`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    // The key of an album is the database's, so its songs are written first.
    for (field, tables) in [
      ("movie_insert(data: {title: \"a\"})", []), ("movie_insertMany(data: [{title: \"a\"}, {title: \"b\"}])", []),
      ("movie_insert(data: {title: \"a\", reviews_on_movie: [{userUid: \"u\"}]})", ["Review"]),
      ("album_insert(data: {})", []), ("album_insert(data: {songs_on_album: [{title: \"a\"}]})", ["Song"]),
      (
        "album_insertMany(data: [{songs_on_album: [{title: \"a\"}]}, {songs_on_album: {title: \"b\"}}, {}])",
        ["Song", "Song"]
      ),
    ] {
      let text = try QueriedDatabase.mutation("{ \(field) }", schema).text
      let told = text.split(separator: "json_build_array('").dropFirst().map { String($0.prefix { $0 != "'" }) }
      #expect(told == tables, "\(field)")
      #expect(text.contains("json_agg(i.k)") == !tables.isEmpty)
    }
  }

  @Test func `counts the parts of a statement`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    // An album whose key only the database knows, and its songs, are two parts.
    func refusal(_ count: Int, _ more: String = "") throws -> String? {
      let albums = (0..<count).map { _ in "{songs_on_album: [{title: \"a\"}]}" }.joined(separator: ", ")
      return try QueriedDatabase.refusal(ofMutation: "{ album_insertMany(data: [\(albums)\(more)]) }", schema)
    }
    #expect(try refusal(64) == nil)
    #expect(try refusal(64, ", {}") == "The rows differ in too many ways to be written by one statement.")
    #expect(try refusal(63, ", {}, {}") == nil)
  }

  @Test func `cuts the rows of a list, and not where they begin`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    let query = "($l: Int, $o: Int) @auth { movies(limit: $l, offset: $o) { title } }"
    for (limit, offset, expected) in [
      (10_000, 10_000, ["10000", "10000"]), (10_001, 10_001, ["10000", "10001"]),
      (2_147_483_647, 2_147_483_647, ["10000", "2147483647"]), (0, 0, ["0", "0"]),
    ] {
      let statement = try QueriedDatabase.statement(query, schema, ["l": JSONValue(limit), "o": JSONValue(offset)])
      #expect(statement.parameters == expected.map { .text($0) })
    }
    #expect(
      try QueriedDatabase.refusal(query, schema, ["l": 1, "o": -1])
        == "offset: This has to be a number from 0 to 2147483647.")
    #expect(
      try QueriedDatabase.refusal(query, schema, ["l": 2_147_483_648]) == "limit: This has to be an integer of 32 bits."
    )
    for (text, rows) in [("movies(limit: 7)", 7), ("movies(limit: 8)", 7), ("movies(limit: 6)", 6)] {
      let statement = try QueriedDatabase.statement(
        "@auth { \(text) { title } }", schema, limits: Self.limits { $0.rows = 7 })
      #expect(statement.text.contains(" LIMIT \(rows))"), "\(statement.text)")
    }
  }

  @Test func `cuts the rows of a developer's own statement`() throws {
    let limits = Self.limits { $0.rows = 7 }
    let movies = try QueriedDatabase.schema(Movies.schema)
    let select = try QueriedDatabase.statement("@auth { _select(sql: \"SELECT 1 AS a\") }", movies, limits: limits)
    #expect(select.text.hasSuffix("FROM (SELECT * FROM (SELECT 1 AS a\n) AS r LIMIT 7) AS r"))
    let first = try QueriedDatabase.statement("@auth { _selectFirst(sql: \"SELECT 1 AS a; ;\\n\") }", movies)
    #expect(first.text == "SELECT to_json(r.*) FROM (SELECT 1 AS a\n) AS r LIMIT 1")
    let films = try QueriedDatabase.schema(Films.schema)
    let text = "{ _executeReturning(sql: \"DELETE FROM review RETURNING stars\") }"
    let returned = try QueriedDatabase.mutation(text, films, limits: limits)
    #expect(returned.text.hasSuffix("FROM (SELECT * FROM r LIMIT 7) AS a") && returned.answer == .json)
    let one = try QueriedDatabase.mutation(
      "{ _executeReturningFirst(sql: \"DELETE FROM review RETURNING stars\") }", films)
    #expect(one.text == "WITH r AS (DELETE FROM review RETURNING stars\n) SELECT to_json(r.*) FROM r LIMIT 1")
    let count = try QueriedDatabase.mutation("{ _execute(sql: \"DELETE FROM review ; \") }", films)
    #expect(count.text == "DELETE FROM review" && count.answer == .count)
  }

  // MARK: Kept texts

  private func statements(
    _ operation: String, _ schema: String = Movies.schema
  ) throws -> (FieldStatements, CompiledSchema) {
    let schema = try QueriedDatabase.schema(schema)
    let result = ConnectorCompiler.compile([GraphQLSource(operation, name: "o.gql")], against: schema)
    #expect(result.problems.map(\.description) == [])
    let field = try #require(result.connector?.operation("O")?.fields.first)
    return (FieldStatements(field, isMutation: false), schema)
  }

  private func context(_ schema: CompiledSchema, _ variables: JSONObject = [:]) -> StatementContext {
    StatementContext(schema: schema, variables: variables) { text throws(StatementError) in .null }
  }

  @Test func `keeps a text of 65,536 bytes, and no longer one`() throws {
    /// The size of the text, and how many are kept.
    func text(_ filler: String) throws -> [Int] {
      let (statements, schema) = try statements(
        "query O @auth(level: PUBLIC) { _selectFirst(sql: \"SELECT '\(filler)' AS a\") }")
      let made = try (0..<2).map { _ in try statements.statement(context(schema)) }
      #expect(made[0] == made[1])
      return [made[0].text.utf8.count, statements.keptTexts]
    }
    let least = try text("")[0]
    let room = 65_536 - least
    let longest = String(repeating: "é", count: room / 2) + (room.isMultiple(of: 2) ? "" : "x")
    #expect(try text(longest) == [65_536, 1])
    #expect(try text(longest + "x") == [65_537, 0])
  }

  @Test func `keeps no text that depends on a value, though another one was bound before it`() throws {
    let (statements, schema) = try statements(
      """
      query O($t: String!, $n: Int!) @auth(level: PUBLIC) {
        movies(where: {title: {eq: $t}, reviews_on_movie: {count: {gt: $n}}}) { title }
      }
      """)
    let texts = try [0, 1, 0].map { number in
      try statements.statement(context(schema, ["t": "a", "n": JSONValue(number)])).text
    }
    #expect(texts[0] == texts[2] && texts[0] != texts[1] && statements.keptTexts == 0)
  }

  @Test func `tells objects by names of 512 bytes, not characters`() throws {
    let query = "query O($v: Any) @auth(level: PUBLIC) { movies(where: {facts: {eq: $v}}) { title } }"
    for (count, kept) in [(256, 2), (257, 1)] {
      let (statements, schema) = try statements(query)
      for letter in ["é", "è"] {
        let value = JSONValue.object([String(repeating: letter, count: count): 1])
        let statement = try statements.statement(context(schema, ["v": value]))
        #expect(statement.parameters == [.text(value.description)])
      }
      #expect(statements.keptTexts == kept)
    }
  }

  @Test func `keeps sixteen texts, those that came first`() throws {
    let names = (0..<5).map { "v\($0)" }
    let declared = names.map { "$\($0): Int" }.joined(separator: ", ")
    let conditions = names.map { "{year: {eq: $\($0)}}" }.joined(separator: ", ")
    let (statements, schema) = try statements(
      "query O(\(declared)) @auth(level: PUBLIC) { movies(where: {_or: [\(conditions)]}) { title } }")
    for bits in 0..<18 {
      let set = names.indices.filter { bits >> $0 & 1 == 1 }
      _ = try statements.statement(context(schema, JSONObject(set.map { (names[$0], 1) })))
      #expect(statements.keptTexts == min(16, bits + 1))
    }
  }
}
