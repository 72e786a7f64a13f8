package import GraphQL

/// The operations of a connector, checked against a schema.
package struct CompiledConnector: Sendable {
  /// Sorted by the files, then as they are written.
  package let operations: [CompiledOperation]
  /// The operations and fragments as they are written; positions point into its sources.
  package let document: DocumentNode
  /// What they were checked against.
  package let schema: CompiledSchema
  private let indices: [String: Int]

  init(operations: [CompiledOperation], document: DocumentNode, schema: CompiledSchema) {
    self.operations = operations
    self.document = document
    self.schema = schema
    indices = Dictionary(operations.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  package func operation(_ name: String) -> CompiledOperation? { indices[name].map { operations[$0] } }
}

/// A query or a mutation.
package struct CompiledOperation: Sendable {
  /// Empty where an administrator gave none.
  package let name: String
  package let kind: OperationKind
  package let variables: [CompiledVariable]
  package let access: OperationAccess
  /// Whether the fields of the mutation succeed together.
  package let isTransaction: Bool
  package let checks: [CheckRule]
  package let refreshes: [RefreshRule]
  package let retirement: Retirement?
  /// What it selects, its fragments put in.
  package let fields: [CompiledField]
  package let node: OperationNode

  package func variable(_ name: String) -> CompiledVariable? { variables.first { $0.name == name } }
}

/// A variable of an operation.
package struct CompiledVariable: Sendable, Hashable {
  /// Without `$`.
  package let name: String
  package let type: TypeNode
  package let defaultValue: ValueNode?
  /// What may be written through it, where it holds whole rows.
  package let allowed: AllowRule?
  package let retirement: Retirement?
  package let position: SourcePosition

  /// Whether a client has to give it.
  package var isRequired: Bool { type.isNonNull && defaultValue == nil }
}

/// A field that an operation selects.
package struct CompiledField: Sendable {
  /// The name that its value has in the response.
  package let responseName: String
  package let name: String
  /// The name of the type that it is a field of.
  package let parent: String
  package let type: TypeNode
  package let arguments: [ArgumentNode]
  /// What is selected of its value, each name once; empty for scalars and enumerations.
  package internal(set) var fields: [CompiledField]
  /// Whether it is left out of the response, and so of what clients know.
  package internal(set) var isRedacted: Bool
  /// What has to hold so that it is there at all; `@skip` and `@include` of fragments too.
  package internal(set) var conditions: [FieldCondition]
  package internal(set) var checks: [CheckRule]
  package let retirement: Retirement?
  package let position: SourcePosition

  /// Whether a client has to expect that it is missing.
  package var isConditional: Bool { !conditions.isEmpty }
}

/// What `@skip` or `@include` says.
package struct FieldCondition: Sendable, Hashable {
  /// A truth, or a variable with one.
  package let value: ValueNode
  /// The truth with which the field is there.
  package let expected: Bool
}
