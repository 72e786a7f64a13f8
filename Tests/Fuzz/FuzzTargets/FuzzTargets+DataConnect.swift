import DataConnectCompiler
import GraphQL

extension FuzzTargets {
  /// A schema and, behind a line of hyphens, operations. What compiles expands to what can be read; what does not has
  /// errors.
  ///
  /// Compiling takes milliseconds: of the inputs, those get so far whose length is a multiple of eight.
  static func dataConnect(_ bytes: [UInt8]) {
    guard bytes.count.isMultiple(of: 8) else {
      _ = GraphQLParser.read([GraphQLSource(bytes: bytes)])
      return
    }
    let separator: [UInt8] = Array("\n---\n".utf8)
    let end = bytes.firstRange(of: separator)
    let source = GraphQLSource(bytes: Array(bytes[..<(end?.lowerBound ?? bytes.count)]), name: "schema.gql")
    let result = SchemaCompiler.compile([source])
    check(result.problems, isGood: result.schema != nil)
    guard let schema = result.schema else { return }
    let files = schema.expansionFiles.dropFirst().map { GraphQLSource($0.text, name: $0.path) }
    let errors = GraphQLParser.read(files, limits: .sources).errors
    precondition(errors.isEmpty, "the expansion cannot be read: \(errors)")
    let operations = GraphQLSource(bytes: Array(bytes[(end?.upperBound ?? bytes.count)...]), name: "operations.gql")
    let compiled = ConnectorCompiler.compile([operations], against: schema)
    check(compiled.problems, isGood: compiled.connector != nil)
    if let connector = compiled.connector {
      precondition(BreakingChange.between(connector, and: connector).isEmpty, "a connector breaks its own clients")
    }
  }

  private static func check(_ problems: [CompilerProblem], isGood: Bool) {
    precondition(problems.count <= 200)
    precondition(isGood != problems.contains { $0.severity == .error }, "\(problems)")
    precondition(problems.allSatisfy { $0.location?.file != "generated.gql" }, "\(problems)")
  }
}
