import DataConnectCompiler
import TestSupport
import Testing

/// Whole lines, each with its place and its advice.
@Suite(.timeLimit(.minutes(1)))
struct `Refusals of operations` {
  private typealias Case = (text: String, place: String, line: String)

  private static let access: [Case] = [
    (
      "query _Q @auth(level: USER) { films { id } }", "1:7",
      "Names that begin with _ are kept for what is generated. Rename it."
    ),
    (
      "query Q @auth(level: USER, expr: \"true\") { films { id } }", "1:9",
      "@auth takes exactly one of level and expr. Remove one."
    ),
    (
      "query Q @auth(level: null, expr: null) { films { id } }", "1:9",
      "@auth takes exactly one of level and expr. Write @auth(level: USER)."
    ),
    ("query Q @auth { films { id } }", "1:9", "@auth takes exactly one of level and expr. Write @auth(level: USER)."),
    ("query Q @auth(expr: \"\") { films { id } }", "1:21", "The expression is empty. Write one."),
    ("query Q @auth(level: USER) @check(expr: \" \") { films { id } }", "1:41", "The expression is empty. Write one."),
    (
      "query Q @auth(level: USER) { films @check(expr: \"\\t\") { id } }", "1:49",
      "The expression is empty. Write one."
    ),
    (
      "query Q @auth(level: USER) { films { ... @check(expr: \"\") { id } } }", "1:55",
      "The expression is empty. Write one."
    ),
    (
      "query Q @auth(level: USER) { films { ...F @check(expr: \"\") } } fragment F on Film { id }", "1:56",
      "The expression is empty. Write one."
    ),
    (
      "query Q @auth(level: USER) { films { ...F } } fragment F on Film @check(expr: \"\") { id }", "1:79",
      "The expression is empty. Write one."
    ),
    (
      "query Q @auth(level: USER) { films { ...F } } fragment F on Film { id @check(expr: \"\") }", "1:84",
      "The expression is empty. Write one."
    ),
    (
      "query @auth(level: USER) { films { id } }", "1:1",
      "The operation has no name, so that no client can call it. Name it."
    ),
    (
      "subscription S @auth(level: USER) { films { id } }", "1:1",
      "A connector has queries and mutations, and no subscriptions. Make it a query: clients can listen to each."
    ),
    (
      "query aB @auth(level: USER) { films { id } } query AB @auth(level: USER) { films { id } }", "1:52",
      "\"AB\" and \"aB\" have the same name for clients. Rename one."
    ),
  ]

  @Test func `are told of names and of who may call`() throws {
    for one in try Cases.present(Self.access, least: 14) { try check(one) }
  }

  private static let fields: [Case] = [
    (
      "query Q @auth(level: USER) { film(id: null) { id } }", "1:30",
      "\"film\" does not say which row of Film is meant. Give one of id, key, first."
    ),
    (
      "query Q @auth(level: USER) { x: film { id } }", "1:33",
      "\"film\" does not say which row of Film is meant. Give one of id, key, first."
    ),
    (
      "query Q @auth(level: USER) { visitor { uid } }", "1:30",
      "\"visitor\" does not say which row of Visitor is meant. Give one of key, first."
    ),
    (
      "query Q @auth(level: USER) { film(id: \"0123456789abcdef0123456789abcdef\", first: {}) { id } }", "1:75",
      "id and first exclude each other. Remove all but one."
    ),
    (
      "query Q @auth(level: USER) { film(key: {}, first: {}) { id } }", "1:44",
      "key and first exclude each other. Remove all but one."
    ),
    (
      "mutation M @auth(level: USER) { film_update(data: {minutes: 1}) }", "1:33",
      "\"film_update\" does not say which row of Film is meant. Give one of id, key, first."
    ),
    (
      "mutation M @auth(level: USER) { film_delete(key: null) }", "1:33",
      "\"film_delete\" does not say which row of Film is meant. Give one of id, key, first."
    ),
    (
      "mutation M @auth(level: USER) { query { film { id } } }", "1:41",
      "\"film\" does not say which row of Film is meant. Give one of id, key, first."
    ),
    (
      "mutation M @auth(level: USER) { film_updateMany(data: {minutes: 1}) }", "1:33",
      "\"film_updateMany\" does not say which rows are meant. Give \"where\", or \"all: true\"."
    ),
    (
      "mutation M @auth(level: USER) { film_deleteMany(where: null, all: null) }", "1:33",
      "\"film_deleteMany\" does not say which rows are meant. Give \"where\", or \"all: true\"."
    ),
    (
      "mutation M @auth(level: USER) { film_deleteMany(all: false) }", "1:33",
      "\"film_deleteMany\" does not say which rows are meant. Give \"where\", or \"all: true\"."
    ),
    (
      "mutation M @auth(level: USER) { film_deleteMany(where: {}, all: true) }", "1:60",
      "where and all exclude each other. Remove one."
    ),
    (
      "mutation M($a: Boolean) @auth(level: USER) { film_deleteMany(where: {}, all: $a) }", "1:73",
      "where and all exclude each other. Remove one."
    ),
    (
      "query Q @auth(level: USER) { posters_print_similarity(compare: null) { id } }", "1:30",
      "\"posters_print_similarity\" does not say which row of Poster is meant. Give one of compare, compare_embed."
    ),
    (
      "query Q @auth(level: USER) { posters_print_similarity(compare: [1], compare_embed: {model: \"m\", text: \"t\"}) { id } }",
      "1:69", "compare and compare_embed exclude each other. Remove all but one."
    ),
    (
      "query Q @auth(level: USER) { films_search(query: null) { id } }", "1:30",
      "The search says nothing of what to look for. Write query: \"…\"."
    ),
  ]

  @Test func `are told of rows that are not told`() throws {
    for one in try Cases.present(Self.fields, least: 16) { try check(one) }
  }

  private static let refreshes: [Case] = [
    (
      "query Q @auth(level: USER) @refresh(every: {milliseconds: 9999}) { films { id } }", "1:44",
      "A query is refreshed every 10 seconds at the soonest, and every hour at the latest. Write @refresh(every: {minutes: 1})."
    ),
    (
      "query Q @auth(level: USER) @refresh(every: {milliseconds: 3600001}) { films { id } }", "1:44",
      "A query is refreshed every 10 seconds at the soonest, and every hour at the latest. Write @refresh(every: {minutes: 1})."
    ),
    (
      "query Q @auth(level: USER) @refresh(every: {}) { films { id } }", "1:44",
      "A query is refreshed every 10 seconds at the soonest, and every hour at the latest. Write @refresh(every: {minutes: 1})."
    ),
    (
      "query Q @auth(level: USER) @refresh(every: {minutes: 60, milliseconds: 1}) { films { id } }", "1:44",
      "A query is refreshed every 10 seconds at the soonest, and every hour at the latest. Write @refresh(every: {minutes: 1})."
    ),
    (
      "query Q @auth(level: USER) @refresh(every: {minutes: -1}) { films { id } }", "1:44",
      "A query is refreshed every 10 seconds at the soonest, and every hour at the latest. Write @refresh(every: {minutes: 1})."
    ),
    (
      "query Q @auth(level: USER) @refresh(every: {months: 1}) { films { id } }", "1:44",
      "A query is refreshed every 10 seconds at the soonest, and every hour at the latest. Write @refresh(every: {minutes: 1})."
    ),
    (
      "query Q @auth(level: USER) @refresh(every: null) { films { id } }", "1:44",
      "A query is refreshed every 10 seconds at the soonest, and every hour at the latest. Write @refresh(every: {minutes: 1})."
    ),
    (
      "query Q @auth(level: USER) @refresh { films { id } }", "1:28",
      "@refresh takes exactly one of every and onMutationExecuted. Write @refresh(every: {minutes: 1})."
    ),
    (
      "query Q @auth(level: USER) @refresh(every: {minutes: 1}, onMutationExecuted: {operation: \"AddFilm\"}) { films { id } } mutation AddFilm @auth(level: USER) { film_insert(data: {title: \"a\"}) }",
      "1:28", "@refresh takes exactly one of every and onMutationExecuted. Write it twice, each with one."
    ),
    (
      "query Q @auth(level: USER) @refresh(onMutationExecuted: [{operation: \"AddFilm\"}, {operation: \"AddFlm\"}]) { films { id } } mutation AddFilm @auth(level: USER) { film_insert(data: {title: \"a\"}) }",
      "1:94", "The connector has no mutation \"AddFlm\". Did you mean AddFilm?"
    ),
    (
      "query Q @auth(level: USER) @refresh(onMutationExecuted: {operation: \"Q\"}) { films { id } }", "1:69",
      "The connector has no mutation \"Q\"."
    ),
  ]

  @Test func `are told of refreshing`() throws {
    for one in try Cases.present(Self.refreshes, least: 11) { try check(one) }
  }

  private static let values: [Case] = [
    (
      "query Q @auth(level: USER) { films(where: {_or: [{title: {eq: \"a\", eq_expr: \"b\"}}]}) { id } }", "1:68",
      "eq and eq_expr of String_Filter exclude each other. Remove all but one."
    ),
    (
      "query Q @auth(level: USER) { films(where: {_not: {_and: {title: {ne: \"a\", ne_expr: \"b\"}}}}) { id } }",
      "1:75", "ne and ne_expr of String_Filter exclude each other. Remove all but one."
    ),
    (
      "query Q @auth(level: USER) { films(where: {released: {eq_date: {today: true, on: \"2026-01-01\"}}}) { id } }",
      "1:78", "today and on of Date_Relative exclude each other. Remove all but one."
    ),
    (
      "query Q @auth(level: USER) { films(where: {released: {eq_date: {add: {days: 1}}}}) { id } }", "1:64",
      "The Date_Relative has none of today and on. Give one of them."
    ),
    (
      "query Q @auth(level: USER) { posters(where: {seen: {gt_time: {now: null, at: null}}}) { id } }", "1:62",
      "The Timestamp_Relative has none of now and at. Give one of them."
    ),
    (
      "mutation M @auth(level: USER) { film_update(id: \"0123456789abcdef0123456789abcdef\", data: {tags_update: [{append: [\"a\"], prepend: [\"b\"]}]}) }",
      "1:122", "append and prepend of String_ListUpdate exclude each other. Remove all but one."
    ),
    (
      "mutation M @auth(level: USER) { film_update(id: \"0123456789abcdef0123456789abcdef\", data: {minutes_update: [{inc: 1}, {inc: 1, dec: 1}]}) }",
      "1:128", "inc and dec of Int_Update exclude each other. Remove all but one."
    ),
    (
      "mutation M @auth(level: USER) { film_insert(data: {title: \"a\", title_expr: \"b\"}) }", "1:64",
      "title and title_expr of Film_Data exclude each other. Remove all but one."
    ),
    (
      "mutation M @auth(level: USER) { film_insertMany(data: [{title: \"a\"}, {minutes: 1, minutes_expr: \"1\", minutes_update: [{inc: 1}]}]) }",
      "1:83", "minutes and minutes_expr and minutes_update of Film_Data exclude each other. Remove all but one."
    ),
    (
      "mutation M @auth(level: USER) { film_insert(data: {title: \"a\", ratings_on_film: [{stars: 1, stars_expr: \"1\"}]}) }",
      "1:93", "stars and stars_expr of Rating_Data exclude each other. Remove all but one."
    ),
    (
      "mutation M @auth(level: USER) { poster_insert(data: {film: {id: \"0123456789abcdef0123456789abcdef\"}, filmId: \"0123456789abcdef0123456789abcdef\"}) }",
      "1:102", "film and filmId are the same foreign key. Remove one."
    ),
    (
      "mutation M @auth(level: USER) { poster_insert(data: {film: {id: \"0123456789abcdef0123456789abcdef\"}, filmId: null, filmId_expr: \"x\"}) }",
      "1:116", "film and filmId_expr are the same foreign key. Remove one."
    ),
    (
      "mutation M @auth(level: USER) { poster_insert(data: {filmId_expr: \"x\", film: {id: \"0123456789abcdef0123456789abcdef\"}}) }",
      "1:54", "film and filmId_expr are the same foreign key. Remove one."
    ),
    (
      "mutation M @auth(level: USER) { rating_insert(data: {visitor: {uid: \"a\"}, visitorUid: \"a\"}) }", "1:75",
      "visitor and visitorUid are the same foreign key. Remove one."
    ),
  ]

  @Test func `are told of values that exclude each other`() throws {
    for one in try Cases.present(Self.values, least: 13) { try check(one) }
  }

  private static let variables: [Case] = [
    (
      "query Q($k: Film_KeyOutput) @auth(level: USER) { films { id } }", "1:13",
      "No variable can have the type \"Film_KeyOutput\": a client does not decide it. Write the value into the operation."
    ),
    (
      "query Q($k: [Mood_Expr!]) @auth(level: USER) { films { id } }", "1:13",
      "No variable can have the type \"Mood_Expr\": a client does not decide it. Write the value into the operation."
    ),
    (
      "query Q($k: OrderDirection = ASC, $t: Timestamp_Relative) @auth(level: USER) { films { id } }", "1:39",
      "No variable can have the type \"Timestamp_Relative\": a client does not decide it. Write the value into the operation."
    ),
    (
      "query Q($t: String! @retired) @auth(level: USER) { films(where: {title: {eq: $t}}) { id } }", "1:9",
      "New clients do not know $t, and it has to be given. Give it a default value, or make it nullable."
    ),
    (
      "mutation M($d: Film_Data!) @auth(level: USER) { film_insert(data: $d) }", "1:12",
      "A client could write every column through $d. Write @allow(fields: \"…\") behind its type, with the names of the columns that it may write."
    ),
    (
      "mutation M($d: [Film_Data!]!) @auth(level: USER) { film_insertMany(data: $d) }", "1:12",
      "A client could write every column through $d. Write @allow(fields: \"…\") behind its type, with the names of the columns that it may write."
    ),
    (
      "query Q($t: Film_Key @allow(fields: \"id\")) @auth(level: USER) { film(key: $t) { id } }", "1:22",
      "@allow is for variables that hold whole rows, and Film_Key is none. Remove it."
    ),
    (
      "mutation M($d: Film_Data! @allow) @auth(level: USER) { film_insert(data: $d) }", "1:27",
      "@allow does not say which fields a client may write. Write fields: \"…\"."
    ),
    (
      "mutation M($d: [Film_Data!]! @allow(maxCount: 2)) @auth(level: USER) { film_insertMany(data: $d) }", "1:30",
      "@allow does not say which fields a client may write. Write fields: \"…\"."
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"\")) @auth(level: USER) { film_insert(data: $d) }", "1:42",
      "\"\" is not a list of fields. Write names with spaces between them, those of inner rows between braces: \"title reviews { stars }\"."
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"title { }\")) @auth(level: USER) { film_insert(data: $d) }", "1:42",
      "\"title { }\" is not a list of fields. Write names with spaces between them, those of inner rows between braces: \"title reviews { stars }\"."
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"title\", maxCount: 1)) @auth(level: USER) { film_insert(data: $d) }",
      "1:61", "The variable holds one row. Remove maxCount."
    ),
    (
      "mutation M($d: [Film_Data!] @allow(fields: \"title\", maxCount: -1)) @auth(level: USER) { film_insertMany(data: []) }",
      "1:63", "At most so many rows: that has to be more than 0. Write maxCount: 100."
    ),
    (
      "mutation M($d: [Film_Data!] @allow(fields: \"title\", maxCount: 2147483648)) @auth(level: USER) { film_insertMany(data: []) }",
      "1:63", "At most so many rows: that has to be more than 0. Write maxCount: 100."
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"title ratings_on_film { starz }\")) @auth(level: USER) { film_insert(data: $d) }",
      "1:42", "Rating_Data has no field \"starz\". Did you mean stars?"
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"ratings_on_film { stars { x } }\")) @auth(level: USER) { film_insert(data: $d) }",
      "1:42", "\"stars\" is a column and has no fields. Remove the braces."
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"ratings_on_film { stars } poster_on_film\")) @auth(level: USER) { film_insert(data: $d) }",
      "1:42", "\"poster_on_film\" holds rows, and nothing is said of their fields. Write poster_on_film { … }."
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"sequel { id }\")) @auth(level: USER) { film_insert(data: $d) }",
      "1:42", "\"sequel\" may not come through a variable. Write it into the operation."
    ),
    (
      "mutation M($d: Film_Data! @allow(fields: \"title ratings_on_film { stars_expr }\")) @auth(level: USER) { film_insert(data: $d) }",
      "1:42", "\"stars_expr\" may not come through a variable. Write it into the operation."
    ),
  ]

  @Test func `are told of variables`() throws {
    for one in try Cases.present(Self.variables, least: 19) { try check(one) }
  }

  /// The line is among the problems, and there is no connector.
  private func check(_ one: Case) throws {
    let result = try Fixture.compile(operations: one.text)
    let lines = result.problems.map(\.description)
    #expect(result.connector == nil, "\(one.text)")
    #expect(
      lines.contains("films.gql:\(one.place): error: \(one.line)"),
      "\(one.text)\n\(one.place) \(one.line)\n\(lines.joined(separator: "\n"))")
  }
}
