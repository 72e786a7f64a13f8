import DataConnectCompiler
import TestSupport
import Testing

/// Whole lines, each with its place and its advice.
@Suite(.timeLimit(.minutes(1)))
struct `Refusals in a schema` {
  private typealias Case = (text: String, place: String, line: String)

  private static let types: [Case] = [
    ("type A implements I @table { x: Int }", "1:19", "Tables do not implement interfaces. Remove \"implements\"."),
    ("schema { query: Q }", "1:1", "The schema definition is made by the compiler. Remove it."),
    ("directive @a on OBJECT", "1:1", "A schema cannot define directives of its own. Remove it."),
    (
      "type A @table { x: Int } fragment F on A { x }", "1:26",
      "Operations do not belong into the schema. Move it into the folder of a connector."
    ),
    (
      "type Mutation { x: Int }", "1:6",
      "The type Mutation is made by the compiler. Remove it: its fields come from the tables."
    ),
    (
      "type Subscription { x: Int }", "1:6",
      "The type Subscription is made by the compiler. Remove it: its fields come from the tables."
    ),
    ("enum _E { A }", "1:6", "Names that begin with _ are kept for what is generated. Rename it."),
    (
      "type A @table { x: Int } union U = A", "1:32",
      "A schema has tables, views and enumerations, but no union. Remove it, or make it a type with @table."
    ),
    (
      "scalar S", "1:8",
      "A schema has tables, views and enumerations, but no scalar. Remove it, or make it a type with @table."
    ),
    (
      "interface I { x: Int }", "1:11",
      "A schema has tables, views and enumerations, but no interface. Remove it, or make it a type with @table."
    ),
    ("type A @view @table { x: Int }", "1:8", "A type is a table or a view. Remove @table or @view."),
    ("type A @table(name: \"\") { x: Int }", "1:21", "\"\" is not a name. Use letters, digits and _, at most 63."),
    (
      "type A @table(name: \"__a\") { x: Int }", "1:21",
      "\"__a\" is not a name. Use letters, digits and _, at most 63."
    ),
    (
      "type A @table(name: \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\") { x: Int }", "1:21",
      "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" is not a name. Use letters, digits and _, at most 63."
    ),
    (
      "type A @table(name: \"éééééééééééééééééééééééééééééééé\") { x: Int }", "1:21",
      "\"éééééééééééééééééééééééééééééééé\" is not a name. Use letters, digits and _, at most 63."
    ),
    (
      "type A @table(plural: \"b s\") { x: Int }", "1:23",
      "\"b s\" is not a name. Use letters, digits and _, at most 63."
    ),
    (
      "type A @table(singular: \"__a\") { x: Int }", "1:25",
      "\"__a\" is not a name. Use letters, digits and _, at most 63."
    ),
    (
      "type A @table(singular: \"9a\") { x: Int }", "1:25",
      "\"9a\" is not a name. Use letters, digits and _, at most 63."
    ),
    (
      "type A @table(singular: \"ä\") { x: Int }", "1:25",
      "\"ä\" is not a name. Use letters, digits and _, at most 63."
    ),
    ("type A @view(singular: \"\") { x: Int }", "1:24", "\"\" is not a name. Use letters, digits and _, at most 63."),
  ]

  @Test func `are told of types`() throws {
    for one in try Cases.present(Self.types, least: 20) { check(one) }
  }

  private static let columns: [Case] = [
    (
      "type A @table { x: [Vector] @col(size: 2) }", "1:20",
      "A column cannot hold a list of vectors. Put them into a table of their own."
    ),
    ("type A @table { x: [[Int!]!]! }", "1:20", "A column cannot hold lists of lists. Use the type Any."),
    (
      "type A @table { x: Vector @col(size: 0) }", "1:38",
      "A size from 1 to 16000 belongs to columns of type Vector. Remove it."
    ),
    (
      "type A @table { x: Vector @col(size: 16001) }", "1:38",
      "A size from 1 to 16000 belongs to columns of type Vector. Remove it."
    ),
    (
      "type A @table { x: Vector @col(size: -1) }", "1:38",
      "A size from 1 to 16000 belongs to columns of type Vector. Remove it."
    ),
    (
      "type A @table { x: String @col(size: 3) }", "1:38",
      "A size from 1 to 16000 belongs to columns of type Vector. Remove it."
    ),
    (
      "type A @table { x: Vector @col(name: \"y\") }", "1:20",
      "The column \"x\" does not say how long its vectors are. Write @col(size: 768) behind its type."
    ),
    (
      "type A @table { tags: [String!] @searchable }", "1:33",
      "Only columns of type String can be searched. Remove @searchable."
    ),
    (
      "type A @table { x: ID }", "1:20",
      "A column cannot have the type \"ID\". Columns have UUID, String, Int, Int64, Float, Boolean, Date, Timestamp, Any, Vector or an enumeration."
    ),
    (
      "type A @table { x: [OrderDirection!] }", "1:20",
      "A column cannot have the type \"OrderDirection\". Columns have UUID, String, Int, Int64, Float, Boolean, Date, Timestamp, Any, Vector or an enumeration."
    ),
    (
      "type A @table { x: Int @ref(fields: \"y\") }", "1:24",
      "@ref belongs to a field that leads to a table. Remove it."
    ),
    (
      "type A @view(sql: \"SELECT 1\") { x: Int @default(value: 1) }", "1:40",
      "Nothing is written into a view, so its columns have no defaults. Remove it."
    ),
    (
      "type A @table { x: Int @default }", "1:24",
      "@default takes exactly one of value, expr and sql. Write @default(value: …)."
    ),
    (
      "type A @table { x: Int @default(sql: \"1\", expr: \"2\") }", "1:24",
      "@default takes exactly one of value, expr and sql. Remove the others."
    ),
    ("type A @table { x: Int @default(sql: \"\") }", "1:38", "The expression is empty. Write one, or remove @default."),
    (
      "type A @table { x: Int @default(expr: \" \\t\\n\") }", "1:39",
      "The expression is empty. Write one, or remove @default."
    ),
    (
      "type A @table { x: Int x_min: Int }", "1:24",
      "The field \"x_min\" would also be generated of another column. Rename it."
    ),
    (
      "type A @table { x: Int xY: Int z: Int @col(name: \"x\") }", "1:32",
      "The columns z and x are both called \"x\" in the database. Write @col(name: …)."
    ),
  ]

  @Test func `are told of columns`() throws {
    for one in try Cases.present(Self.columns, least: 18) { check(one) }
  }

  private static let keys: [Case] = [
    (
      "type A @table { id: B! } type B @table { x: Int }", "1:6",
      "The field id leads to a table, so it cannot be the key. Rename it, or write @table(key: …)."
    ),
    ("type A @table(key: \"x\") { x: Any! }", "1:20", "A column of type Any! cannot be in a key. Use another one."),
    (
      "type A @table(key: [\"y\", \"x\"]) { y: Int! x: Vector! @col(size: 2) }", "1:26",
      "A column of type Vector! cannot be in a key. Use another one."
    ),
    (
      "type A @table(key: \"x\") { x: [Int!]! }", "1:20",
      "A column of type [Int!]! cannot be in a key. Use another one."
    ),
    ("type A @table(key: []) { x: Int! }", "1:20", "The key has no fields. Name some, or remove \"key\"."),
    ("type A @table(key: [\"x\", \"y\", \"x\"]) { x: Int! y: Int! }", "1:31", "The key has \"x\" twice. Remove one."),
    (
      "type A @table { x: Int } type B @table(key: [\"a\", \"aId\"]) { a: A! }", "1:51",
      "The key has \"aId\" twice. Remove one."
    ),
    (
      "type A @table(key: \"zzz\") { x: Int! }", "1:20",
      "The table \"A\" has no field \"zzz\" for its key. Declare it."
    ),
    (
      "type A @table { x: Int } type B @table(key: \"aIdd\") { a: A! }", "1:45",
      "The table \"B\" has no field \"aIdd\" for its key. Did you mean a?"
    ),
    (
      "type A @table(key: \"a\") { a: A! }", "1:27",
      "The key of \"A\" depends on itself through A.a. Give one of the tables a key of its own columns."
    ),
  ]

  @Test func `are told of keys`() throws {
    for one in try Cases.present(Self.keys, least: 10) { check(one) }
  }

  private static let references: [Case] = [
    (
      "type A @table { x: Int } type B @table { as: [A!]! }", "1:46",
      "A table cannot hold a list of \"A\". Give A a field of type B: the list as_on_… comes from it."
    ),
    (
      "type A @view(sql: \"SELECT 1\") { x: Int } type B @table { a: A }", "1:61",
      "Nothing can refer to the view \"A\", which has no key. Refer to a table."
    ),
    (
      "type A @table { x: Int } type B @table { a: A @col(name: \"x\") }", "1:47",
      "@col belongs to columns, and this field leads to a table. Declare the column of its foreign key, and write it there."
    ),
    (
      "type A @table { x: Int } type B @table { a: A @searchable }", "1:47",
      "@searchable belongs to columns, and this field leads to a table. Declare the column of its foreign key, and write it there."
    ),
    (
      "type A @table { x: Int } type B @table { a: A @ref(fields: [\"p\", \"q\"]) }", "1:61",
      "The foreign key has 2 fields, and A is told by 1. Name one field for each of id."
    ),
    (
      "type A @table { x: Int } type B @table { a: A @ref(fields: []) }", "1:42",
      "The foreign key has 0 fields, and A is told by 1. Name one field for each of id."
    ),
    (
      "type A @table { x: Int } type B @table { a: A @ref(fields: \"b\") b: A }", "1:60",
      "The field \"b\" is not a column. Name a column."
    ),
    (
      "type A @table { x: Int } type B @table { a: A @ref(fields: \"_x\") }", "1:60",
      "The field \"_x\" is not a column. Name a column."
    ),
    (
      "type A @table { x: Int } type B @table { a: A @ref(fields: \"a b\") }", "1:60",
      "The field \"a b\" is not a column. Name a column."
    ),
    (
      "type A @table { x: Int } type B @table { a: A @ref(references: [\"id\", \"yy\"]) }", "1:71",
      "The table \"A\" has no column \"yy\"."
    ),
    (
      "type A @table { x: Int } type B @table { a: A aId: [UUID!] }", "1:47",
      "The foreign key B.aId is [UUID!], and it has to match A.id, which is UUID. Declare it as UUID."
    ),
    (
      "type A @table { x: Int } type B @table { a: A aId: String! }", "1:47",
      "The foreign key B.aId is String, and it has to match A.id, which is UUID. Declare it as UUID."
    ),
    (
      "type A @table @unique(fields: [\"x\", \"y\"]) { x: Int y: Int } type B @table { a: A @ref(references: \"x\") }",
      "1:77", "x of A is not unique, so that it does not tell one row. Write @unique there, or refer to its key."
    ),
    (
      "type A @table { bs_on_a: Int } type B @table { a: A }", "1:6",
      "The field \"bs_on_a\" of A would stand for two relations. Rename a reference, or give a table other names with singular and plural."
    ),
  ]

  @Test func `are told of references`() throws {
    for one in try Cases.present(Self.references, least: 14) { check(one) }
  }

  private static let constraints: [Case] = [
    ("type A @table { x: [Int!] @unique }", "1:27", "The column \"x\" cannot be unique. Remove @unique."),
    (
      "type A @table @unique(fields: [\"y\", \"x\"]) { y: Int x: Vector @col(size: 2) }", "1:15",
      "The column \"x\" cannot be unique. Remove @unique."
    ),
    (
      "type A @table @index(fields: []) { x: Int }", "1:15",
      "@index of a table does not say which fields it is about. Write fields: [\"…\"]."
    ),
    (
      "type A @table @index { x: Int }", "1:15",
      "@index of a table does not say which fields it is about. Write fields: [\"…\"]."
    ),
    (
      "type A @table { x: Int @index(fields: \"x\") }", "1:39",
      "@index of a field is about this field. Remove \"fields\", or put it behind the name of the table."
    ),
    (
      "type A @table @index(fields: [\"title\", \"titel\"]) { title: Int }", "1:40",
      "The table \"A\" has no field \"titel\". Did you mean title?"
    ),
    (
      "type A @table @index(fields: [\"x\", \"y\"], order: [ASC]) { x: Int y: Int }", "1:49",
      "\"order\" of an index has one word for each of its columns, and only a BTREE has one. Write 2 of ASC and DESC, or remove it."
    ),
    (
      "type A @table @index(fields: \"x\", type: GIN, order: [ASC]) { x: Int }", "1:53",
      "\"order\" of an index has one word for each of its columns, and only a BTREE has one. Write 1 of ASC and DESC, or remove it."
    ),
    (
      "type A @table { x: Vector @col(size: 2) @index(type: GIN) }", "1:54",
      "An index of a vector cannot be GIN. Use HNSW or IVFFLAT."
    ),
    (
      "type A @table @index(fields: [\"x\", \"y\"], type: HNSW) { x: Int y: Int }", "1:48",
      "An index of these columns cannot be HNSW. Use BTREE or GIN."
    ),
    ("type A @table { x: [Int!] @index(type: IVFFLAT) }", "1:40", "An index of a list cannot be IVFFLAT. Use GIN."),
    (
      "type A @table { x: Int @index(vector_method: L2) }", "1:46",
      "vector_method is for indexes of vectors. Remove it."
    ),
    (
      "type A @table { x: [Int!] @index(vector_method: L2) }", "1:49",
      "vector_method is for indexes of vectors. Remove it."
    ),
  ]

  @Test func `are told of constraints`() throws {
    for one in try Cases.present(Self.constraints, least: 13) { check(one) }
  }

  private static let names: [Case] = [
    (
      "type A @table(singular: \"b\", plural: \"b\") { x: Int }", "1:6",
      "One A is called \"b\", and so are several. Write @table(plural: \"allA\"), or another name."
    ),
    (
      "type A @table(plural: \"x\") { x: Int } type B @table(plural: \"x\") { x: Int }", "1:44",
      "The field \"x\" would come from B and from A. Give one of them other names with singular and plural."
    ),
    (
      "type A @table(name: \"c\") { x: Int } type B @table(name: \"c\") { x: Int }", "1:42",
      "The tables B and A are both called \"c\" in the database. Write @table(name: …)."
    ),
    (
      "type A @table(plural: \"b\") { x: Int } type B @table { x: Int }", "1:44",
      "The field \"b\" would come from B and from A. Give one of them other names with singular and plural."
    ),
    (
      "type A @table(plural: \"b_search\") { x: Int } type B @table(plural: \"b\", singular: \"c\") { x: String @searchable }",
      "1:51",
      "The field \"b_search\" would come from B and from A. Give one of them other names with singular and plural."
    ),
    (
      "enum E { A } type E_Expr @table { x: Int }", "1:19",
      "The name \"E_Expr\" is kept for what is generated of E. Rename it."
    ),
  ]

  @Test func `are told of names`() throws {
    for one in try Cases.present(Self.names, least: 6) { check(one) }
  }

  /// The line is among the problems, and there is no schema.
  private func check(_ one: Case) {
    let result = Fixture.compile(one.text)
    let lines = result.problems.map(\.description)
    #expect(result.schema == nil, "\(one.text)")
    #expect(
      lines.contains("schema.gql:\(one.place): error: \(one.line)"),
      "\(one.text)\n\(one.place) \(one.line)\n\(lines.joined(separator: "\n"))")
  }
}
