import DataConnectStatements
import JSON
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
}
