/// The three kinds of operations.
package enum OperationKind: String, Sendable, Hashable, CaseIterable {
  case query, mutation, subscription
}

/// A query, mutation or subscription.
package struct OperationNode: Sendable, Hashable {
  /// Whether it is a query, a mutation or a subscription.
  package let kind: OperationKind
  /// The name; `nil` for an anonymous operation.
  package let name: NameNode?
  /// The variables, in order.
  package let variables: [VariableNode]
  /// The directives on the operation.
  package let directives: [DirectiveNode]
  /// The root fields and fragments that it selects.
  package let selections: [SelectionNode]
  /// Where the operation begins.
  package let position: SourcePosition
}

/// The definition of a variable: `$limit: Int = 10 @retired`.
package struct VariableNode: Sendable, Hashable {
  /// The name without `$`.
  package let name: NameNode
  /// The declared type.
  package let type: TypeNode
  /// The value that applies when the request sets none; `nil` without one.
  package let defaultValue: ValueNode?
  /// The directives of the definition.
  package let directives: [DirectiveNode]
  /// Where the definition begins.
  package let position: SourcePosition
}

/// `fragment name on Type { }`
package struct FragmentNode: Sendable, Hashable {
  /// The name of the fragment.
  package let name: NameNode
  /// The type to which the fragment applies.
  package let typeCondition: NameNode
  /// The directives of the definition.
  package let directives: [DirectiveNode]
  /// The fields and fragments that it selects.
  package let selections: [SelectionNode]
  /// Where the definition begins.
  package let position: SourcePosition
}
