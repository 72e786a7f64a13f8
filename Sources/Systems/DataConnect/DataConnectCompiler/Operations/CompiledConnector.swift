package import GraphQL

/// The operations of a connector, checked against a schema.
package struct CompiledConnector: Sendable {
  /// The operations, in the order of the files and then of their places in them.
  package let operations: [CompiledOperation]
  /// The parsed operations and fragments; positions refer to its sources.
  package let document: DocumentNode
  /// The schema that the operations were checked against.
  package let schema: CompiledSchema
  private let indices: [String: Int]

  init(operations: [CompiledOperation], document: DocumentNode, schema: CompiledSchema) {
    self.operations = operations
    self.document = document
    self.schema = schema
    indices = Dictionary(operations.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// Returns the operation with this name, or `nil`.
  package func operation(_ name: String) -> CompiledOperation? { indices[name].map { operations[$0] } }
}

/// A query or a mutation.
package struct CompiledOperation: Sendable {
  /// The name; empty for an anonymous operation of an administrator.
  package let name: String
  /// Whether it is a query or a mutation.
  package let kind: OperationKind
  /// The variables that it declares, in order.
  package let variables: [CompiledVariable]
  /// Which callers may execute it, from `@auth`.
  package let access: OperationAccess
  /// Whether all fields of the mutation succeed or fail together, from `@transaction`.
  package let isTransaction: Bool
  /// The conditions of `@check` on the operation itself.
  package let checks: [CheckRule]
  /// When subscribers of the query receive a new result, from `@refresh`.
  package let refreshes: [RefreshRule]
  /// The mark that the operation is kept for old clients only; `nil` without `@retired`.
  package let retirement: Retirement?
  /// The fields that it selects, with fragments expanded.
  package let fields: [CompiledField]
  /// The operation's place in the parsed document.
  package let node: OperationNode

  /// Returns the variable with this name, without `$`, or `nil`.
  package func variable(_ name: String) -> CompiledVariable? { variables.first { $0.name == name } }
}

/// A variable of an operation.
package struct CompiledVariable: Sendable, Hashable {
  /// The name without `$`.
  package let name: String
  /// The declared type.
  package let type: TypeNode
  /// The value that applies when a client omits the variable; `nil` without one.
  package let defaultValue: ValueNode?
  /// Which fields a client may write through the variable when it holds whole rows; `nil` without `@allow`.
  package let allowed: AllowRule?
  /// The mark that the variable is kept for old clients only; `nil` without `@retired`.
  package let retirement: Retirement?
  /// Where the variable is declared.
  package let position: SourcePosition

  /// Whether a client must supply a value.
  package var isRequired: Bool { type.isNonNull && defaultValue == nil }
}

/// A field that an operation selects.
package struct CompiledField: Sendable {
  /// The name of the value in the response.
  package let responseName: String
  /// The name of the field in the schema.
  package let name: String
  /// The name of the type that declares the field.
  package let parent: String
  /// The type of the field's value.
  package let type: TypeNode
  /// The arguments as the operation writes them.
  package let arguments: [ArgumentNode]
  /// The fields selected from its value, each response name once; empty for scalars and enumerations.
  package internal(set) var fields: [CompiledField]
  /// Whether the field is executed but left out of the response, from `@redact`.
  package internal(set) var isRedacted: Bool
  /// The conditions of `@skip` and `@include`, those of enclosing fragments included. The field is present when all
  /// hold.
  package internal(set) var conditions: [FieldCondition]
  /// The conditions of the same field at other places: it is present also when all of one of these lists hold.
  package internal(set) var otherConditions: [[FieldCondition]] = []
  /// The conditions of `@check` on the field's value.
  package internal(set) var checks: [CheckRule]
  /// The mark that the field is kept for old clients only; `nil` without `@retired`.
  package let retirement: Retirement?
  /// Where the field is selected.
  package let position: SourcePosition

  /// The conditions of every place that selects the field: it is present when all of one of these lists hold.
  package var presences: [[FieldCondition]] { [conditions] + otherConditions }

  /// Whether the field may be missing from the response.
  package var isConditional: Bool { !conditions.isEmpty }
}

/// The condition of one `@skip` or `@include`.
package struct FieldCondition: Sendable, Hashable {
  /// A Boolean literal, or a variable that holds a Boolean.
  package let value: ValueNode
  /// The Boolean with which the field is present: `false` for `@skip`, `true` for `@include`.
  package let expected: Bool

  /// Whether both are the same condition, wherever they are written.
  package static func == (one: FieldCondition, other: FieldCondition) -> Bool {
    one.value.kind == other.value.kind && one.expected == other.expected
  }

  /// Hashes the value and the Boolean without their place.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(value.kind)
    hasher.combine(expected)
  }
}
