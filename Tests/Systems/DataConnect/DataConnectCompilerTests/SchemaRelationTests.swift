import GraphQL
import Testing

@testable import DataConnectCompiler

@Suite(.timeLimit(.minutes(1)))
struct `A relation of a schema` {
  private static let ends = "type A @table { x: Int } type B @table { x: Int } type C @table { x: Int }"

  private func joins(_ text: String, of table: String = "A") throws -> [JoinRelation] {
    try #require(try Fixture.schema("\(Self.ends) \(text)").table(table)).joins
  }

  @Test func `is there once for each reference`() throws {
    let schema = try Fixture.schema("\(Self.ends) type D @table { second: A first: A @unique third: B }")
    let table = try #require(schema.table("A"))
    #expect(
      table.reverse == [
        ReverseRelation(field: "ds_on_second", source: "D", reference: "second", isOne: false),
        ReverseRelation(field: "d_on_first", source: "D", reference: "first", isOne: true),
      ])
    #expect(schema.table("B")?.reverse.map(\.field) == ["ds_on_third"])
    #expect(schema.table("C")?.reverse == [] && schema.table("D")?.reverse == [])
  }

  @Test func `is sorted by its name, lists before rows`() throws {
    let schema = try Fixture.schema(
      "\(Self.ends) type E @table { z: A! @unique b: A! a: A! } type D @table { a: A! @unique z: A! }")
    #expect(
      schema.table("A")?.reverse.map(\.field) == ["ds_on_z", "es_on_a", "es_on_b", "d_on_a", "e_on_z"])
  }

  @Test func `goes through a table whose key is two references`() throws {
    let text = "type J @table(key: [\"a\", \"b\"]) { a: A! b: B! c: C n: Int }"
    #expect(
      try joins(text) == [JoinRelation(field: "bs_via_J", joinTable: "J", near: "a", far: "b", target: "B")])
    #expect(
      try joins(text, of: "B") == [JoinRelation(field: "as_via_J", joinTable: "J", near: "b", far: "a", target: "A")])
    #expect(try joins(text, of: "C") == [])
  }

  @Test(arguments: [
    "type J @table(key: [\"a\", \"b\", \"n\"]) { a: A! b: B! n: Int! }",
    "type J @table(key: [\"a\", \"b\", \"c\"]) { a: A! b: B! c: C! }",
    "type J @table(key: \"a\") { a: A! b: B! }", "type J @table { a: A! b: B! }",
    "type J @view(sql: \"SELECT 1\") { a: A b: B }",
  ])
  func `goes through no other table`(text: String) throws {
    for table in ["A", "B", "C"] { #expect(try joins(text, of: table) == []) }
  }

  @Test func `goes through a table of two columns that are written`() throws {
    let text = "type J @table(key: [\"bId\", \"aId\"]) { aId: UUID! bId: UUID! b: B! a: A! }"
    #expect(
      try joins(text) == [JoinRelation(field: "bs_via_J", joinTable: "J", near: "a", far: "b", target: "B")])
  }

  @Test func `is sorted by its name where there are several`() throws {
    let text = """
      type L @table(key: ["a", "c"]) { a: A! c: C! }
      type K @table(key: ["a", "b"]) { a: A! b: B! }
      type J @table(key: ["a", "c"]) { a: A! c: C! }
      type S @table(key: ["y", "x"]) { y: A! x: A! }
      """
    #expect(
      try joins(text).map(\.field) == ["as_via_S_on_x", "as_via_S_on_y", "bs_via_K", "cs_via_J", "cs_via_L"])
    #expect(try joins(text).map(\.near) == ["x", "y", "a", "a", "a"])
  }

  @Test func `is a field of the row and of what is written with it`() throws {
    let schema = try Fixture.schema(
      "\(Self.ends) type J @table(key: [\"a\", \"b\"]) { a: A! b: B! } type V @view(sql: \"SELECT 1\") { a: A c: C @unique }"
    )
    let arguments = "(where, orderBy, offset, limit, distinct, having)"
    #expect(schema.field("js_on_a", of: "A") == "\(arguments) [J!]!")
    #expect(schema.field("bs_via_J", of: "A") == "\(arguments) [B!]!")
    #expect(schema.field("vs_on_a", of: "A") == "\(arguments) [V!]!")
    #expect(schema.field("v_on_c", of: "C") == "V")
    #expect(schema.inputs("A_Data").suffix(2) == ["x_update: [Int_Update!]", "js_on_a: [J_Data!]"])
    #expect(schema.inputs("C_Data").last == "x_update: [Int_Update!]")
    #expect(
      schema.inputs("A_Filter").suffix(3) == [
        "js_on_a: J_ListFilter", "vs_on_a: V_ListFilter", "bs_via_J: B_ListFilter",
      ])
    #expect(schema.inputs("C_Filter").last == "v_on_c: V_Filter")
  }

  @Test func `says in its text which column it is of`() throws {
    let schema = try Fixture.schema(
      """
      type Film @table(key: ["studio", "number"]) { studio: String! number: Int! }
      type Scene @table { film: Film! }
      """)
    let text = try #require(schema.expansionFiles.first { $0.path == "main/implicit.gql" }).text
    #expect(
      text == """
        extend type Scene {
          \"""
          The key of a row, made anew when it is inserted.
          \"""
          id: UUID! @default(expr: "uuidV4()") @fdc_generated(from: "Scene", purpose: IMPLICIT_KEY_FIELD)
          \"""
          The foreign key of `Scene`.`film`: the value of `Film`.`studio`.
          \"""
          filmStudio: String! @fdc_generated(from: "Scene.film", purpose: IMPLICIT_REF_FIELD)
          \"""
          The foreign key of `Scene`.`film`: the value of `Film`.`number`.
          \"""
          filmNumber: Int! @fdc_generated(from: "Scene.film", purpose: IMPLICIT_REF_FIELD)
        }

        """)
  }
}
