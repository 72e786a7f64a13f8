package import DataConnectCompiler
package import JSON

/// What a statement is made with.
package struct StatementContext {
  package let schema: CompiledSchema
  /// The schema of the database that the tables are in, such as `public`.
  package let namespace: String
  /// The variables that are set, coerced; an absent one is not set, which drops the condition that it stands in.
  package let variables: JSONObject
  package let limits: StatementLimits
  /// The value of an expression in CEL (`id_expr: "auth.uid"`), in JSON.
  package let evaluate: (String) throws(StatementError) -> JSONValue

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

/// What a statement may be at most.
package struct StatementLimits: Sendable {
  package var rows = 10_000
  package var depth = 24
  package var bytes = 1 << 20
  package var parameters = 30_000
  package init() {}
}

/// Why no statement can be made of a field.
package struct StatementError: Error, Sendable, Equatable {
  package let message: String
  /// Where in the arguments: `["where", "title", "eq"]`.
  package let path: [String]
  package init(_ message: String, path: [String] = []) {
    self.message = message
    self.path = path
  }
}
