import DataConnectStatements
import JSON
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `A field that upserts` {
  private let id = "0123456789abcdef0123456789abcdef"

  @Test func `inserts with defaults, and changes only what is given`() async throws {
    let db = try await Films.database()
    let text =
      "($year: Int, $views: Int64) { movie_upsert(data: {id: \"\(id)\", title: \"A\", year: $year, views: $views}) }"
    #expect(try await db.change(text, ["year": 1, "views": "7"]) == "{\"id\":\"\(id)\"}")
    #expect(try await db.columns("year, views, genre", of: "movie") == ["1|7|DRAMA"])
    // Neither the default of the views nor the year that is not set.
    #expect(try await db.change(text) == "{\"id\":\"\(id)\"}")
    #expect(try await db.columns("year, views", of: "movie") == ["1|7"])
    try await db.change(text, ["year": .null])
    #expect(try await db.columns("year, views", of: "movie") == ["-|7"])
  }

  @Test func `gives the key of a row that has nothing else`() async throws {
    let db = try await Films.database("INSERT INTO \"user\" (uid, name) VALUES ('u1', 'n')")
    #expect(try await db.change("{ user_upsert(data: {}) }") == #"{"uid":"u1"}"#)
    #expect(try await db.columns("uid, name", of: "\"user\"") == ["u1|n"])
  }

  @Test func `takes composite keys by their references`() async throws {
    let db = try await Films.database(
      "INSERT INTO \"user\" (uid) VALUES ('u1'); INSERT INTO movie (id, title, created_at) VALUES ('\(id)', 'A', now())"
    )
    let text =
      "($stars: Int) { review_upsert(data: {movie: {id: \"\(id)\"}, user: {uid_expr: \"auth.uid\"}, stars: $stars}) }"
    #expect(try await db.change(text) == "{\"movieId\":\"\(id)\",\"userUid\":\"u1\"}")
    #expect(try await db.columns("stars", of: "review") == ["3"])
    try await db.change(text, ["stars": 5])
    try await db.change(text)
    #expect(try await db.columns("stars", of: "review") == ["5"])
  }

  @Test func `counts from what is there`() async throws {
    let db = try await Films.database()
    let text = """
      { movie_upsert(data: {id: "\(id)", title: "A", views_update: [{inc: "2"}], tags_update: [{add: ["a", "b", "a"]}]}) }
      """
    try await db.change(text)
    try await db.change(text)
    #expect(try await db.columns("views, tags", of: "movie") == ["4|{a,b}"])
    #expect(
      try QueriedDatabase.refusal(
        ofMutation: "{ movie_insert(data: {title: \"A\", released_update: [{inc: {days: 1}}]}) }", db.schema)
        == "data.released_update: A new row has no value of released that could be changed.")
  }

  @Test func `does many, each with what it has, in their order`() async throws {
    let db = try await Films.database("INSERT INTO \"user\" (uid, name) VALUES ('b', 'old'), ('c', 'old')")
    #expect(
      try await db.change(
        "{ user_upsertMany(data: [{uid: \"c\"}, {uid: \"a\", name: \"new\"}, {uid: \"b\", name: \"new\"}, {uid: \"d\"}]) }"
      )
        == #"[{"uid":"c"},{"uid":"a"},{"uid":"b"},{"uid":"d"}]"#)
    #expect(try await db.columns("uid, name", of: "\"user\"") == ["a|new", "b|new", "c|old", "d|-"])
    #expect(
      try await db.state("{ user_upsertMany(data: [{uid: \"a\", name: \"1\"}, {uid: \"a\", name: \"2\"}]) }") == "21000"
    )
    // However the rows alternate, those that are alike are written together.
    let rows = (0..<400).map { index -> JSONValue in
      let uid = JSONValue.string("k\((index * 7) % 400)")
      return index % 2 == 0 ? ["uid": uid] : ["uid": uid, "name": "x"]
    }
    let many = "($rows: [User_Data!]! @allow(fields: \"uid name\")) { user_upsertMany(data: $rows) }"
    for _ in 0..<2 {
      let keys = try JSONCoding.parse(try await db.change(many, ["rows": .array(rows)])).arrayValue
      #expect(keys?.map { $0["uid"] } == rows.map { $0["uid"] })
    }
    // Another row that is unique as well is no match.
    try await db.change("{ movie_insert(data: {title: \"A\", slug: \"s\"}) }")
    #expect(try await db.state("{ movie_upsert(data: {id: \"\(id)\", title: \"B\", slug: \"s\"}) }") == "23505")
  }
}
