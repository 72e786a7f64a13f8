import DataConnectCompiler
import GraphQL
import TestSupport
import Testing

/// What every schema has. The names are those of the public service, so a change of one is a fault.
@Suite(.timeLimit(.minutes(1)))
struct `The prelude` {
  private static let filters: [(String, String)] = [
    (
      "String_Filter",
      "isNull: Boolean, eq: String, eq_expr: String_Expr, ne: String, ne_expr: String_Expr, in: [String!], "
        + "nin: [String!], gt: String, ge: String, lt: String, le: String, contains: String, "
        + "startsWith: String, endsWith: String, pattern: String_Pattern"
    ),
    ("String_Pattern", "like: String, regex: String, ignoreCase: Boolean"),
    (
      "UUID_Filter",
      "isNull: Boolean, eq: UUID, eq_expr: UUID_Expr, ne: UUID, ne_expr: UUID_Expr, in: [UUID!], "
        + "nin: [UUID!]"
    ),
    (
      "Int_Filter",
      "isNull: Boolean, eq: Int, eq_expr: Int_Expr, ne: Int, ne_expr: Int_Expr, in: [Int!], nin: [Int!], "
        + "gt: Int, gt_expr: Int_Expr, ge: Int, ge_expr: Int_Expr, lt: Int, lt_expr: Int_Expr, le: Int, "
        + "le_expr: Int_Expr"
    ),
    (
      "Int64_Filter",
      "isNull: Boolean, eq: Int64, eq_expr: Int64_Expr, ne: Int64, ne_expr: Int64_Expr, in: [Int64!], "
        + "nin: [Int64!], gt: Int64, gt_expr: Int64_Expr, ge: Int64, ge_expr: Int64_Expr, lt: Int64, "
        + "lt_expr: Int64_Expr, le: Int64, le_expr: Int64_Expr"
    ),
    (
      "Float_Filter",
      "isNull: Boolean, eq: Float, eq_expr: Float_Expr, ne: Float, ne_expr: Float_Expr, in: [Float!], "
        + "nin: [Float!], gt: Float, gt_expr: Float_Expr, ge: Float, ge_expr: Float_Expr, lt: Float, "
        + "lt_expr: Float_Expr, le: Float, le_expr: Float_Expr"
    ),
    (
      "Boolean_Filter",
      "isNull: Boolean, eq: Boolean, eq_expr: Boolean_Expr, ne: Boolean, ne_expr: Boolean_Expr, "
        + "in: [Boolean!], nin: [Boolean!]"
    ),
    ("Any_Filter", "isNull: Boolean, eq: Any, eq_expr: Any_Expr, ne: Any, ne_expr: Any_Expr, in: [Any!], nin: [Any!]"),
    (
      "Date_Filter",
      "isNull: Boolean, eq: Date, eq_expr: Date_Expr, eq_date: Date_Relative, ne: Date, "
        + "ne_expr: Date_Expr, ne_date: Date_Relative, in: [Date!], nin: [Date!], gt: Date, "
        + "gt_expr: Date_Expr, gt_date: Date_Relative, ge: Date, ge_expr: Date_Expr, ge_date: Date_Relative, "
        + "lt: Date, lt_expr: Date_Expr, lt_date: Date_Relative, le: Date, le_expr: Date_Expr, "
        + "le_date: Date_Relative"
    ),
    (
      "Timestamp_Filter",
      "isNull: Boolean, eq: Timestamp, eq_expr: Timestamp_Expr, eq_time: Timestamp_Relative, "
        + "ne: Timestamp, ne_expr: Timestamp_Expr, ne_time: Timestamp_Relative, in: [Timestamp!], "
        + "nin: [Timestamp!], gt: Timestamp, gt_expr: Timestamp_Expr, gt_time: Timestamp_Relative, "
        + "ge: Timestamp, ge_expr: Timestamp_Expr, ge_time: Timestamp_Relative, lt: Timestamp, "
        + "lt_expr: Timestamp_Expr, lt_time: Timestamp_Relative, le: Timestamp, le_expr: Timestamp_Expr, "
        + "le_time: Timestamp_Relative"
    ),
  ]
  private static let lists: [(String, String)] = [
    ("String_ListFilter", "includes: String, excludes: String, includesAll: [String!], excludesAll: [String!]"),
    ("UUID_ListFilter", "includes: UUID, excludes: UUID, includesAll: [UUID!], excludesAll: [UUID!]"),
    ("Int_ListFilter", "includes: Int, excludes: Int, includesAll: [Int!], excludesAll: [Int!]"),
    ("Int64_ListFilter", "includes: Int64, excludes: Int64, includesAll: [Int64!], excludesAll: [Int64!]"),
    ("Float_ListFilter", "includes: Float, excludes: Float, includesAll: [Float!], excludesAll: [Float!]"),
    ("Boolean_ListFilter", "includes: Boolean, excludes: Boolean, includesAll: [Boolean!], excludesAll: [Boolean!]"),
    ("Any_ListFilter", "includes: Any, excludes: Any, includesAll: [Any!], excludesAll: [Any!]"),
    (
      "Date_ListFilter",
      "includes: Date, includes_expr: Date_Expr, includes_date: Date_Relative, excludes: Date, "
        + "excludes_expr: Date_Expr, excludes_date: Date_Relative, includesAll: [Date!], excludesAll: [Date!]"
    ),
    (
      "Timestamp_ListFilter",
      "includes: Timestamp, includes_expr: Timestamp_Expr, includes_time: Timestamp_Relative, "
        + "excludes: Timestamp, excludes_expr: Timestamp_Expr, excludes_time: Timestamp_Relative, "
        + "includesAll: [Timestamp!], excludesAll: [Timestamp!]"
    ),
    ("Vector_ListFilter", "includes: Vector, excludes: Vector, includesAll: [Vector!], excludesAll: [Vector!]"),
    ("Vector_Filter", "eq: Vector, ne: Vector, in: [Vector!], nin: [Vector!], isNull: Boolean"),
  ]
  private static let changes: [(String, String)] = [
    ("String_ListUpdate", "append: [String!], prepend: [String!], add: [String!], remove: [String!]"),
    ("UUID_ListUpdate", "append: [UUID!], prepend: [UUID!], add: [UUID!], remove: [UUID!]"),
    ("Int_ListUpdate", "append: [Int!], prepend: [Int!], add: [Int!], remove: [Int!]"),
    ("Int64_ListUpdate", "append: [Int64!], prepend: [Int64!], add: [Int64!], remove: [Int64!]"),
    ("Float_ListUpdate", "append: [Float!], prepend: [Float!], add: [Float!], remove: [Float!]"),
    ("Boolean_ListUpdate", "append: [Boolean!], prepend: [Boolean!], add: [Boolean!], remove: [Boolean!]"),
    ("Any_ListUpdate", "append: [Any!], prepend: [Any!], add: [Any!], remove: [Any!]"),
    ("Date_ListUpdate", "append: [Date!], prepend: [Date!], add: [Date!], remove: [Date!]"),
    ("Timestamp_ListUpdate", "append: [Timestamp!], prepend: [Timestamp!], add: [Timestamp!], remove: [Timestamp!]"),
    ("Int_Update", "inc: Int, dec: Int"),
    ("Int64_Update", "inc: Int64, dec: Int64"),
    ("Float_Update", "inc: Float, dec: Float"),
    ("Date_Update", "inc: Date_Duration, dec: Date_Duration"),
    ("Timestamp_Update", "inc: Timestamp_Duration, dec: Timestamp_Duration"),
    (
      "Timestamp_Relative",
      "now: True, at: Timestamp, add: Timestamp_Duration, sub: Timestamp_Duration, "
        + "truncateTo: Timestamp_Interval"
    ),
    ("Date_Relative", "today: True, on: Date, add: Date_Duration, sub: Date_Duration, truncateTo: Date_Interval"),
    (
      "Timestamp_Duration",
      "milliseconds: Int!, seconds: Int!, minutes: Int!, hours: Int!, days: Int!, weeks: Int!, "
        + "months: Int!, years: Int!"
    ),
    ("Date_Duration", "days: Int!, weeks: Int!, months: Int!, years: Int!"),
    ("Vector_Embed", "model: Vector_Embed_Model!, text: String!"),
    ("OnMutationExecuted_Event", "operation: String!, condition: Boolean_Expr"),
  ]
  private static let enumerations: [(String, String)] = [
    ("AccessLevel", "PUBLIC, USER_ANON, USER, USER_EMAIL_VERIFIED, NO_ACCESS"),
    ("OrderDirection", "ASC, DESC"),
    ("IndexFieldOrder", "ASC, DESC"),
    ("IndexType", "BTREE, GIN, HNSW, IVFFLAT"),
    ("VectorSimilarityMethod", "L2, COSINE, INNER_PRODUCT"),
    ("Search_QueryFormat", "QUERY, PLAIN, PHRASE, ADVANCED"),
    ("Timestamp_Interval", "SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, YEAR"),
    ("Date_Interval", "WEEK, MONTH, YEAR"),
  ]
  private static let directives: [(name: String, arguments: String, places: String, isRepeatable: Bool)] = [
    ("auth", "level: AccessLevel, expr: Boolean_Expr, insecureReason: String", "QUERY MUTATION", false),
    ("transaction", "", "MUTATION", false),
    ("redact", "", "FIELD FRAGMENT_SPREAD INLINE_FRAGMENT", false),
    (
      "check",
      "expr: Boolean_Expr! = \"!(this in [null, []])\", message: String! = \"permission denied\", optional: Boolean = false",
      "QUERY MUTATION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT", true
    ),
    ("retired", "reason: String", "QUERY MUTATION FIELD VARIABLE_DEFINITION", false),
    ("allow", "fields: String, maxCount: Int", "VARIABLE_DEFINITION", false),
    ("searchable", "language: String = \"english\"", "FIELD_DEFINITION", false),
    ("table", "name: String, singular: String, plural: String, key: [String!]", "OBJECT", false),
    ("view", "name: String, sql: String, singular: String, plural: String", "OBJECT", false),
    ("col", "name: String, dataType: String, size: Int", "FIELD_DEFINITION", false),
    ("ref", "constraintName: String, fields: [String!], references: [String!]", "FIELD_DEFINITION", false),
    ("default", "value: Any, expr: Any_Expr, sql: Any_SQL", "FIELD_DEFINITION", false),
    (
      "index",
      "name: String, fields: [String!], order: [IndexFieldOrder!], type: IndexType, vector_method: VectorSimilarityMethod",
      "FIELD_DEFINITION OBJECT", true
    ),
    ("unique", "indexName: String, fields: [String!]", "FIELD_DEFINITION OBJECT", true),
    ("refresh", "every: Timestamp_Duration, onMutationExecuted: [OnMutationExecuted_Event!]", "QUERY", true),
  ]

  private let schema: CompiledSchema

  init() throws { schema = try Fixture.schema("") }

  @Test func `has conditions on values`() throws {
    for (name, fields) in try Cases.present(Self.filters, least: 10) {
      #expect(schema.inputs(name).joined(separator: ", ") == fields, "\(name)")
    }
  }

  @Test func `has conditions on lists`() throws {
    for (name, fields) in try Cases.present(Self.lists, least: 11) {
      #expect(schema.inputs(name).joined(separator: ", ") == fields, "\(name)")
    }
  }

  @Test func `has changes and times`() throws {
    for (name, fields) in try Cases.present(Self.changes, least: 20) {
      #expect(schema.inputs(name).joined(separator: ", ") == fields, "\(name)")
    }
    for name in ["Timestamp_Duration", "Date_Duration"] {
      let defaults = schema.graphQL.type(name)?.inputs.map { $0.defaultValue?.kind } ?? []
      #expect(!defaults.isEmpty && defaults.allSatisfy { $0 == .integer("0") }, "\(name)")
    }
  }

  @Test func `has enumerations`() throws {
    for (name, values) in try Cases.present(Self.enumerations, least: 8) {
      #expect(
        schema.graphQL.type(name)?.values.map(\.name.text).joined(separator: ", ") == values, "\(name)")
    }
  }

  @Test func `has directives`() throws {
    for one in try Cases.present(Self.directives, least: 15) {
      let directive = try #require(schema.graphQL.directives[one.name], "\(one.name)")
      let arguments = directive.arguments.map { argument in
        let value = argument.defaultValue.map { " = " + GraphQLPrinter.text(of: $0) } ?? ""
        return "\(argument.name.text): \(GraphQLPrinter.text(of: argument.type))\(value)"
      }
      #expect(arguments.joined(separator: ", ") == one.arguments, "\(one.name)")
      #expect(directive.locations.map(\.text).joined(separator: " ") == one.places, "\(one.name)")
      #expect(directive.isRepeatable == one.isRepeatable, "\(one.name)")
    }
  }

  @Test func `has statements of the developer's own`() {
    for (name, type) in [("_select", "[Any]"), ("_selectFirst", "Any")] {
      #expect(schema.field(name, of: "Query") == "(sql, params) \(type)")
    }
    for (name, type) in [("_executeReturning", "[Any]"), ("_executeReturningFirst", "Any"), ("_execute", "Int")] {
      #expect(schema.field(name, of: "Mutation") == "(sql, params) \(type)")
    }
    let types = [("Query", "_select", "SQL_Query!"), ("Mutation", "_execute", "SQL_Mutation!")]
    for (root, name, type) in types {
      let arguments = schema.graphQL.type(root)?.field(name)?.arguments.map { GraphQLPrinter.text(of: $0.type) }
      #expect(arguments == [type, "SQL_Params"], "\(name)")
    }
    #expect(schema.fields("Mutation").first == "query" && schema.field("query", of: "Mutation") == "Query")
    #expect(schema.fields("_Metadata") == ["distance", "relevance"])
  }

  @Test func `keeps what a client does not decide out of variables`() {
    let names = [
      "AccessLevel", "SQL_Query", "SQL_Mutation", "SQL_Params", "Void", "True", "Any_Expr", "Any_SQL", "Boolean_Expr",
      "String_Expr", "UUID_Expr", "Int_Expr", "Int64_Expr", "Float_Expr", "Timestamp_Expr", "Date_Expr",
      "Timestamp_Relative", "Timestamp_Duration", "Date_Relative", "Date_Duration", "IndexFieldOrder", "IndexType",
      "Vector_Embed", "Vector_Embed_Model", "SchemaCoordinate", "GeneratedPurpose",
    ]
    let marked = schema.graphQL.types.values.filter { $0.directives["fdc_forbiddenAsVariableType"] != nil }
    #expect(marked.map(\.name).sorted() == names.sorted())
  }
}
