import GraphQL
import Testing

@testable import DataConnectCompiler

/// Fragments are put in and fields of one name put together: what holds for both, and what for one of them.
@Suite(.timeLimit(.minutes(1)))
struct `The selection of an operation` {
  /// The fields of the first operation.
  private func fields(_ selections: String, variables: String = "", more: String = "") throws -> [CompiledField] {
    try #require(
      try Fixture.connector("query Q\(variables) @auth(level: USER) { films { \(selections) } } \(more)")
        .operation("Q")?.fields.first
    ).fields
  }

  private static let one = "($a: Boolean!)"
  private static let two = "($a: Boolean!, $b: Boolean!)"

  private func conditions(_ field: CompiledField) -> [String] {
    field.conditions.map { "\(GraphQLPrinter.text(of: $0.value)) \($0.expected)" }
  }

  @Test func `has the conditions of every level around a field`() throws {
    let found = try fields(
      """
      id @skip(if: $a) @include(if: $b)
      ... @include(if: $a) { title @skip(if: $b) ...F @skip(if: true) sequel { id } }
      released
      """, variables: Self.two, more: "fragment F on Film { mood minutes @include(if: $b) }")
    #expect(found.map(\.responseName) == ["id", "title", "mood", "minutes", "sequel", "released"])
    #expect(
      found.map(conditions) == [
        ["$a false", "$b true"], ["$a true", "$b false"], ["$a true", "true false"],
        ["$a true", "true false", "$b true"],
        ["$a true"], [],
      ])
    #expect(found.map(\.isConditional) == [true, true, true, true, true, false])
    #expect(found[4].fields.map(\.isConditional) == [false])
  }

  @Test func `is there always where one of two fields is`() throws {
    let first = try fields("title title @skip(if: $a) mood @skip(if: $b) mood", variables: Self.two)
    #expect(first.map(\.responseName) == ["title", "mood"] && first.map(conditions) == [[], []])
    let both = try fields("title @skip(if: $a) title @include(if: $b)", variables: Self.two)
    #expect(both.map(conditions) == [["$a false"]])
    let inner = try fields(
      "sequel { id title @skip(if: $a) } sequel { title id @skip(if: $b) mood }", variables: Self.two)
    #expect(inner.count == 1)
    #expect(inner[0].fields.map(\.responseName) == ["id", "title", "mood"])
    #expect(inner[0].fields.map(conditions) == [[], [], []])
  }

  @Test func `is there where one of two fields is, with what that one selects`() throws {
    func presences(_ field: CompiledField) -> [[String]] {
      field.presences.map { conditions in
        conditions.map { "\(GraphQLPrinter.text(of: $0.value)) \($0.expected)" }
      }
    }
    let twice = try fields("title @skip(if: $a) title @include(if: $b) title @skip(if: $a)", variables: Self.two)
    #expect(twice.map(presences) == [[["$a false"], ["$b true"]]])
    let always = try fields("title @skip(if: $a) title @include(if: $b) title", variables: Self.two)
    #expect(always.map(presences) == [[[]]])
    let rows = try fields(
      """
      sequel @include(if: $a) { id title } sequel @include(if: $b) { id mood }
      sequel @include(if: $a) { released @skip(if: $b) }
      """, variables: Self.two)
    #expect(rows.map(presences) == [[["$a true"], ["$b true"]]])
    #expect(
      rows[0].fields.map(presences) == [
        [["$a true"], ["$b true"]], [["$a true"]], [["$b true"]], [["$a true", "$b false"]],
      ])
    let more = try fields(
      "sequel { id } ... @include(if: $a) { sequel { title } sequel { mood } }", variables: Self.one)
    #expect(more.map(presences) == [[[]]] && more[0].fields.map(presences) == [[[]], [["$a true"]], [["$a true"]]])
    // The same condition at two places is one.
    let same = try fields(
      "... @include(if: $a) { sequel { id } } sequel @include(if: $a) { title }", variables: Self.one)
    #expect(same.map(presences) == [[["$a true"]]] && same[0].fields.map(presences) == [[[]], [[]]])
  }

  @Test func `is redacted where all of it is`() throws {
    let found = try fields(
      """
      id @redact title @redact title mood mood @redact released @redact released @redact
      ... @redact { minutes } ...F @redact sequel @redact { id }
      """, more: "fragment F on Film { tags }")
    #expect(
      found.map { "\($0.responseName) \($0.isRedacted)" } == [
        "id true", "title false", "mood false", "released true", "minutes true", "tags true", "sequel true",
      ])
    #expect(found.last?.fields.map(\.isRedacted) == [false])
  }

  @Test func `is checked by every level around a field, once each`() throws {
    let found = try fields(
      """
      ...F @check(expr: "spread") ...F
      ... @check(expr: "inline") { ... on Film @check(expr: "second") { title @check(expr: "own") } }
      title @check(expr: "again") sequel @check(expr: "row") { id }
      """, more: "fragment F on Film @check(expr: \"fragment\") { mood @check(expr: \"field\") }")
    #expect(found.map(\.responseName) == ["mood", "title", "sequel"])
    #expect(
      found.map { $0.checks.map(\.expression) } == [
        ["spread", "fragment", "field"], ["inline", "second", "own", "again"], ["row"],
      ])
    #expect(found[2].fields[0].checks == [])
  }

  @Test func `keeps two checks that say the same at two places`() throws {
    let found = try fields("id @check(expr: \"a\") id @check(expr: \"a\")")
    #expect(found.map { $0.checks.map(\.expression) } == [["a", "a"]])
  }

  @Test func `has names, arguments, types and places`() throws {
    let found = try fields(
      "numbers: filmNumbers_on_film { stars } ratings_on_film(limit: 1) { ...R } __typename",
      more: "fragment R on Rating { stars @retired(reason: \"r\") film { title } }")
    #expect(found.map(\.responseName) == ["numbers", "ratings_on_film", "__typename"])
    #expect(found.map(\.name) == ["filmNumbers_on_film", "ratings_on_film", "__typename"])
    #expect(found.map(\.parent) == ["Film", "Film", "Film"])
    #expect(found.map { GraphQLPrinter.text(of: $0.type) } == ["FilmNumbers", "[Rating!]!", "String!"])
    #expect(found.map { $0.arguments.map(\.name.text) } == [[], ["limit"], []])
    #expect(found[1].fields.map(\.parent) == ["Rating", "Rating"])
    #expect(found[1].fields.map { $0.retirement?.reason } == ["r", nil])
    #expect(found[1].fields[1].fields.map(\.parent) == ["Film"])
    #expect(found[0].position.offset == 37)
  }

  @Test func `of a mutation goes into its query`() throws {
    let connector = try Fixture.connector(
      "mutation M @auth(level: USER) { query { films { id } rating(first: {}) { stars } } film_deleteMany(all: true) }")
    let operation = try #require(connector.operation("M"))
    #expect(operation.kind == .mutation && operation.fields.map(\.parent) == ["Mutation", "Mutation"])
    #expect(operation.fields[0].fields.map(\.parent) == ["Query", "Query"])
    #expect(operation.fields[0].fields.map { $0.fields.map(\.name) } == [["id"], ["stars"]])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Operations that are fine` {
  private static let id = "\"0123456789abcdef0123456789abcdef\""

  @Test(arguments: [
    "query Q @auth(level: USER) { ratings { film { title } visitor { uid } } }",
    "query Q @auth(level: USER) { film(id: \(id), key: null, first: null) { id } }",
    "query Q($i: UUID) @auth(level: USER) { film(id: $i) { id } }",
    "query Q @auth(level: USER) { posters_print_similarity(compare: [1, 2.5, 3], compare_embed: null) { id } }",
    "query Q @auth(level: USER) { films_search(query: \"\") { id } }",
    "query Q @auth(level: USER) { films(limit: 10000) { id } }",
    "query Q @auth(level: USER) { films(where: {title: {eq: \"a\", eq_expr: null, ne: \"b\", gt: \"c\"}}) { id } }",
    "query Q @auth(level: USER) { films(where: {_or: [{title: {eq: \"a\"}}, {title: {eq_expr: \"b\"}}]}) { id } }",
    "query Q @auth(level: USER) { posters(where: {seen: {gt_time: {now: true, at: null}}}) { id } }",
    "mutation M @auth(level: USER) { film_deleteMany(where: {}) }",
    "mutation M @auth(level: USER) { film_deleteMany(where: {}, all: false) }",
    "mutation M @auth(level: USER) { film_deleteMany(where: {}, all: null) }",
    "mutation M($a: Boolean) @auth(level: USER) { film_deleteMany(all: $a) }",
    "mutation M @auth(level: USER) { film_insert(data: {title: \"a\", minutes: null, minutes_expr: \"1\"}) }",
    "mutation M @auth(level: USER) { poster_insert(data: {film: {id: \(id)}, filmId: null}) }",
    "mutation M @auth(level: USER) { poster_insert(data: {film: null, filmId: \(id)}) }",
    "mutation M @auth(level: USER) { poster_insert(data: {film: {id: \(id)}, filmId: null, filmId_expr: null}) }",
    "mutation M @auth(level: USER) { poster_insert(data: {filmId: \(id)}) rating_insert(data: {stars: 1}) }",
    "query Q($t: String @retired, $u: String! = \"\" @retired) @auth(level: USER) { films(where: {title: {eq: $t, ne: $u}}) { id } }",
    "query aB @auth(level: USER) { films { id } } mutation AB @auth(level: USER) { film_deleteMany(all: true) }",
    "query Q($o: OrderDirection) @auth(level: USER) { films(orderBy: {title: $o}) { id } }",
  ])
  func `have no problems`(text: String) throws {
    #expect(try Fixture.problems(operations: text) == [], "\(text)")
  }

  @Test func `may be told that they give fewer rows`() throws {
    let text =
      "query Q @auth(level: USER) { films(limit: 10001) { ratings_on_film(limit: 20000) { stars } } visitors(limit: 1) { uid } }"
    #expect(
      try Fixture.problems(operations: text)
        == ["43", "75"].map {
          "films.gql:1:\($0): warning: At most 10000 rows are answered. Write limit: 10000, and page with offset."
        })
  }

  @Test func `use variables in expressions, by their whole names`() throws {
    func unused(_ variable: String, _ expression: String, name: String = "Q") throws -> [String] {
      try Fixture.problems(
        operations: "query \(name)($\(variable): Int) @auth(expr: \"\(expression)\") { films { id } }")
    }
    for expression in ["vars.x", "vars.x == 1", "1 == vars.x", "vars.xy || vars.x", "[vars.x]", "vars.x.y"] {
      #expect(try unused("x", expression) == [], "\(expression)")
    }
    #expect(try unused("x_1y", "vars.x_1y > 0") == [])
    for expression in ["vars.xy", "vars.x1", "vars.x_", "x", "var.x", "vars .x", "vars.y"] {
      #expect(
        try unused("x", expression) == [
          "films.gql:1:9: warning: The variable $x is not used. Use it, or remove it."
        ], "\(expression)")
    }
    let two = """
      query A($x: Int) @auth(level: USER) { films { id } }
      query B($x: Int, $y: Int) @auth(expr: "vars.y == 1") { films { id } }
      """
    #expect(
      try Fixture.problems(operations: two)
        == ["1:9", "2:9"].map {
          "films.gql:\($0): warning: The variable $x is not used. Use it, or remove it."
        })
  }
}
