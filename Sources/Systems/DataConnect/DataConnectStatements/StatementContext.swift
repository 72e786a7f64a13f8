package import DataConnectCompiler
package import JSON

/// The inputs of a statement: schema, variables and limits.
package struct StatementContext {
  /// The compiled schema.
  package let schema: CompiledSchema
  /// The PostgreSQL schema that holds the tables, such as `public`.
  package let namespace: String
  /// The coerced values of the variables that are set. A condition on a variable that is not set is dropped.
  package let variables: JSONObject
  /// The limits of the statement.
  package let limits: StatementLimits
  /// Evaluates an expression in CEL, such as `auth.uid` in `id_expr: "auth.uid"`, to JSON.
  package let evaluate: (String) throws(StatementError) -> JSONValue

  /// Creates a context; `evaluate` is called once for each expression in the arguments.
  package init(
    schema: CompiledSchema, namespace: String = "public", variables: JSONObject = [:],
    limits: StatementLimits = StatementLimits(),
    evaluate: @escaping (String) throws(StatementError) -> JSONValue
  ) {
    self.schema = schema
    self.namespace = namespace
    self.variables = variables
    self.limits = limits
    self.evaluate = evaluate
  }
}

/// The limits of one statement.
package struct StatementLimits: Sendable {
  /// The most rows that one field may insert or return.
  package var rows = 10_000
  /// The most nesting levels of the selection and the conditions.
  package var depth = 24
  /// The most bytes of SQL.
  package var bytes = 1 << 20
  /// The most bound values; PostgreSQL's protocol allows 65,535.
  package var parameters = 30_000
  /// Creates the default limits.
  package init() {}
}

/// The reason a field cannot be turned into a statement.
package struct StatementError: Error, Sendable, Equatable {
  /// One sentence that the client may see.
  package let message: String
  /// The place in the arguments: `["where", "title", "eq"]`.
  package let path: [String]
  /// Creates an error; `path` is the place in the arguments.
  package init(_ message: String, path: [String] = []) {
    self.message = message
    self.path = path
  }
}
