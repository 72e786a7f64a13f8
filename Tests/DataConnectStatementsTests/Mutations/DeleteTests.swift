import DataConnectCompiler
import DataConnectStatements
import GraphQL
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `A field that deletes, or has its own SQL` {
  private let id = "0123456789abcdef0123456789abcdef"

  private func database() async throws -> QueriedDatabase {
    try await Films.database(
      """
      INSERT INTO "user" (uid, name) VALUES ('u1', 'a'), ('u2', 'b');
      INSERT INTO movie (id, title, created_at) VALUES ('\(id)', 'A', now());
      INSERT INTO review (movie_id, user_uid) VALUES ('\(id)', 'u1'), ('\(id)', 'u2')
      """)
  }

  @Test func `gives the key of its row, or null`() async throws {
    let db = try await database()
    #expect(try await db.change("{ movie_delete(id: \"\(id)\") }") == "{\"id\":\"\(id)\"}")
    #expect(try await db.change("{ movie_delete(id: \"\(id)\") }") == "null")
    #expect(try await db.columns("1", of: "review").isEmpty)
    #expect(try await db.change("($id: String!) { user_delete(key: {uid: $id}) }", ["id": "' OR true --"]) == "null")
    #expect(try await db.change("{ user_delete(first: {orderBy: {name: DESC}}) }") == #"{"uid":"u2"}"#)
    #expect(try await db.change("{ user_delete(first: {where: {name: {eq: \"x\"}}}) }") == "null")
    #expect(try await db.columns("uid", of: "\"user\"") == ["u1"])
  }

  @Test func `counts many rows, and never means all without a word`() async throws {
    let db = try await database()
    let text = "($uid: String) { review_deleteMany(where: {userUid: {eq: $uid}}) }"
    #expect(
      try QueriedDatabase.refusal(ofMutation: text, db.schema)
        == "where: Nothing is left of this condition, which would mean every row of Review.")
    #expect(try await db.change(text, ["uid": "u1"]) == "1")
    #expect(try await db.change(text, ["uid": .null]) == "0")
    #expect(try await db.change("{ review_deleteMany(all: true) }") == "1")
    #expect(try await db.change("{ review_deleteMany(all: true) }") == "0")
  }

  @Test func `runs SQL of the operation with values that are bound`() async throws {
    let db = try await database()
    #expect(
      try await db.change(
        "($n: String) { _execute(sql: \"UPDATE \\\"user\\\" SET name = $1 WHERE uid > $2; -- all\", params: [$n, \"u0\"]) }",
        ["n": "'; DROP TABLE movie; --"]) == "2")
    #expect(try await db.columns("name", of: "\"user\"") == Array(repeating: "'; DROP TABLE movie; --", count: 2))
    #expect(try await db.change("{ _execute(sql: \"DELETE FROM review\") }") == "2")
    #expect(try await db.change("{ _execute(sql: \"DELETE FROM review\") }") == "0")
    #expect(try await db.change("{ _execute(sql: \"CREATE TABLE extra (a int)\") }") == "0")
    let returning = try await db.change(
      """
      ($tags: Any) { _executeReturning(sql: "INSERT INTO extra SELECT unnest($1::int[]) RETURNING a, $2::text AS b -- end",
        params: [$tags, {_expr: "auth.uid"}]) }
      """, ["tags": [1, 2]])
    #expect(returning == #"[{"a":1,"b":"u1"},{"a":2,"b":"u1"}]"#)
    #expect(
      try await db.change("{ _executeReturningFirst(sql: \"UPDATE extra SET a = a + $1 RETURNING a;\", params: [1]) }")
        == #"{"a":2}"#)
    #expect(try await db.change("{ _executeReturning(sql: \"DELETE FROM extra WHERE a > 5 RETURNING a\") }") == "[]")
    #expect(
      try await db.change("{ _executeReturningFirst(sql: \"DELETE FROM extra WHERE a > 5 RETURNING a\") }") == "null")
    #expect(try await db.columns("a", of: "extra") == ["2", "3"])
  }

  @Test func `takes through a variable only what @allow says`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    let one = "($data: Movie_Data! @allow(fields: \"title reviews_on_movie { stars }\")) { movie_insert(data: $data) }"
    func refusal(_ text: String, _ data: JSONValue) throws -> String? {
      try QueriedDatabase.refusal(ofMutation: text, schema, ["data": data])
    }
    #expect(try refusal(one, ["title": "A", "reviews_on_movie": [["stars": 1]]]) == nil)
    #expect(try refusal(one, ["title": "A", "year": 1]) == "data.year: year must not be written through $data.")
    #expect(
      try refusal(one, ["reviews_on_movie": [["stars": 1], ["note": "x"]]])
        == "data.reviews_on_movie.1.note: note must not be written through $data.")
    #expect(
      try refusal(one, ["title_expr": "auth.uid"]) == "data.title_expr: title_expr must not be written through $data.")
    let many = "($data: [User_Data!]! @allow(fields: \"uid\", maxCount: 2)) { user_insertMany(data: $data) }"
    #expect(try refusal(many, [["uid": "a"], ["uid": "b"]]) == nil)
    #expect(
      try refusal(many, [["uid": "a"], ["uid": "b"], ["uid": "c"]])
        == "data: $data has 3 rows, and 2 at most are allowed.")
    #expect(try refusal(many, [["uid": "a"], ["name": "b"]]) == "data.1.name: name must not be written through $data.")
  }

  @Test func `evaluates no expression of a client`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    let result = ConnectorCompiler.compile(
      [
        GraphQLSource(
          "mutation M($data: Movie_Data! @allow(fields: \"title\")) @auth(level: PUBLIC) { movie_insert(data: $data) }",
          name: "m.gql")
      ], against: schema)
    let field = try #require(result.connector?.operation("M")?.fields.first)
    for data in [
      ["title_expr": "auth.uid"], ["owner": ["uid": "u1"]], ["year_update": [["inc": 1]]],
      ["released_date": ["today": true]],
    ] as [JSONObject] {
      // As if nobody had asked what is allowed.
      let context = StatementContext(schema: schema, variables: ["data": .object(data)]) { _ throws(StatementError) in
        "evaluated"
      }
      #expect(throws: StatementError.self) { try StatementBuilder.mutation(field, context) }
    }
  }
}
