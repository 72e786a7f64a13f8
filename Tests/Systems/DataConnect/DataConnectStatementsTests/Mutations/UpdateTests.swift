import DataConnectStatements
import JSON
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `A field that updates` {
  private let id = "0123456789abcdef0123456789abcdef"

  private func database() async throws -> QueriedDatabase {
    try await Films.database(
      """
      INSERT INTO "user" (uid) VALUES ('u1'), ('u2');
      INSERT INTO movie (id, title, year, views, rating, tags, released, created_at, updated_at, owner_uid) VALUES
        ('\(id)', 'A', 10, 5, 1.5, '{a,b,a}', '2024-01-31', '2026-01-31T12:00:00Z', NULL, 'u1'),
        ('11111111-1111-1111-1111-111111111111', 'B', 20, 2147483647, NULL, NULL, NULL, '2026-01-01Z', NULL, 'u2');
      INSERT INTO review (movie_id, user_uid, stars) VALUES ('\(id)', 'u1', 1)
      """)
  }

  @Test func `finds its row by id, key or what comes first`() async throws {
    let db = try await database()
    let key = "{\"id\":\"\(id)\"}"
    #expect(try await db.change("{ movie_update(id: \"\(id)\", data: {year: 1}) }") == key)
    #expect(try await db.change("{ movie_update(key: {id: \"\(id)\"}, data: {year: 2}) }") == key)
    #expect(
      try await db.change("{ movie_update(first: {where: {ownerUid: {eq_expr: \"auth.uid\"}}}, data: {year: 3}) }")
        == key)
    #expect(
      try await db.change("{ movie_update(first: {orderBy: {title: DESC}}, data: {year: 4}) }")
        == "{\"id\":\"\(String(repeating: "1", count: 32))\"}")
    #expect(
      try await db.change("{ review_update(key: {movieId: \"\(id)\", userUid: \"u1\"}, data: {stars: null}) }")
        == "{\"movieId\":\"\(id)\",\"userUid\":\"u1\"}")
    #expect(try await db.columns("title, year", of: "movie") == ["A|3", "B|4"])
    #expect(try await db.columns("stars", of: "review") == ["-"])
  }

  @Test func `gives null for a row that is not there`() async throws {
    let db = try await database()
    #expect(
      try await db.change("{ movie_update(id: \"\(String(repeating: "2", count: 32))\", data: {year: 1}) }") == "null")
    #expect(
      try await db.change(
        "($id: UUID) { movie_update(first: {where: {id: {eq: $id}, ownerUid: {eq_expr: \"null\"}}}, data: {year: 1}) }",
        ["id": .string(id)]) == "null")
    #expect(try await db.columns("year", of: "movie") == ["10", "20"])
  }

  @Test func `leaves what is not set, makes null what is null, and changes keys`() async throws {
    let db = try await database()
    let text = "($year: Int, $title: String) { movie_update(id: \"\(id)\", data: {year: $year, title: $title}) }"
    #expect(try await db.change(text) == "{\"id\":\"\(id)\"}")
    try await db.change(text, ["year": .null])
    #expect(try await db.columns("title, year", of: "movie") == ["A|-", "B|20"])
    try await db.change("{ movie_update(id: \"\(id)\", data: {owner: null}) }")
    #expect(try await db.columns("owner_uid", of: "movie", order: "title") == ["-", "u2"])
    try await db.change("{ movie_update(id: \"\(id)\", data: {owner: {uid: \"u2\"}}) }")
    let new = String(repeating: "3", count: 32)
    #expect(
      try await db.change("{ movie_update(first: {where: {title: {eq: \"B\"}}}, data: {id: \"\(new)\"}) }")
        == "{\"id\":\"\(new)\"}")
    #expect(try await db.state("{ movie_update(id: \"\(new)\", data: {id: \"\(id)\"}) }") == "23505")
  }

  @Test(arguments: [
    ("year_update: [{inc: 5}, {dec: 2}]", "year", "13"), ("views_update: [{inc: 1}]", "views", "6"),
    ("rating_update: [{dec: 0.25}]", "rating", "1.25"),
    ("released_update: [{inc: {months: 1}}]", "released", "29.02.2024"),
    ("released_update: [{dec: {weeks: 1, days: 1}}]", "released", "23.01.2024"),
    (
      "createdAt_update: [{inc: {months: 1, milliseconds: 5}}]", "created_at AT TIME ZONE 'UTC'",
      "28.02.2026 12:00:00.005"
    ),
    ("tags_update: [{append: [\"a\"]}, {prepend: [\"z\"]}]", "tags", "{z,a,b,a,a}"),
    ("tags_update: [{add: [\"c\", \"b\", \"c\"]}]", "tags", "{a,b,a,c}"),
    ("tags_update: [{remove: [\"a\", \"x\"]}, {append: []}]", "tags", "{b}"),
    ("moods_update: [{append: [WESTERN]}, {add: [WESTERN, DRAMA]}]", "moods", "{WESTERN,DRAMA}"),
    ("moods_update: [{remove: [WESTERN]}]", "moods", "-"), ("updatedAt_update: [{inc: {days: 1}}]", "updated_at", "-"),
    (
      "updatedAt_time: {now: true, truncateTo: MONTH}", "updated_at AT TIME ZONE 'UTC'", "01.03.2026 00:00:00"
    ),
    ("released_date: {today: true, add: {years: 1}}", "released", "31.03.2027"),
    ("updatedAt_expr: \"request.time\"", "updated_at AT TIME ZONE 'UTC'", "31.03.2026 10:20:30.123456"),
  ])
  func `steps from what there is`(data: String, column: String, expected: String) async throws {
    let db = try await database()
    #expect(try await db.change("{ movie_update(id: \"\(id)\", data: {\(data)}) }") == "{\"id\":\"\(id)\"}")
    #expect(try await db.columns(column, of: "movie WHERE id = '\(id)'") == [expected])
  }

  @Test func `takes steps from variables, and leaves out those that are not set`() async throws {
    let db = try await database()
    let text =
      "($by: Int, $add: [String!]) { movie_update(id: \"\(id)\", data: {year_update: [{inc: $by}], tags_update: [{add: $add}]}) }"
    try await db.change(text)
    #expect(try await db.columns("year, tags", of: "movie") == ["10|{a,b,a}", "20|-"])
    try await db.change(text, ["by": 5, "add": ["'; --"]])
    #expect(try await db.columns("year, tags", of: "movie") == ["15|{a,b,a,\"'; --\"}", "20|-"])
    #expect(try await db.state(text, ["by": 2_147_483_647]) == "22003")
  }

  @Test func `counts many rows, and never means all without a word`() async throws {
    let db = try await database()
    #expect(try await db.change("{ movie_updateMany(where: {year: {gt: 5}}, data: {year_update: [{inc: 1}]}) }") == "2")
    #expect(try await db.change("{ movie_updateMany(where: {title: {eq: \"x\"}}, data: {year: 0}) }") == "0")
    #expect(try await db.change("{ movie_updateMany(all: true, data: {genre: COMEDY}) }") == "2")
    #expect(try await db.columns("year, genre", of: "movie") == ["11|COMEDY", "21|COMEDY"])
    let text = "($year: Int, $all: Boolean) { movie_updateMany(where: {year: {eq: $year}}, data: {year: 0}) }"
    let used = text.replacing(", $all: Boolean", with: "")
    let lost = "where: Nothing is left of this condition, which would mean every row of Movie."
    #expect(try QueriedDatabase.refusal(ofMutation: used, db.schema) == lost)
    let all = "($all: Boolean!) { movie_updateMany(all: $all, data: {year: 0}) }"
    #expect(
      try QueriedDatabase.refusal(ofMutation: all, db.schema, ["all": false])
        == "This does not say which rows of Movie are meant: give where, or all.")
    let both = "($where: Int) { movie_updateMany(where: {year: {eq: $where}}, all: false, data: {year: 0}) }"
    #expect(try QueriedDatabase.refusal(ofMutation: both, db.schema, ["where": 1]) == nil)
    #expect(
      try QueriedDatabase.refusal(ofMutation: "{ movie_updateMany(where: {}, data: {year: 0}) }", db.schema) == lost)
    #expect(
      try QueriedDatabase.refusal(ofMutation: "{ movie_updateMany(where: {_and: []}, data: {year: 0}) }", db.schema)
        == lost)
  }

  @Test(arguments: [("movie_updateMany", ", data: {year: 0}"), ("movie_deleteMany", "")])
  func `never means all rows unless it says so`(field: String, more: String) throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    func refusal(_ arguments: String, _ variables: JSONObject) throws -> String? {
      let declared = arguments.contains("$w") ? "$w: Movie_Filter" : "$all: Boolean"
      return try QueriedDatabase.refusal(
        ofMutation: "(\(declared)) { \(field)(\(arguments)\(more)) }", schema, variables)
    }
    let none = "This does not say which rows of Movie are meant: give where, or all."
    let lost = "where: Nothing is left of this condition, which would mean every row of Movie."
    let filters: [(JSONValue?, String?)] = [
      (["year": ["eq": 1]], nil), (["_or": []], nil), (nil, none), (.null, none), ([:], lost),
      (["year": .null], lost), (["_or": [[:], [:]]], lost), (["_not": [:]], lost),
    ]
    for (filter, expected) in filters {
      var variables: JSONObject = [:]
      variables["w"] = filter
      for arguments in ["where: $w", "where: $w, all: false"] {
        #expect(try refusal(arguments, variables) == expected, "\(arguments) \(variables)")
      }
    }
    for variables in [[:], ["all": .null], ["all": false]] as [JSONObject] {
      #expect(try refusal("all: $all", variables) == none)
    }
    #expect(try refusal("all: $all", ["all": true]) == nil)
  }

  @Test func `locks the row that comes first, and a query does not`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    let first = "first: {where: {year: {eq: 1}}}"
    for (field, isLocking) in [
      ("movie_update(\(first), data: {year: 0})", true), ("movie_delete(\(first))", true),
      ("movie_update(id: \"\(id)\", data: {year: 0})", false), ("movie_delete(id: \"\(id)\")", false),
    ] {
      let text = try QueriedDatabase.mutation("{ \(field) }", schema).text
      #expect(text.contains(" LIMIT 1 FOR UPDATE)") == isLocking, "\(text)")
    }
    let query = try QueriedDatabase.statement("@auth { movie(\(first)) { title } }", schema)
    #expect(!query.text.contains("FOR UPDATE") && query.text.hasSuffix(" LIMIT 1"))
  }

  @Test func `inserts nothing`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    #expect(
      try QueriedDatabase.refusal(
        ofMutation: "{ movie_update(id: \"\(id)\", data: {reviews_on_movie: [{stars: 1}]}) }", schema)
        == "data: reviews_on_movie can be given where a row is inserted, and not where it is changed.")
  }
}
