import GraphQL
import Testing

@testable import DataConnectCompiler

/// Columns, and what is computed, searched and indexed of them.
@Suite(.timeLimit(.minutes(1)))
struct `The columns of a table` {
  private func table(_ text: String) throws -> Table {
    try #require(try Fixture.schema(text).tables.first)
  }

  @Test func `are counted, summed and compared by their types`() throws {
    let table = try table(
      """
      type T @table {
        u: UUID! s: String i: Int! l: Int64 n: Float b: Boolean d: Date t: Timestamp j: Any
        v: Vector @col(size: 1) e: E xs: [Int!]
      }
      enum E { A }
      """)
    #expect(
      table.aggregates.map { "\($0.name): \($0.type)" } == [
        "_count: Int!", "b_count: Int!", "d_count: Int!", "e_count: Int!", "i_count: Int!", "id_count: Int!",
        "j_count: Int!", "l_count: Int!", "n_count: Int!", "s_count: Int!", "t_count: Int!", "u_count: Int!",
        "v_count: Int!", "i_sum: Int", "l_sum: Int64", "n_sum: Float", "i_avg: Float", "l_avg: Float", "n_avg: Float",
        "d_min: Date", "i_min: Int", "j_min: Any", "l_min: Int64", "n_min: Float", "t_min: Timestamp", "d_max: Date",
        "i_max: Int", "j_max: Any", "l_max: Int64", "n_max: Float", "t_max: Timestamp",
      ])
    #expect(
      table.aggregates.filter(\.takesDistinct).map(\.name) == [
        "b_count", "d_count", "e_count", "i_count", "id_count", "j_count", "l_count", "n_count", "s_count", "t_count",
        "u_count", "v_count", "i_sum", "l_sum", "n_sum", "i_avg", "l_avg", "n_avg",
      ])
    #expect(table.aggregates.map(\.column).filter { $0 == nil }.count == 1)
    #expect(table.aggregates[1].column == "b" && table.aggregates[1].function == .count)
  }

  @Test func `have the variants of their types in data`() throws {
    let schema = try Fixture.schema(
      "type T @table(key: \"b\") { b: Boolean! j: Any v: Vector @col(size: 1) d: Date t: Timestamp e: E es: [E!] u: UUID }"
        + " enum E { A }")
    #expect(
      schema.inputs("T_Data") == [
        "b: Boolean", "b_expr: Boolean_Expr", "d: Date", "d_date: Date_Relative", "d_expr: Date_Expr",
        "d_update: [Date_Update!]", "e: E", "e_expr: E_Expr", "es: [E!]", "es_update: [E_ListUpdate!]", "j: Any",
        "j_expr: Any_Expr", "t: Timestamp", "t_expr: Timestamp_Expr", "t_time: Timestamp_Relative",
        "t_update: [Timestamp_Update!]", "u: UUID", "u_expr: UUID_Expr", "v: Vector", "v_embed: Vector_Embed",
      ])
    #expect(
      schema.inputs("T_Filter") == [
        "_and: [T_Filter!]", "_not: T_Filter", "_or: [T_Filter!]", "b: Boolean_Filter", "d: Date_Filter",
        "e: E_Filter", "es: E_ListFilter", "j: Any_Filter", "t: Timestamp_Filter", "u: UUID_Filter",
        "v: Vector_Filter",
      ])
    #expect(
      schema.inputs("E_ListUpdate") == ["append: [E!]", "prepend: [E!]", "add: [E!]", "remove: [E!]"])
  }

  @Test func `give an enumeration changes of lists only where there are lists of it`() throws {
    let schema = try Fixture.schema("enum E { A } enum F { A } type T @table { e: E fs: [F!] }")
    #expect(schema.graphQL.type("E_ListUpdate") == nil && schema.graphQL.type("F_ListUpdate") != nil)
    #expect(schema.graphQL.type("E_ListFilter") != nil && schema.graphQL.type("E_Filter") != nil)
  }

  @Test func `may be vectors of one number to sixteen thousand`() throws {
    let table = try table("type A @table { b: Vector @col(size: 16000) a: Vector! @col(size: 1) n: Float }")
    #expect(table.column("b")?.sqlType == "vector(16000)" && table.column("a")?.sqlType == "vector(1)")
    #expect(table.vectors.map(\.name) == ["a", "b"])
    #expect(table.rootFields == ["a", "as", "as_a_similarity", "as_b_similarity"])
    let own = try self.table("type A @table { x: Vector @col(size: 3, dataType: \"halfvec(3)\") }")
    #expect(own.column("x")?.sqlType == "halfvec(3)")
  }

  @Test func `are searched in their languages`() throws {
    let table = try table(
      """
      type T @table {
        title: String @searchable
        text: String! @searchable(language: "german")
        plain: String
        other: String @searchable(language: "english") @col(name: "o\\"x")
      }
      """)
    #expect(table.columns.map(\.searchLanguage) == ["english", "german", nil, "english", nil])
    #expect(table.isSearchable && table.rootFields == ["t", "ts", "ts_search"])
    let documents = table.searchDocuments
    #expect(documents.map(\.language) == ["english", "german"])
    #expect(documents.map { $0.columns.map(\.name) } == [["title", "other"], ["text"]])
    #expect(
      documents[0].sql()
        == "to_tsvector('english'::regconfig, coalesce(\"title\", '') || ' ' || coalesce(\"o\"\"x\", ''))")
    #expect(documents[1].sql(alias: "\"t\"") == "to_tsvector('german'::regconfig, coalesce(\"t\".\"text\", ''))")
    let quoted = try self.table("type T @table { x: String @searchable(language: \"o'x\") }")
    #expect(quoted.searchDocuments.map(\.configuration) == ["'o''x'::regconfig"])
    let none = try self.table("type T @table { x: String }")
    #expect(!none.isSearchable && none.searchDocuments == [] && none.rootFields == ["t", "ts"])
    let view = try self.table("type T @view(sql: \"SELECT 1\") { x: String @searchable }")
    #expect(view.rootFields == ["ts", "ts_search"])
  }

  @Test func `have indexes with the names of the database`() throws {
    let table = try table(
      """
      type A @table(name: "t") @index(fields: ["x", "y"]) @index(fields: ["y", "x"], order: [ASC, DESC]) {
        x: Int @col(name: "z") @index(order: DESC) @unique
        y: Int @index(type: GIN) @index(name: "own", order: [ASC])
        v: Vector @col(size: 1) @index
        w: Vector @col(size: 1) @index(type: HNSW, vector_method: L2)
        ls: [String!] @index(type: GIN)
      }
      """)
    #expect(
      table.indexes == [
        TableIndex(
          name: "t_z_y_aa_idx", columns: ["x", "y"], descends: [false, false], kind: .btree, vectorMethod: nil),
        TableIndex(
          name: "t_y_z_ad_idx", columns: ["y", "x"], descends: [false, true], kind: .btree, vectorMethod: nil),
        TableIndex(name: "t_z_idx", columns: ["x"], descends: [true], kind: .btree, vectorMethod: nil),
        TableIndex(name: "t_y_idx", columns: ["y"], descends: [false], kind: .gin, vectorMethod: nil),
        TableIndex(name: "own", columns: ["y"], descends: [false], kind: .btree, vectorMethod: nil),
        TableIndex(name: "t_v_idx", columns: ["v"], descends: [false], kind: .hnsw, vectorMethod: nil),
        TableIndex(name: "t_w_idx", columns: ["w"], descends: [false], kind: .hnsw, vectorMethod: "L2"),
        TableIndex(name: "t_ls_idx", columns: ["ls"], descends: [false], kind: .gin, vectorMethod: nil),
      ])
    #expect(table.uniques == [UniqueConstraint(name: "t_z_uidx", columns: ["x"])])
  }

  @Test func `have an index with a list in it of one kind only`() throws {
    let table = try table("type A @table @index(fields: [\"x\", \"ls\"]) { x: Int ls: [Int!] }")
    #expect(table.indexes.map(\.kind) == [.gin] && table.indexes.map(\.name) == ["a_x_ls_aa_idx"])
  }

  @Test func `keep what is said of them`() throws {
    let schema = try Fixture.schema(
      "\"A film.\" type Film @table { \"Its title.\" title: String! x: Int } \"How it is.\" enum Mood { DULL }")
    #expect(schema.table("Film")?.description == "A film." && schema.enumeration("Mood")?.description == "How it is.")
    #expect(schema.table("Film")?.columns.map(\.description) == ["Its title.", nil, nil])
    #expect(schema.table("Film")?.column("title")?.origin == .declared)
    #expect(schema.table("Filn") == nil && schema.enumeration("Film") == nil)
    #expect(schema.table("Film")?.column("titel") == nil && schema.table("Film")?.reference("x") == nil)
  }

  @Test func `come from extensions too, wherever they are`() throws {
    let schema = try Fixture.schema(
      "extend type A { y: Int } extend enum E { B } enum E { A } type A @table { x: E } extend enum E { C }")
    #expect(schema.table("A")?.columns.map(\.name) == ["x", "y", "id"])
    #expect(schema.enumeration("E")?.values == ["A", "B", "C"])
    #expect(schema.enumerations.map(\.sqlName) == ["e"])
    let several = try Fixture.schema(
      "enum Ba { A } enum AB { A } enum Aa { A } type Ab @table { x: Int } type AC @table { x: Int }")
    #expect(several.enumerations.map(\.name) == ["AB", "Aa", "Ba"])
    #expect(several.tables.map(\.name) == ["AC", "Ab"])
  }

  @Test func `say what a root field does`() throws {
    let schema = try Fixture.schema(
      "type A @table { v: Vector @col(size: 1) s: String @searchable } type V @view(sql: \"SELECT 1\") { s: String @searchable }"
    )
    let kinds: [(String, RootAction.Kind)] = [
      ("a", .lookup), ("as", .list), ("as_search", .search), ("as_v_similarity", .similarity(column: "v")),
      ("a_insert", .mutation(.insert)), ("a_insertMany", .mutation(.insertMany)), ("a_upsert", .mutation(.upsert)),
      ("a_upsertMany", .mutation(.upsertMany)), ("a_update", .mutation(.update)),
      ("a_updateMany", .mutation(.updateMany)), ("a_delete", .mutation(.delete)),
      ("a_deleteMany", .mutation(.deleteMany)),
    ]
    for (field, kind) in kinds {
      #expect(schema.action(ofRootField: field) == RootAction(kind: kind, table: "A"), "\(field)")
      let root = if case .mutation = kind { "Mutation" } else { "Query" }
      #expect(schema.fields(root).contains(field), "\(field)")
    }
    #expect(schema.action(ofRootField: "vs_search") == RootAction(kind: .search, table: "V"))
    #expect(schema.action(ofRootField: "vs") == RootAction(kind: .list, table: "V"))
    for field in ["v", "v_insert", "v_deleteMany", "as_s_similarity", "a_insertAll", "A", ""] {
      #expect(schema.action(ofRootField: field) == nil, "\(field)")
    }
  }
}
