import GraphQL
import Testing

@testable import DataConnectCompiler

/// Keys, foreign keys and what follows from them.
@Suite(.timeLimit(.minutes(1)))
struct `A key of a schema` {
  private static let parent = "type A @table { x: Int }"

  private func table(_ name: String, _ text: String) throws -> Table {
    try #require(try Fixture.schema(text).table(name))
  }

  @Test func `is added once, with a value made anew`() throws {
    for text in ["type A @table(key: \"id\") { x: Int }", Self.parent] {
      let table = try table("A", text)
      #expect(table.key == ["id"] && table.hasIDArgument)
      #expect(table.columns.map(\.name) == ["x", "id"])
      let id = try #require(table.column("id"))
      #expect(id.type.text == "UUID!" && id.sqlName == "id" && id.sqlType == "uuid" && id.searchLanguage == nil)
      #expect(id.origin == .implicitKey && id.defaultValue == .expression("uuidV4()"))
      #expect(id.position == table.position)
    }
    let both = try table("A", "type A @table(key: [\"n\", \"id\"]) { n: Int! }")
    #expect(both.key == ["n", "id"] && !both.hasIDArgument)
    #expect(both.columns.map(\.name) == ["n", "id"])
    // It stands before a foreign key, also where the key names that first.
    let foreign = try table("B", "\(Self.parent) type B @table(key: [\"a\", \"id\"]) { a: A! t: String }")
    #expect(foreign.key == ["aId", "id"] && foreign.columns.map(\.name) == ["t", "id", "aId"])
  }

  @Test func `may be a foreign key that a field names`() throws {
    let named = try table("B", "\(Self.parent) type B @table(key: \"owner\") { a: A! @ref(fields: \"owner\") }")
    #expect(named.key == ["owner"] && named.references.map(\.columns) == [["owner"]])
    #expect(
      named.column("owner")?.type.text == "UUID!" && named.column("owner")?.origin == .implicitForeignKey(of: "a"))
    #expect(named.reference("a")?.isUnique == true)
  }

  @Test func `may be that of a later field whose name begins alike`() throws {
    let table = try table("B", "\(Self.parent) type B @table(key: \"abId\") { a: A! ab: A! }")
    #expect(table.key == ["abId"])
    #expect(table.references.map(\.field) == ["a", "ab"] && table.columns.map(\.name) == ["aId", "abId"])
    #expect(table.references.map(\.isUnique) == [false, true])
    let later = try self.table("B", "\(Self.parent) type B @table(key: \"cId\") { a: A! c: A! n: Int }")
    #expect(later.key == ["cId"])
    #expect(later.references.map(\.field) == ["a", "c"])
    #expect(later.columns.map(\.name) == ["n", "aId", "cId"])
    #expect(later.columns.map(\.origin) == [.declared, .implicitForeignKey(of: "a"), .implicitForeignKey(of: "c")])
  }

  @Test func `is told where it may be null`() {
    let key = Fixture.compile("type A @table(key: \"x\") { x: Int }")
    #expect(key.schema != nil)
    #expect(
      key.problems.map(\.description) == [
        "schema.gql:1:27: warning: A.x is in the key, and so it is never null. Write \"!\" behind its type."
      ])
    let text = "\(Self.parent) type B @table { a: A! aId: UUID }"
    let foreign = Fixture.compile(text)
    #expect(foreign.schema != nil)
    #expect(
      foreign.problems.map(\.description) == [
        "schema.gql:1:48: warning: B.a cannot be null, and its foreign key aId can. "
          + "Write \"!\" behind the type of aId."
      ])
    for fine in ["a: A aId: UUID", "a: A aId: UUID!", "a: A! aId: UUID!"] {
      #expect(Fixture.compile("\(Self.parent) type B @table { \(fine) }").problems == [])
    }
    #expect(
      Fixture.compile("\(Self.parent) type B @view(sql: \"SELECT 1\") { a: A! aId: UUID }").problems == [])
  }

  @Test func `of a view is none, and its columns may be null`() throws {
    let result = Fixture.compile("type A @view(sql: \"SELECT 1\") { x: Int! y: Int id: UUID }")
    let view = try #require(result.schema?.table("A"))
    #expect(view.kind == .view(sql: "SELECT 1") && view.isView && view.key == [] && !view.hasIDArgument)
    #expect(view.columns.map(\.name) == ["x", "y", "id"])
    #expect(
      result.problems.map(\.description) == [
        "schema.gql:1:36: warning: A column of a view may be null whatever its statement says. Remove the \"!\"."
      ])
  }

  @Test(arguments: [
    ("serial", "integer"), ("BigSerial", "bigint"), ("SMALLSERIAL", "smallint"), ("varchar(5)", "varchar(5)"),
    ("integer", "integer"), ("Serial8", "Serial8"),
  ])
  func `is referred to without its counter`(own: String, foreign: String) throws {
    let schema = try Fixture.schema(
      "type A @table { id: Int! @col(dataType: \"\(own)\") } type B @table { a: A! b: A }")
    #expect(schema.table("A")?.column("id")?.sqlType == own)
    let table = try #require(schema.table("B"))
    #expect(table.column("aId")?.sqlType == foreign && table.column("aId")?.type.text == "Int!")
    #expect(table.column("bId")?.sqlType == foreign && table.column("bId")?.type.text == "Int")
    #expect(table.column("aId")?.defaultValue == nil && table.column("aId")?.sqlName == "a_id")
  }

  @Test func `is referred to by columns that are written or made`() throws {
    let table = try table(
      "B",
      """
      type A @table { email: String! @unique mood: Mood! @unique }
      enum Mood { DULL }
      type B @table(name: "bee") {
        a: A @ref(references: "email")
        b: A @ref(fields: "own", references: "mood")
        c: A! @ref(fields: "written")
        written: UUID! @col(name: "col_x")
      }
      """)
    #expect(table.references.map(\.columns) == [["aEmail"], ["own"], ["written"]])
    #expect(table.references.map(\.targetColumns) == [["email"], ["mood"], ["id"]])
    #expect(
      table.references.map(\.constraintName) == ["bee_a_email_fkey", "bee_own_fkey", "bee_col_x_fkey"])
    #expect(table.references.map(\.isNonNull) == [false, false, true])
    #expect(table.references.map(\.onDelete) == [.setNull, .setNull, .cascade])
    #expect(table.references.map(\.isUnique) == [false, false, false])
    #expect(table.column("own")?.type.text == "Mood" && table.column("own")?.sqlType == "\"mood\"")
    #expect(table.column("aEmail")?.type.text == "String" && table.column("aEmail")?.sqlName == "a_email")
    #expect(table.columns.map(\.name) == ["written", "id", "aEmail", "own"])
  }

  @Test func `makes a reference unique where it has the same columns`() throws {
    let field = try table("B", "\(Self.parent) type B @table { a: A @unique }")
    #expect(field.reference("a")?.isUnique == true)
    #expect(field.uniques == [UniqueConstraint(name: "b_a_id_uidx", columns: ["aId"])])
    let type = try table("B", "\(Self.parent) type B @table @unique(fields: \"aId\") { a: A }")
    #expect(type.reference("a")?.isUnique == true)
    let more = try table("B", "\(Self.parent) type B @table @unique(fields: [\"a\", \"n\"]) { a: A n: Int }")
    #expect(more.reference("a")?.isUnique == false)
    #expect(more.uniques == [UniqueConstraint(name: "b_a_id_n_uidx", columns: ["aId", "n"])])
    let composite = try table(
      "B",
      """
      type A @table(key: ["x", "y"]) { x: Int! y: Int! }
      type B @table @unique(fields: ["aY", "aX"]) { a: A }
      """)
    #expect(composite.reference("a")?.isUnique == true)
  }

  @Test func `of a table that refers to itself is found at once`() throws {
    let table = try table("A", "type A @table(key: \"n\") { n: Int! a: A other: A! @unique }")
    #expect(table.references.map(\.columns) == [["aN"], ["otherN"]])
    #expect(table.reverse.map(\.field) == ["as_on_a", "a_on_other"])
    #expect(table.reverse.map(\.isOne) == [false, true])
    #expect(table.reverse.map(\.source) == ["A", "A"] && table.reverse.map(\.reference) == ["a", "other"])
  }
}
