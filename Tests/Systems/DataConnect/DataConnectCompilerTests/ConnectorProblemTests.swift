import DataConnectCompiler
import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Mistakes in operations` {
  /// A query or mutation, where its mistake is, and a part of what is said.
  private static let mistakes: [(text: String, place: String, words: String)] = [
    ("query { films { id } }", "1:1", "has no name"),
    ("query Q @auth(level: USER, expr: \"true\") { films { id } }", "1:9", "exactly one of level and expr"),
    ("query Q @auth { films { id } }", "1:9", "exactly one of level and expr"),
    ("query Q @auth(expr: \" \") { films { id } }", "1:21", "expression is empty"),
    ("query Q @auth(level: USER) { filmz { id } }", "1:30", "filmz"),
    ("query Q @auth(level: USER) { films { idd } }", "1:38", "idd"),
    ("query Q @auth(level: USER) { film { id } }", "1:30", "which row of Film is meant. Give one of id, key, first"),
    ("query Q @auth(level: USER) { rating { stars } }", "1:30", "Give one of key, first."),
    (
      "query Q @auth(level: USER) { film(id: \"0123456789abcdef0123456789abcdef\", key: {}) { id } }", "1:75",
      "id and key exclude"
    ),
    ("query Q @auth(level: USER) { film(id: \"x\") { id } }", "1:39", "a UUID"),
    ("mutation M @auth(level: USER) { film_delete }", "1:33", "which row"),
    ("mutation M @auth(level: USER) { film_deleteMany }", "1:33", "Give \"where\", or \"all: true\""),
    ("mutation M @auth(level: USER) { film_deleteMany(all: false) }", "1:33", "which rows"),
    ("mutation M @auth(level: USER) { film_deleteMany(where: {}, all: true) }", "1:60", "exclude each other"),
    (
      "query Q @auth(level: USER) { films(where: {minutes: {eq: 1, eq_expr: \"1\"}}) { id } }", "1:61", "eq and eq_expr"
    ),
    (
      "query Q @auth(level: USER) { films(where: {mood: {gt: DULL, gt_expr: \"x\"}}) { id } }", "1:61", "gt and gt_expr"
    ),
    ("query Q @auth(level: USER) { films(where: {mood: {eq: DUL}}) { id } }", "1:55", "DUL"),
    (
      "query Q @auth(level: USER) { films(where: {title: {pattern: {like: \"a\", regex: \"b\"}}}) { id } }", "1:73",
      "like and regex"
    ),
    (
      "query Q @auth(level: USER) { posters(where: {seen: {gt_time: {add: {days: 1}}}}) { id } }", "1:62",
      "none of now and at"
    ),
    ("query Q @auth(level: USER) { films_search { id } }", "1:30", "what to look for"),
    ("query Q @auth(level: USER) { posters_print_similarity { id } }", "1:30", "compare"),
    (
      "mutation M @auth(level: USER) { film_insert(data: {title: \"a\", title_expr: \"b\"}) }", "1:64",
      "title and title_expr"
    ),
    (
      "mutation M @auth(level: USER) { rating_insert(data: {film: {id_expr: \"uuidV4()\"}, filmId_expr: \"uuidV4()\"}) }",
      "1:83", "same foreign key"
    ),
    ("mutation M($d: Film_Data!) @auth(level: USER) { film_insert(data: $d) }", "1:12", "every column through $d"),
    (
      "mutation M($d: Film_Data! @allow(fields: \"titel\")) @auth(level: USER) { film_insert(data: $d) }", "1:42",
      "no field \"titel\". Did you mean title"
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"title_expr\")) @auth(level: USER) { film_insert(data: $d) }", "1:42",
      "may not come through a variable"
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"title }\")) @auth(level: USER) { film_insert(data: $d) }", "1:42",
      "not a list of fields"
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"ratings_on_film\")) @auth(level: USER) { film_insert(data: $d) }",
      "1:42", "holds rows"
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"title { x }\")) @auth(level: USER) { film_insert(data: $d) }", "1:42",
      "is a column"
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"title\", maxCount: 2)) @auth(level: USER) { film_insert(data: $d) }",
      "1:61", "one row"
    ),
    (
      "mutation M($d: [Film_Data!]! @allow(fields: \"title\", maxCount: 0)) @auth(level: USER) { film_insertMany(data: $d) }",
      "1:64", "more than 0"
    ),
    (
      "query Q($t: String @allow(fields: \"x\")) @auth(level: USER) { films(where: {title: {eq: $t}}) { id } }", "1:20",
      "String is none"
    ),
    (
      "query Q($e: String_Expr) @auth(level: USER) { films(where: {title: {eq_expr: $e}}) { id } }", "1:13",
      "No variable can have the type"
    ),
    (
      "query Q($e: Mood_Expr) @auth(level: USER) { films(where: {mood: {eq_expr: $e}}) { id } }", "1:13",
      "No variable can have the type"
    ),
    (
      "query Q($t: String! @retired) @auth(level: USER) { films(where: {title: {eq: $t}}) { id } }", "1:9",
      "has to be given"
    ),
    ("query Q @auth(level: USER) @refresh { films { id } }", "1:28", "exactly one of every and onMutationExecuted"),
    ("query Q @auth(level: USER) @refresh(every: {seconds: 5}) { films { id } }", "1:44", "every 10 seconds"),
    ("query Q @auth(level: USER) @refresh(every: {days: 1}) { films { id } }", "1:44", "every hour"),
    (
      "query Q @auth(level: USER) @refresh(onMutationExecuted: {operation: \"N\"}) { films { id } }", "1:69",
      "no mutation \"N\""
    ),
    ("query Q @auth(level: USER) @transaction { films { id } }", "1:28", "transaction"),
    ("query Q @auth(level: USER) { _select(sql: 1) }", "1:43", "a statement"),
    ("subscription S { films { id } }", "1:1", "subscriptions"),
    ("type T { x: Int }", "1:1", "T"),
    ("query Q @auth(level: USER) { films { id } } query Q @auth(level: USER) { films { id } }", "1:51", "\"Q\""),
    ("query q @auth(level: USER) { films { id } } query Q @auth(level: USER) { films { id } }", "1:51", "for clients"),
  ]

  @Test(arguments: mistakes.indices)
  func `are told with their place`(index: Int) throws {
    let mistake = Self.mistakes[index]
    let result = try Fixture.compile(operations: mistake.text)
    #expect(result.connector == nil, "\(mistake.text)")
    #expect(
      result.problems.contains {
        $0.description.hasPrefix("films.gql:\(mistake.place): error: ") && $0.description.contains(mistake.words)
      }, "\(mistake.text)\n\(result.problems.map(\.description).joined(separator: "\n"))")
  }

  @Test func `that may be meant are warnings`() throws {
    let result = try Fixture.compile(operations: "query Q { films { id } }")
    #expect(result.connector?.operation("Q")?.access.grant == .level(.nobody))
    #expect(result.problems.map(\.description).count == 1)
    #expect(result.problems.first?.description.contains("warning: \"Q\" does not say who may call it") == true)
  }

  @Test func `of several operations are told at once`() throws {
    let problems = try Fixture.problems(
      operations: "query A @auth(level: USER) { film { id } }\nmutation B @auth(level: USER) { film_delete }")
    #expect(problems.count == 2)
    #expect(problems.map { $0.prefix(13) } == ["films.gql:1:3", "films.gql:2:3"])
  }

  @Test func `are none where only an expression uses a variable`() throws {
    let text = "query A($x: Int, $y: Int) @auth(expr: \"vars.x == 1\") { films { title } }"
    #expect(
      try Fixture.problems(operations: text) == [
        "films.gql:1:18: warning: The variable $y is not used. Use it, or remove it."
      ])
  }

  @Test func `are none of a list of mutations that refresh, in either spelling`() throws {
    let text = """
      query Q @auth(level: USER) @refresh(onMutationExecuted: [{operation: "addFilm"}, {operation: "Drop"}]) {
        films(limit: 20000) { id }
      }
      mutation AddFilm @auth(level: USER) { film_insert(data: {title: "A"}) }
      mutation Drop @auth(level: USER) { film_deleteMany(all: true) }
      """
    let result = try Fixture.compile(operations: text)
    #expect(result.problems.map(\.severity) == [.warning])
    #expect(result.problems.first?.description.hasPrefix("films.gql:2:16: warning: At most 10000") == true)
    let rules = result.connector?.operation("Q")?.refreshes
    #expect(rules == [.mutation(name: "AddFilm", condition: nil), .mutation(name: "Drop", condition: nil)])
  }

  @Test func `are fewer for what an administrator has executed at once`() throws {
    let source = GraphQLSource("mutation($data: Film_Data!) { film_insert(data: $data) }", name: "query")
    let result = ConnectorCompiler.compile(administrative: source, against: try Fixture.schema())
    #expect(result.problems.map(\.description) == [])
    #expect(result.connector?.operations.map(\.name) == [""])
  }
}
