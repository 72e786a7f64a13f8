extension Prelude {
  private static func native(_ name: String, _ statement: String, _ result: String, _ words: String) -> String {
    """
      "\(words)"
      \(name)(
        "The statement, as a text in the operation; it has $1, $2 … for values."
        sql: \(statement)!
        "The values, in order; one may be an expression: `{_expr: \\"auth.uid\\"}`."
        params: SQL_Params
      ): \(result)
    """
  }

  /// Statements in SQL, and the types that operations begin at.
  static let native = """
    "A statement that reads."
    scalar SQL_Query @fdc_sqlExpression @fdc_forbiddenAsVariableType @fdc_forbiddenAsFieldType

    "A statement that writes."
    scalar SQL_Mutation @fdc_sqlExpression @fdc_forbiddenAsVariableType @fdc_forbiddenAsFieldType

    "The values for a statement."
    scalar SQL_Params @fdc_forbiddenAsVariableType @fdc_forbiddenAsFieldType

    extend type Query {
    \(native("_select", "SQL_Query", "[Any]", "The rows of a statement, each an object."))
    \(native("_selectFirst", "SQL_Query", "Any", "The first row of a statement, or null."))
    }

    extend type Mutation {
    \(native("_executeReturning", "SQL_Mutation", "[Any]", "The rows that a statement returns."))
    \(native("_executeReturningFirst", "SQL_Mutation", "Any", "The first row that a statement returns, or null."))
    \(native("_execute", "SQL_Mutation", "Int", "How many rows a statement has changed."))
    }

    type Mutation {
      "Looks something up between the fields of a mutation."
      query: Query
    }
    """

  static let scalars = """
    "32 hexadecimal digits; input may have hyphens, braces and `urn:uuid:`. `uuid` in the database."
    scalar UUID @specifiedBy(url: "https://tools.ietf.org/html/rfc4122")

    "An integer of 64 bits, as a text. `bigint` in the database."
    scalar Int64

    "Any JSON. `jsonb` in the database."
    scalar Any @specifiedBy(url: "https://www.json.org/json-en.html")

    "Nothing."
    scalar Void @fdc_forbiddenAsVariableType @fdc_forbiddenAsFieldType

    "`true`, or not given."
    scalar True @fdc_forbiddenAsFieldType @fdc_forbiddenAsVariableType

    "A day: `2026-01-31`. `date` in the database."
    scalar Date @specifiedBy(url: "https://scalars.graphql.org/andimarek/local-date.html")

    "A point in time as in RFC 3339, from the year 1583 to 9999. `timestamptz` in the database."
    scalar Timestamp @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time")
    """

  /// Expressions in CEL and SQL.
  static let expressions =
    ([
      ("Boolean", "bool"), ("String", "string"), ("UUID", "string"), ("Int", "int"), ("Int64", "int64"),
      ("Float", "float"),
    ].map { expression($0.0, $0.1) }
    + [
      """
      "An expression in CEL for any JSON."
      scalar Any_Expr
        @specifiedBy(url: "https://github.com/google/cel-spec")
        @fdc_celExpression
        @fdc_forbiddenAsVariableType
        @fdc_forbiddenAsFieldType

      "An expression in SQL."
      scalar Any_SQL
        @specifiedBy(url: "https://www.postgresql.org/docs/current/sql-expressions.html")
        @fdc_sqlExpression
        @fdc_forbiddenAsVariableType
        @fdc_forbiddenAsFieldType
      """, expression("Timestamp", "google.protobuf.Timestamp"), expression("Date", "google.protobuf.Timestamp"),
    ]).joined(separator: "\n\n")

  private static func expression(_ type: String, _ value: String) -> String {
    """
    "An expression in CEL for `\(type)`."
    scalar \(type)_Expr
      @specifiedBy(url: "https://github.com/google/cel-spec")
      @fdc_celExpression(returnType: "\(value)")
      @fdc_forbiddenAsVariableType
      @fdc_forbiddenAsFieldType
    """
  }
}
