import Testing

@testable import DataConnectMigration

/// A foreign key stands on a unique index, and its columns have the type of those that it leads to.
@Suite(.timeLimit(.minutes(1)))
struct `A change of what a foreign key stands on` {
  @Test func `takes the key away before it, and brings it back, each time`() async throws {
    func schema(_ unique: String) -> String {
      """
      type Club @table { code: String! \(unique) }
      type Film @table { no: Int! clubCode: String club: Club @ref(fields: "clubCode", references: "code") }
      """
    }
    let evolution = try await Evolution(schema("@unique"))
    try await evolution.database.run(
      "INSERT INTO club (code) VALUES ('A'); INSERT INTO film (no, club_code) VALUES (1, 'A'), (2, NULL)")
    for unique in [#"@unique(indexName: "codes")"#, #"@unique(indexName: "other_codes")"#, "@unique"] {
      #expect(try await evolution.plan(schema(unique)).sql.contains("DROP INDEX"))
      try await evolution.change(schema(unique))
      #expect(try await evolution.database.refusal("INSERT INTO film (no, club_code) VALUES (9, 'B')") == "23503")
      #expect(try await evolution.database.rows("SELECT no, club_code FROM film ORDER BY no") == ["1,A", "2,NULL"])
      #expect(try await evolution.database.refusal("INSERT INTO club (code) VALUES ('A')") == "23505")
    }
  }

  @Test func `converts both ends to the new form of an enumeration`() async throws {
    func schema(_ kinds: String) -> String {
      """
      enum Kind { \(kinds) }
      type Club @table { kind: Kind! @unique name: String }
      type Film @table { no: Int! clubKind: Kind club: Club @ref(fields: "clubKind", references: "kind") }
      """
    }
    let evolution = try await Evolution(schema("NEW OLD"))
    try await evolution.database.run(
      "INSERT INTO club (kind) VALUES ('OLD'); INSERT INTO film (no, club_kind) VALUES (1, 'OLD')")
    for kinds in ["OLD NEW", "OLD", "OLD NEW"] {
      try await evolution.change(schema(kinds))
      #expect(try await evolution.database.rows("SELECT no, club_kind FROM film") == ["1,OLD"])
      #expect(try await evolution.database.rows("SELECT 1 FROM pg_constraint WHERE contype = 'f'") == ["1"])
    }
  }
}
