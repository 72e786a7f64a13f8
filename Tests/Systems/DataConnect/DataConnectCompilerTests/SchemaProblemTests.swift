import DataConnectCompiler
import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Mistakes in a schema` {
  /// A schema, where its mistake is, and a part of what is said.
  private static let mistakes: [(text: String, place: String, words: String)] = [
    ("type A { x: Int }", "1:6", "neither a table nor a view. Write @table"),
    ("type A @table @view { x: Int }", "1:15", "a table or a view"),
    ("type A @table { x: Strin }", "1:20", "Strin"),
    ("type A @table { x: ID }", "1:20", "A column cannot have the type \"ID\""),
    ("type A @table { x: Int_Filter }", "1:20", "Int_Filter"),
    ("type A @table { x: [[Int]] }", "1:20", "lists of lists"),
    ("type A @table { x: Int } type B @table { as: [A!] }", "1:46", "Give A a field of type B"),
    ("type A @table { x: Int, x: Int }", "1:25", "\"x\""),
    ("type A @table { x: Int } type A @table { y: Int }", "1:31", "more than one type \"A\""),
    ("type A @table { _x: Int }", "1:17", "begin with _"),
    ("type _A @table { x: Int }", "1:6", "begin with _"),
    ("type Query { x: Int }", "1:6", "Query"),
    ("type Date @table { x: Int }", "1:6", "more than one type \"Date\""),
    ("input A { x: Int }", "1:7", "no input"),
    ("type A @table { x(y: Int): Int }", "1:19", "no arguments"),
    ("type A @table(key: [\"naem\"]) { name: Int! }", "1:21", "no field \"naem\" for its key. Did you mean name?"),
    ("type A @table(key: []) { name: Int! }", "1:20", "no fields"),
    ("type A @table(key: [\"x\", \"x\"]) { x: Int! }", "1:26", "\"x\" twice"),
    ("type A @table(key: \"x\") { x: [Int!]! }", "1:20", "cannot be in a key"),
    ("type A @table(key: \"b\") { b: B! } type B @table(key: \"a\") { a: A! }", "1:61", "depends on itself"),
    ("type A @table { x: Int } type B @table { a: A @ref(fields: [\"p\", \"q\"]) }", "1:61", "has 2 fields"),
    ("type A @table { x: Int } type B @table { a: A @ref(references: \"y\") }", "1:64", "no column \"y\""),
    ("type A @table { x: Int } type B @table { a: A @ref(references: \"x\") }", "1:42", "is not unique"),
    ("type A @table { x: Int } type B @table { a: A aId: String }", "1:47", "has to match A.id, which is UUID"),
    ("type A @table { x: Int @ref }", "1:24", "@ref belongs to a field"),
    ("type A @table { x: Int } type B @table { a: A @default(value: 1) }", "1:47", "@default belongs to columns"),
    ("type A @view { x: Int } type B @table { a: A }", "1:44", "no key"),
    ("type A @view(name: \"a\", sql: \"b\") { x: Int }", "1:30", "not both"),
    ("type A @table { x: Int @default }", "1:24", "exactly one of value, expr and sql"),
    ("type A @table { x: Int @default(value: 1, expr: \"2\") }", "1:24", "exactly one"),
    ("type A @table { x: Int @default(value: \"1\") }", "1:40", "not of the type Int. Write a number"),
    ("type A @table { x: Int @default(value: 3000000000) }", "1:40", "use Int64"),
    ("type A @table { x: Date @default(value: \"31.1.2026\") }", "1:41", "2026-01-31"),
    ("type A @table { x: [Int!] @default(value: [1, true]) }", "1:43", "not of the type [Int!]"),
    ("type A @table { x: Int! @default(value: null) }", "1:41", "cannot be null"),
    ("type A @table { x: Int @default(expr: \" \") }", "1:39", "is empty"),
    ("enum E { A B } type T @table { e: E @default(value: C) }", "1:53", "not of the type E"),
    ("enum State { _A } type T @table { e: State }", "1:14", "kept for values that a client does not know"),
    ("type A @table { x: Vector }", "1:20", "@col(size: 768)"),
    ("type A @table { x: Int @col(size: 3) }", "1:35", "belongs to columns of type Vector"),
    ("type A @table { x: Int @searchable }", "1:24", "Only columns of type String"),
    ("type A @table @unique { x: Int }", "1:15", "does not say which fields"),
    ("type A @table @unique(fields: [\"y\"]) { x: Int }", "1:32", "no field \"y\""),
    ("type A @table { x: Int @unique(fields: [\"x\"]) }", "1:40", "about this field"),
    ("type A @table { x: [Int!] @index(type: BTREE) }", "1:40", "cannot be BTREE. Use GIN"),
    ("type A @table @index(fields: [\"x\"], order: [ASC, DESC]) { x: Int }", "1:44", "one word for each"),
    ("type A @table { x: Int x_count: Int }", "1:24", "also be generated"),
    ("type A @table { xY: Int x_y: Int }", "1:25", "both called \"x_y\""),
    ("type A @table(singular: \"b\") { x: Int } type B @table { x: Int }", "1:46", "would come from B and from A"),
    ("type A @table(singular: \"b\", plural: \"b\") { x: Int }", "1:6", "and so are several"),
    ("type A @table(name: \"b\") { x: Int } type B @table { x: Int }", "1:42", "in the database"),
    ("type A @table { x: Int } type A_Data @table { x: Int }", "1:31", "kept for what is generated of A"),
    ("type A @table(singular: \"a b\") { x: Int }", "1:25", "is not a name"),
    ("type A @table(keys: [\"x\"]) { x: Int }", "1:15", "keys"),
    ("type A @tabel { x: Int }", "1:8", "tabel"),
    ("query Q { x }", "1:1", "do not belong"),
    ("type A @table { x: Int", "1:23", "end"),
  ]

  @Test(arguments: mistakes.indices)
  func `are told with their place`(index: Int) {
    let mistake = Self.mistakes[index]
    let result = Fixture.compile(mistake.text)
    #expect(result.schema == nil, "\(mistake.text)")
    let errors = result.problems.filter { $0.severity == .error }
    #expect(
      errors.contains {
        $0.description.hasPrefix("schema.gql:\(mistake.place): error: ") && $0.description.contains(mistake.words)
      }, "\(mistake.text)\n\(result.problems.map(\.description).joined(separator: "\n"))")
  }

  @Test func `are told all at once, in the order of the files`() {
    let result = SchemaCompiler.compile([
      GraphQLSource("type B @table {\n  x: Vector\n  y: Strin\n}", name: "a.gql"),
      GraphQLSource("enum e_f { A }\ntype C @table(key: \"z\") { x: Int }", name: "b.gql"),
    ])
    #expect(
      result.problems.compactMap { $0.location?.description } == ["a.gql:2:6", "a.gql:3:6", "b.gql:1:6", "b.gql:2:20"])
  }

  @Test func `that may be meant are warnings`() throws {
    let view = Fixture.compile("type A @view(sql: \"SELECT 1 AS x\") { x: Int! }")
    #expect(view.schema != nil && view.problems.map(\.severity) == [.warning])
    let key = Fixture.compile("type A @table { x: Int } type B @table { a: A! aId: UUID }")
    #expect(key.problems.map(\.description).first?.contains("warning: B.a cannot be null") == true)
    let null = Fixture.compile("type A @table(key: \"b\") { b: B } type B @table { x: Int }")
    #expect(null.schema != nil && null.problems.first?.description.contains("A.bId is in the key") == true)
  }

  @Test func `are bounded and cut`() {
    let fields = (0..<500).map { "_\($0)\(String(repeating: "x", count: 200)): Int" }.joined(separator: "\n")
    let problems = Fixture.compile("type A @table {\n\(fields)\n}").problems
    #expect(problems.count <= 200 && !problems.isEmpty)
    #expect(problems.allSatisfy { $0.description.utf8.count < 1_000 })
  }
}
