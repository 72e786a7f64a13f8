/// The three kinds of operations.
package enum OperationKind: String, Sendable, Hashable, CaseIterable {
  case query, mutation, subscription
}

/// A query, mutation or subscription.
package struct OperationNode: Sendable, Hashable {
  package let kind: OperationKind
  package let name: NameNode?
  package let variables: [VariableNode]
  package let directives: [DirectiveNode]
  package let selections: [SelectionNode]
  package let position: SourcePosition
}

/// The definition of a variable: `$limit: Int = 10 @retired`.
package struct VariableNode: Sendable, Hashable {
  /// The name without `$`.
  package let name: NameNode
  package let type: TypeNode
  package let defaultValue: ValueNode?
  package let directives: [DirectiveNode]
  package let position: SourcePosition
}

/// `fragment name on Type { }`
package struct FragmentNode: Sendable, Hashable {
  package let name: NameNode
  package let typeCondition: NameNode
  package let directives: [DirectiveNode]
  package let selections: [SelectionNode]
  package let position: SourcePosition
}
