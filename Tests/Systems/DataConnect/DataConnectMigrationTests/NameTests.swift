import PostgreSQL
import Testing

@testable import DataConnectMigration

/// What the server calls a thing whose name is too long for it: what is planned next compares the two.
@Suite(.timeLimit(.minutes(1)))
struct `A name in the database` {
  private static let names = [
    String(repeating: "a", count: 62), String(repeating: "a", count: 63), String(repeating: "a", count: 64),
    String(repeating: "a", count: 61) + "é", String(repeating: "a", count: 62) + "é",
    String(repeating: "a", count: 62) + "e\u{301}x", String(repeating: "é", count: 40),
    String(repeating: "a", count: 55) + "👩‍👩‍👧‍👦", String(repeating: "a", count: 62) + "\r\n",
  ]

  @Test func `is cut as the server cuts it`() async throws {
    let database = try await TestDatabase()
    for name in Self.names {
      let server = try await database.connection.query(
        "SELECT $1::text::name::text", [.text(name)], within: TestDatabase.limit)
      let kept = SQL.kept(name)
      #expect(kept.utf8.elementsEqual(try #require(server.first).text(at: 0).utf8), "\(name) becomes \(kept)")
    }
  }
}
