import DataConnectStatements
import JSON
import PostgreSQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A statement` {
  private static let everything = """
    ($id: UUID, $t: String, $n: Int, $g: Genre, $l: [String!], $any: Any) @auth {
      movies(where: {id: {ne: $id}, title: {contains: $t}, year: {gt: $n}, genre: {ne: $g}, tags: {includesAll: $l},
        facts: {ne: $any}, director: {name: {eq: $t}}, code: {in: $l}}, limit: $n) { title }
    }
    """

  @Test func `is the same text whatever the values are`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    func statement(_ text: JSONValue, _ number: JSONValue) throws -> RootStatement {
      try QueriedDatabase.statement(
        Self.everything, schema,
        [
          "id": .string(Movies.id(1)), "t": text, "n": number, "g": "DRAMA", "l": [text, text], "any": ["a": text],
        ])
    }
    let (one, other) = (try statement("a", 1), try statement("'; DROP TABLE movie; --", 22))
    #expect(one.text == other.text && one.parameters != other.parameters)
    #expect(!other.text.contains("DROP") && other.parameters.count == 9)
  }

  @Test func `orders a view, which has no key, by every column that has an order`() throws {
    let schema = try QueriedDatabase.schema(
      """
      type A @table { s: String }
      type V @view(sql: "SELECT 1") { s: String v: Vector @col(size: 1) l: [String!] n: Int }
      """)
    let text = try QueriedDatabase.statement("@auth { vs(orderBy: {n: DESC}) { s } }", schema).text
    #expect(text.contains(#"ORDER BY t0."n" DESC, t0."s""#))
    #expect(!text.contains(#"t0."v""#) && !text.contains(#"t0."l""#), "\(text)")
  }

  @Test(arguments: [
    "'; DROP TABLE movie; --", "\\'; DROP TABLE movie; --", "\" OR \"1\"=\"1", "$1", "$$", "%s", "{}", "{\"a\"}",
    "NULL", "\\",
    "'", "''", "\u{2028}é𝄞", ")) UNION SELECT 1", "/*", "E'\\x27'", "\\\\' OR 1=1 --", "',NULL,'", "\"}",
  ]) func `takes every text for itself`(_ text: String) async throws {
    let movies = try await Injection.database
    try await movies.connection.query(
      "INSERT INTO movie (title, tags, facts) VALUES ($1, ARRAY[$1], jsonb_build_object($1, $1))", [.text(text)],
      within: QueriedDatabase.limit)
    let value = JSONValue.string(text)
    let object = JSONValue.object([text: value])
    for filter in [
      "title: {eq: $t}", "title: {in: [$t]}", "title: {contains: $t}", "title: {startsWith: $t}",
      "title: {endsWith: $t}",
      "tags: {includes: $t}", "tags: {includesAll: [$t, $t]}", "facts: {eq: $a}", "facts: {in: [$a]}",
    ] {
      let query =
        "($t: String!, $a: Any!) @auth { movies(where: {\(filter), title: {endsWith: $t}}) { title tags facts } }"
      let plain = "($t: String!, $a: Any!) @auth { movies(where: {\(filter)}) { title tags facts } }"
      let answer = try await movies.answer(
        filter.hasPrefix("title") ? plain : query, ["t": value, "a": object])
      let rows = try JSONCoding.parse(answer).arrayValue ?? []
      #expect(rows.contains(["title": value, "tags": [value], "facts": object]), "\(filter)")
    }
    for query in [
      "($t: String!) @auth { movies_search(query: $t) { title } }",
      "($t: String!) @auth { movies(where: {title: {pattern: {like: $t}}}) { title } }",
      "($t: String!) @auth { reader(key: {uid: $t}) { name } }",
    ] {
      // A pattern may be wrong, and changes nothing then.
      _ = try? await movies.answer(query, ["t": value])
    }
    let native = "($t: String!) @auth { _selectFirst(sql: \"SELECT $1::text AS t\", params: [$t]) }"
    #expect(try JSONCoding.parse(try await movies.answer(native, ["t": value])) == ["t": value])
  }

  private enum Injection {
    static var database: QueriedDatabase {
      get async throws { try await shared.value }
    }
    private static let shared = Task { try await Movies.database() }
  }

  @Test func `finds rows by the index of their key`() async throws {
    let movies = try await Movies.database()
    try await movies.connection.run(
      script: """
        INSERT INTO movie (title) SELECT 'M' || n FROM generate_series(1, 3000) n;
        INSERT INTO reader SELECT 'r' || n FROM generate_series(1, 3000) n;
        INSERT INTO review (movie_id, reader_uid, stars) SELECT id, uid, 3 FROM movie, reader WHERE title LIKE 'M1_' AND uid LIKE 'r1_%';
        ANALYZE
        """, within: QueriedDatabase.limit)
    let lookup = try await movies.plan("($i: UUID!) @auth { movie(id: $i) { title } }", ["i": .string(Movies.id(1))])
    #expect(lookup.contains("movie_pkey") && !lookup.contains("Seq Scan"), "\(lookup)")
    let first = try await movies.plan(
      "($i: UUID!) @auth { movie(first: {where: {id: {eq: $i}}}) { title director { name } } }",
      ["i": .string(Movies.id(1))])
    #expect(first.contains("movie_pkey") && !first.contains("Seq Scan on movie"), "\(first)")
    let nested = try await movies.plan(
      "($i: UUID!) @auth { movie(id: $i) { reviews_on_movie { stars reader { name } } } }", ["i": .string(Movies.id(1))]
    )
    #expect(
      nested.contains("review_pkey") && nested.contains("reader_pkey") && !nested.contains("Seq Scan"), "\(nested)")
    let many = try await movies.plan(
      "($i: [UUID!]) @auth { movies(where: {id: {in: $i}}) { title } }", ["i": [.string(Movies.id(1))]])
    #expect(many.contains("movie_pkey") && !many.contains("Seq Scan"), "\(many)")
    let page = try await movies.plan("@auth { movies(limit: 10, orderBy: {id: ASC}) { title } }")
    #expect(page.contains("movie_pkey") && !page.contains("Sort"), "\(page)")
  }

  @Test func `reads rows that nobody orders from the first on, without a sort`() async throws {
    let movies = try await Movies.database()
    try await movies.connection.run(
      script: """
        DELETE FROM review; DELETE FROM movie_actor;
        INSERT INTO movie_actor (movie_id, actor_id, role, place) SELECT '\(Movies.id(1))', id, 'a', 1 FROM person;
        INSERT INTO movie (title) SELECT 'M' || n FROM generate_series(3000, 1, -1) n;
        ANALYZE
        """, within: QueriedDatabase.limit)
    for arguments in ["", "(limit: 2)", "(limit: 2, offset: 1000)", "(where: {title: {eq: $t}})"] {
      let plan = try await movies.plan("($t: String) @auth { movies\(arguments) { title } }")
      #expect(plan.contains("Scan on movie") && !plan.contains("Index") && !plan.contains("Sort"), "\(plan)")
    }
    // A scan of the index alone would be in the order of the key.
    let narrow = try await movies.plan("@auth { movieActors { role } }")
    #expect(!narrow.contains("Index") && !narrow.contains("Sort"), "\(narrow)")
    let some = try await movies.plan("@auth { movies(where: {year: {gt: 1}}, limit: 2) { title } }")
    #expect(some.contains("Sort Key: t0.ctid"), "\(some)")
    #expect(
      try await movies.answer("@auth { movies(offset: 4, limit: 2) { title } }")
        == #"[{"title":"M3000"},{"title":"M2999"}]"#)
  }

  @Test func `is a developer's own, which reads only`() async throws {
    let movies = try await Movies.database()
    let select = "SELECT title, $1::int AS n FROM movie WHERE id = $2 -- the one\n;"
    let query = """
      ($n: Int) @auth { _select(sql: \"\"\"\(select)\"\"\", params: [$n, {_expr: "auth.uid"}]) }
      """
    #expect(
      try await movies.answer(query, ["n": 3], expressions: ["auth.uid": .string(Movies.id(1))])
        == #"[{"title":"Alpha running","n":3}]"#)
    #expect(
      try await movies.answer("@auth { _select(sql: \"SELECT 1 AS a WHERE false\") }") == "[]")
    #expect(try await movies.answer("@auth { _selectFirst(sql: \"SELECT 1 AS a WHERE false\") }") == "null")
    #expect(try await movies.answer("@auth { _selectFirst(sql: \"SELECT 1 AS t0, 2 AS r\") }") == #"{"t0":1,"r":2}"#)
    // A column may be named like the rows.
    for name in ["#row", "r", "a", "o"] {
      let named = "(sql: \"SELECT 1 AS \\\"\(name)\\\"\")"
      #expect(try await movies.answer("@auth { _selectFirst\(named) }") == "{\"\(name)\":1}")
      #expect(try await movies.answer("@auth { _select\(named) }") == "[{\"\(name)\":1}]")
    }
    let list =
      "($l: [String!]) @auth { _selectFirst(sql: \"SELECT count(*) AS n FROM movie WHERE code = ANY ($1)\", params: [$l]) }"
    #expect(try await movies.answer(list, ["l": ["a", "b", "\"}"]]) == #"{"n":2}"#)
    // What a client sends is no expression.
    let object = "($o: Any) @auth { _selectFirst(sql: \"SELECT $1::jsonb AS o\", params: [$o]) }"
    #expect(try await movies.answer(object, ["o": ["_expr": "auth.uid"]]) == #"{"o":{"_expr":"auth.uid"}}"#)
    for sql in [
      "DELETE FROM movie RETURNING *", "WITH d AS (DELETE FROM movie RETURNING *) SELECT * FROM d",
      "SELECT 1; DELETE FROM movie",
    ] {
      await #expect(throws: (any Error).self) { try await movies.answer("@auth { _select(sql: \"\(sql)\") }") }
    }
    #expect(try await movies.answer("@auth { movies { _count } }") == #"[{"_count":4}]"#)
  }

  @Test func `has limits`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    let query = "($l: [String!]) @auth { movies(where: {_or: [{title: {in: $l}}, {code: {in: $l}}]}) { title } }"
    var limits = StatementLimits()
    limits.parameters = 1
    #expect(
      try QueriedDatabase.refusal(query, schema, ["l": ["a"]], limits: limits) == "The field has more than 1 values.")
    limits = StatementLimits()
    limits.bytes = 2_000
    let long = JSONValue.array([.string(String(repeating: "x", count: 2_000))])
    #expect(
      try QueriedDatabase.refusal(query, schema, ["l": long], limits: limits)
        == "The field makes a statement of more than 2000 bytes.")
    let deep = String(repeating: "sequel { ", count: 30) + "title" + String(repeating: " }", count: 30)
    #expect(
      try QueriedDatabase.refusal("@auth { movies { \(deep) } }", schema)
        == "The field is nested deeper than 24 levels.")
    var filter: JSONValue = ["title": ["eq": "x"]]
    for _ in 0..<30 { filter = ["_not": filter] }
    let whole = "($w: Movie_Filter) @auth { movies(where: $w) { title } }"
    #expect(try QueriedDatabase.refusal(whole, schema, ["w": filter]) == "The field is nested deeper than 24 levels.")
  }
}
