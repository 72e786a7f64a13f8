/// Checks operations and fragments against a schema.
package enum GraphQLValidation {
  /// Everything that is wrong with a document, in the order of the document; empty when it can be executed.
  package static func errors(
    in document: DocumentNode, _ schema: GraphQLSchema, limits: GraphQLLimits = GraphQLLimits()
  ) -> [GraphQLError] {
    var errors = ErrorList(sources: document.sources, limit: limits.errors)
    // Some rules take each operation with each of its fragments.
    if let excess = document.definitions.dropFirst(limits.definitions).first {
      errors.add(
        "There are more than \(limits.definitions) operations and fragments.", code: "Limits", at: excess.position)
      return errors.errors
    }
    let input = ValidationInput(document, schema, limits)
    for rule in ValidationRule.executable where !errors.isFull { rule.check(input, &errors) }
    let order = Dictionary(document.sources.enumerated().map { ($1.name, $0) }) { first, _ in first }
    func key(_ error: GraphQLError) -> (Int, Int, Int) {
      guard let place = error.locations.first else { return (-1, 0, 0) }
      return (order[place.file] ?? 0, place.line, place.column)
    }
    return errors.errors.sorted { key($0) < key($1) }
  }
}

/// A validation rule with its name in the GraphQL specification.
struct ValidationRule: Sendable {
  let name: String
  let check: @Sendable (ValidationInput, inout ErrorList) -> Void

  /// The rules for operations and fragments.
  static let executable: [ValidationRule] = [
    .executableDefinitions, .uniqueOperationNames, .loneAnonymousOperation, .operationTypes, .knownTypeNames,
    .fragmentsOnCompositeTypes, .variablesAreInputTypes, .scalarLeafs, .fieldsOnCorrectType, .uniqueFragmentNames,
    .knownFragmentNames, .noUnusedFragments, .possibleFragmentSpreads, .noFragmentCycles, .expandedSize,
    .singleFieldSubscriptions, .uniqueVariableNames, .noUndefinedVariables, .noUnusedVariables, .knownDirectives,
    .uniqueDirectivesPerLocation, .knownArgumentNames, .uniqueArgumentNames, .valuesOfCorrectType,
    .providedRequiredArguments, .variablesInAllowedPosition, .overlappingFields, .uniqueInputFieldNames,
  ]

  /// The rules that hold for directives and values in schemas too.
  static let system: [ValidationRule] = [
    .knownDirectives, .uniqueDirectivesPerLocation, .knownArgumentNames, .uniqueArgumentNames, .valuesOfCorrectType,
    .providedRequiredArguments, .uniqueInputFieldNames,
  ]
}

/// What a rule looks at.
struct ValidationInput {
  let schema: GraphQLSchema
  /// All definitions of the document, those too that do not belong there.
  let document: [DefinitionNode]
  /// The operations and fragments.
  let definitions: [DefinitionNode]
  let operations: [OperationNode]
  /// The first fragment of each name, and its index among the definitions.
  let fragments: [String: (node: FragmentNode, index: Int)]
  let uses: DocumentUses
  let limits: GraphQLLimits
  /// The operations with their indices among the definitions, and what they reach by spreads, themselves included.
  let indexedOperations: [(index: Int, node: OperationNode, reached: [Int])]
  let sizes: ExpandedSizes

  init(_ document: DocumentNode, _ schema: GraphQLSchema, _ limits: GraphQLLimits) {
    self.schema = schema
    self.document = document.definitions
    self.limits = limits
    definitions = document.definitions.filter(\.isExecutable)
    operations = document.operations
    var fragments: [String: (FragmentNode, Int)] = [:]
    for (index, definition) in definitions.enumerated() {
      if case .fragment(let node) = definition, fragments[node.name.text] == nil {
        fragments[node.name.text] = (node, index)
      }
    }
    self.fragments = fragments
    uses = DocumentUses.of(definitions, schema)
    var spreads = [Set<Int>](repeating: [], count: definitions.count)
    for spread in uses.spreads {
      if let index = spread.fragment.flatMap({ fragments[$0.text]?.1 }) { spreads[spread.owner].insert(index) }
    }
    let edges = spreads.map { $0.sorted() }
    indexedOperations = definitions.enumerated().compactMap { index, definition in
      guard case .operation(let node) = definition else { return nil }
      return (index, node, Self.reachable(from: index, edges))
    }
    sizes = ExpandedSizes(definitions, fragments.mapValues(\.1))
  }

  /// For a schema itself.
  init(schema: GraphQLSchema, uses: DocumentUses) {
    self.schema = schema
    self.uses = uses
    (document, definitions, operations, fragments, indexedOperations) = ([], [], [], [:], [])
    limits = .sources
    sizes = ExpandedSizes([], [:])
  }

  private static func reachable(from index: Int, _ edges: [[Int]]) -> [Int] {
    var isFound = [Bool](repeating: false, count: edges.count)
    isFound[index] = true
    var (found, next) = ([index], 0)
    while next < found.count {
      for edge in edges[found[next]] where !isFound[edge] {
        isFound[edge] = true
        found.append(edge)
      }
      next += 1
    }
    return found
  }
}
