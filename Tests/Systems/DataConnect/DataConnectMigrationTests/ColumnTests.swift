import DataConnectCompiler
import Testing

@testable import DataConnectMigration

/// What a database is made of, in the words of SQL; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `The creation of a schema` {
  private func script(
    _ schema: String, namespace: String = "public", vectors: VectorSupport = .arrays
  ) throws -> String {
    DatabaseMigration.creation(of: try TestDatabase.schema(schema), namespace: namespace, vectors: vectors)
  }

  @Test(arguments: [
    ("v: String", "text"), ("v: String!", "text NOT NULL"),
    ("v: String @default(value: \"it's\")", "text DEFAULT 'it''s'::text"),
    ("v: String @default(value: \"a\\\\b\")", "text DEFAULT E'a\\\\b'::text"),
    ("v: String @default(value: null)", "text"),
    ("v: Int! @default(value: -3)", "integer DEFAULT '-3'::integer NOT NULL"),
    ("v: Float @default(value: 1.5)", "double precision DEFAULT '1.5'::double precision"),
    ("v: Boolean @default(value: false)", "boolean DEFAULT 'false'::boolean"),
    ("v: Boolean @default(value: true)", "boolean DEFAULT 'true'::boolean"),
    ("v: Date @default(value: \"2026-01-31T10:00:00Z\")", "date DEFAULT '2026-01-31'::date"),
    (
      "v: UUID @default(value: \"{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}\")",
      "uuid DEFAULT 'a0eebc999c0b4ef8bb6d6bb9bd380a11'::uuid"
    ),
    (
      "v: UUID @default(value: \"urn:uuid:A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11\")",
      "uuid DEFAULT 'a0eebc999c0b4ef8bb6d6bb9bd380a11'::uuid"
    ),
    ("v: [Int!] @default(value: 5)", "integer[] DEFAULT ARRAY['5']::integer[]"),
    ("v: [String!] @default(value: [])", "text[] DEFAULT ARRAY[]::text[]"),
    (
      "v: Any @default(value: {a: [1, \"b\\\"\\n\", true, null, C]})",
      #"jsonb DEFAULT E'{"a":[1,"b\\"\\u000a",true,null,"C"]}'::jsonb"#
    ),
    ("v: Vector @col(size: 2) @default(value: [1, 2.5])", "real[] DEFAULT ARRAY['1', '2.5']::real[]"),
    ("v: String @default(sql: \"upper('x')\")", "text DEFAULT (upper('x'))"),
    ("v: String @default(sql: \"1 --\")", "text DEFAULT (1 --\n)"),
    ("v: UUID @default(expr: \" uuidV4( ) \")", "uuid DEFAULT gen_random_uuid()"),
    ("v: String @default(expr: \"uuidV4()\")", "text DEFAULT replace(gen_random_uuid()::text, '-', '')"),
    ("v: Timestamp @default(expr: \"request.time\")", "timestamptz DEFAULT now()"),
    ("v: Date @default(expr: \"request.time\")", "date DEFAULT (now() AT TIME ZONE 'UTC')::date"),
    ("v: Boolean @default(expr: \"true\")", "boolean DEFAULT true"),
    ("v: Boolean @default(expr: \"false\")", "boolean DEFAULT false"),
    ("v: Boolean @default(expr: \"1 == 1\")", "boolean"), ("v: Int @default(expr: \"- 3\")", "integer DEFAULT -3"),
    ("v: Int64 @default(expr: \"9223372036854775807\")", "bigint DEFAULT 9223372036854775807"),
    ("v: Int @default(expr: \"1 + 1\")", "integer"),
    ("v: Float @default(expr: \"2.50\")", "double precision DEFAULT 2.5"),
    ("v: String @default(expr: \"'x'\")", "text DEFAULT 'x'"),
    ("v: String @default(expr: \" ' y ' \")", "text DEFAULT ' y '"),
    ("v: String @default(expr: \"\\\"z\\\"\")", "text DEFAULT 'z'"), ("v: String @default(expr: \"1 + 1\")", "text"),
    ("v: String @default(expr: \"''\")", "text DEFAULT ''"), ("v: String @default(expr: \"'a' + 'b'\")", "text"),
    ("v: String @default(expr: \"'a\\\\n'\")", "text"), ("v: String @default(expr: \"auth.uid\")", "text"),
    ("v: Mood @default(value: BRIGHT)", #""public"."mood" DEFAULT 'BRIGHT'::"public"."mood""#),
    ("v: Mood @default(expr: \"'DULL'\")", #""public"."mood" DEFAULT 'DULL'::"public"."mood""#),
    ("v: Mood @default(expr: \"'NONE'\")", #""public"."mood""#), ("v: [Mood!]", #""public"."mood"[]"#),
  ])
  func `has a column with its type and its default`(field: String, expected: String) throws {
    let text = try script("enum Mood { DULL BRIGHT } type Film @table(key: \"no\") { no: Int! \(field) }")
    let wanted = "CREATE TABLE \"public\".\"film\" (\n  \"no\" integer NOT NULL,\n  \"v\" \(expected),\n  CONSTRAINT"
    #expect(text.contains(wanted), "\(text)")
  }

  @Test func `lets rows go with what they need, and stay without what they can do without`() throws {
    let text = try script(
      """
      type Film @table(key: ["a", "b"]) { a: Int! b: Int! }
      type Needs @table { film: Film! }
      type Likes @table { film: Film }
      type Keeps @table(key: ["filmA", "no"]) {
        filmA: Int! filmB: Int no: Int! film: Film @ref(fields: ["filmA", "filmB"], references: ["a", "b"])
      }
      """)
    let ends = text.split(separator: "\n").filter { $0.contains("FOREIGN KEY") }.compactMap { line in
      line.firstRange(of: "(\"a\", \"b\")").map { String(line[$0.upperBound...]) }
    }
    #expect(ends.sorted() == [" ON DELETE CASCADE;", " ON DELETE SET NULL (\"film_b\");", " ON DELETE SET NULL;"])
  }

  @Test func `compares vectors by the extension where there is one`() throws {
    let schema = """
      type Film @table {
        l2: Vector @col(size: 3) @index(type: HNSW) cosine: Vector @col(size: 4) @index(type: IVFFLAT, vector_method: COSINE)
        product: Vector @col(size: 5) @index(type: HNSW, vector_method: INNER_PRODUCT)
      }
      """
    let text = try script(schema, vectors: .extension(namespace: "my \"ext\""))
    let space = #""my ""ext""""#
    for piece in [
      "\"l2\" \(space).vector(3)", "\"cosine\" \(space).vector(4)", "USING hnsw (\"l2\" \(space).vector_l2_ops)",
      "USING ivfflat (\"cosine\" \(space).vector_cosine_ops)", "USING hnsw (\"product\" \(space).vector_ip_ops)",
      "SELECT ($1 OPERATOR(\(space).<->) $2::\(space).vector)",
      "SELECT ($1 OPERATOR(\(space).<=>) $2::\(space).vector)",
      "SELECT ($1 OPERATOR(\(space).<#>) $2::\(space).vector)",
      "SELECT -($1 OPERATOR(\(space).<#>) $2::\(space).vector)",
    ] { #expect(text.contains(piece), "\(piece)") }
    #expect(!text.contains("real[] NOT") && !text.contains("_length") && !text.contains("different_lengths"))
    // The negative of the product is what the operator has.
    let functions = text.split(separator: ";\n").filter { $0.contains("CREATE OR REPLACE FUNCTION") }
    #expect(functions.map { $0.contains("SELECT -(") } == [false, false, false, true])
    #expect(functions.map { $0.contains("\"inner_product\"") } == [false, false, false, true])
    let arrays = try script(schema)
    #expect(!arrays.contains("USING hnsw") && !arrays.contains("USING ivfflat"))
    #expect(arrays.contains("\"l2\" real[]") && arrays.contains("CONSTRAINT \"film_l2_length\" CHECK"))
    #expect(try !script("type A @table { a: Int }").contains("\"annex\""))
  }

  @Test func `has views in an order that works, each with a mark of its statement`() throws {
    func view(_ name: String, _ sql: String) -> String { "type \(name) @view(sql: \"\(sql)\") { a: Int }" }
    let text = try script(
      "type T @table { a: Int } "
        + [
          view("One", "SELECT a FROM two; ; "), view("Two", "SELECT a FROM three, two_more"),
          view("Three", "SELECT 1 AS a"),
          view("TwoMore", "SELECT a FROM two_more_things"), view("Self", "SELECT a FROM self"),
        ].joined(separator: " "))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let names = lines.filter { $0.hasPrefix("CREATE VIEW") }.map { $0.split(separator: "\"")[3] }
    #expect(names == ["self", "three", "two_more", "two", "one"])
    #expect(text.contains("AS\nSELECT a FROM two;\nCOMMENT ON VIEW \"public\".\"one\" IS 'annex "))
    #expect(text.contains("COMMENT ON VIEW \"public\".\"three\" IS 'annex 4e195b44fe500e75';"))
    // Views in a circle are there too, and the server says what is missing.
    let circle = try script("type T @table { a: Int } \(view("A", "SELECT a FROM b")) \(view("B", "SELECT a FROM a"))")
    #expect(circle.split(separator: "\n").count { $0.hasPrefix("CREATE VIEW") } == 2)
  }

  @Test func `quotes each quote, though a mark stands behind it`() {
    func same(_ one: String, _ other: String) -> Bool { one.unicodeScalars.elementsEqual(other.unicodeScalars) }
    #expect(same(SQL.text("it'\u{301}s"), "'it''\u{301}s'") && same(SQL.text("'\u{301}"), "'''\u{301}'"))
    #expect(same(SQL.name("a\"\u{301}b"), "\"a\"\"\u{301}b\"") && same(SQL.name("\"\""), "\"\"\"\"\"\""))
    #expect(same(SQL.text("a\\\u{301}"), "E'a\\\\\u{301}'") && same(SQL.text("\\'\u{301}"), "E'\\\\''\u{301}'"))
    #expect(same(SQL.operand("1 --\u{301} x"), "(1 --\u{301} x\n)") && same(SQL.operand("1 - -1"), "(1 - -1)"))
    #expect(SQL.text("") == "''" && SQL.name("") == "\"\"" && SQL.names([]) == "")
  }

  @Test func `is found in the schema that is named, and in the public one behind it`() throws {
    #expect(DatabaseMigration.searchPath("public") == "SET LOCAL search_path TO \"public\"")
    #expect(DatabaseMigration.searchPath("a", "b") == "SET LOCAL search_path TO \"a\", \"b\", \"public\"")
    #expect(DatabaseMigration.searchPath("a", "public") == "SET LOCAL search_path TO \"a\", \"public\"")
    let own = try script("type A @table { a: Int }", namespace: "mine")
    #expect(own.hasPrefix("CREATE SCHEMA IF NOT EXISTS \"mine\";\nSET LOCAL search_path TO \"mine\", \"public\";\n"))
    #expect(try script("type A @table { a: Int }").hasPrefix("SET LOCAL search_path TO \"public\";\nCREATE TABLE"))
  }
}
