/// What one or several sources define, in their order.
package struct DocumentNode: Sendable, Hashable {
  /// The definitions, in the order of the sources.
  package var definitions: [DefinitionNode]
  /// The texts that positions point into.
  package let sources: [GraphQLSource]

  /// The operations, in their order.
  package var operations: [OperationNode] {
    definitions.compactMap { if case .operation(let node) = $0 { node } else { nil } }
  }

  /// The fragments, in their order.
  package var fragments: [FragmentNode] {
    definitions.compactMap { if case .fragment(let node) = $0 { node } else { nil } }
  }
}

/// One definition of a document.
package enum DefinitionNode: Sendable, Hashable {
  case operation(OperationNode)
  case fragment(FragmentNode)
  case schema(SchemaNode)
  case type(TypeDefinitionNode)
  case directive(DirectiveDefinitionNode)

  /// Where the definition begins.
  package var position: SourcePosition {
    switch self {
    case .operation(let node): node.position
    case .fragment(let node): node.position
    case .schema(let node): node.position
    case .type(let node): node.position
    case .directive(let node): node.position
    }
  }

  /// Whether it is an operation or a fragment, and not a part of a schema.
  package var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    default: false
    }
  }
}
