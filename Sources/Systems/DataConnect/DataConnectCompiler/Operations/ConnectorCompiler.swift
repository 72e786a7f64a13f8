package import GraphQL

/// Compiles the operations of a connector.
package enum ConnectorCompiler {
  /// The result of compiling a connector.
  package struct Result: Sendable {
    /// The compiled connector; `nil` when a problem is an error.
    package let connector: CompiledConnector?
    /// The problems, in the order of the files and of the places in them.
    package let problems: [CompilerProblem]
  }

  /// The limits of a connector's files.
  static let limits = GraphQLLimits(
    bytes: 16 << 20, tokens: 2_000_000, depth: 64, definitions: 5_000, fields: 20_000)

  /// Compiles the operations of a connector and checks them against a schema.
  ///
  /// - Parameter sources: the files, sorted by name; problems refer to them by these names.
  package static func compile(_ sources: [GraphQLSource], against schema: CompiledSchema) -> Result {
    compile(sources.allowingNothing, schema, limits, isAdministrative: false)
  }

  /// Compiles an operation that an administrator executes directly: it needs neither a name nor `@auth`.
  package static func compile(
    administrative source: GraphQLSource, against schema: CompiledSchema, limits: GraphQLLimits = GraphQLLimits()
  ) -> Result {
    compile([source], schema, limits, isAdministrative: true)
  }

  private static func compile(
    _ sources: [GraphQLSource], _ schema: CompiledSchema, _ limits: GraphQLLimits, isAdministrative: Bool
  ) -> Result {
    let parsed = GraphQLParser.read(sources, limits: limits)
    var problems = ProblemList(parsed.document.sources)
    problems.add(parsed.errors)
    if parsed.errors.isEmpty, !parsed.document.definitions.isEmpty {
      let errors = GraphQLValidation.errors(in: parsed.document, schema.graphQL, limits: limits)
      problems.add(errors.filter { $0.code != "NoUnusedVariables" })
      for error in errors where error.code == "NoUnusedVariables" && !isOfExpression(error, parsed.document) {
        problems.add(CompilerProblem(error).asWarning)
      }
      var check = OperationCheck(parsed.document, schema, problems, isAdministrative: isAdministrative)
      check.run()
      problems = check.problems
    }
    if problems.hasErrors { return Result(connector: nil, problems: problems.sorted) }
    var resolver = SelectionResolver(parsed.document, schema)
    let operations = parsed.document.operations.compactMap { resolver.operation($0) }
    return Result(
      connector: CompiledConnector(operations: operations, document: parsed.document, schema: schema),
      problems: problems.sorted)
  }

  /// Whether an error is of a variable that nothing uses but an expression: `vars.limit`.
  private static func isOfExpression(_ error: GraphQLError, _ document: DocumentNode) -> Bool {
    guard error.code == "NoUnusedVariables" else { return false }
    let variables = document.operations.flatMap(\.variables)
    guard let variable = variables.first(where: { document.sources.location(of: $0.position) == error.locations.first })
    else { return false }
    let text = String(decoding: document.sources[Int(variable.position.source)].bytes, as: UTF8.self)
    return text.split(separator: "vars.").dropFirst().contains { rest in
      rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" } == variable.name.text
    }
  }
}
