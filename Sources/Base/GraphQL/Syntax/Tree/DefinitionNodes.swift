/// A text before a definition that says what it is for.
package struct DescriptionNode: Sendable, Hashable {
  package let text: String
  package let isBlock: Bool
  package let position: SourcePosition
}

/// `schema { query: Query }`, or its extension.
package struct SchemaNode: Sendable, Hashable {
  package let isExtension: Bool
  package let description: DescriptionNode?
  package let directives: [DirectiveNode]
  package let operations: [RootTypeNode]
  package let position: SourcePosition
}

/// `query: Query` in a schema definition.
package struct RootTypeNode: Sendable, Hashable {
  package let kind: OperationKind
  package let type: NameNode
  package let position: SourcePosition
}

/// The six kinds of types that have names.
package enum TypeKind: String, Sendable, Hashable, CaseIterable {
  case scalar, object, interface, union, enumeration, inputObject

  /// The word that begins a definition.
  package var keyword: String {
    switch self {
    case .object: "type"
    case .enumeration: "enum"
    case .inputObject: "input"
    default: rawValue
    }
  }
}

/// The definition of a type, or its extension. What a kind does not have is empty.
package struct TypeDefinitionNode: Sendable, Hashable {
  package let isExtension: Bool
  package let kind: TypeKind
  package let description: DescriptionNode?
  package let name: NameNode
  /// Of an object or an interface: what it implements.
  package var interfaces: [NameNode] = []
  package let directives: [DirectiveNode]
  /// Of an object or an interface.
  package var fields: [FieldDefinitionNode] = []
  /// Of an input object.
  package var inputs: [InputValueNode] = []
  /// The member types of a union.
  package var members: [NameNode] = []
  /// The values of an enumeration.
  package var values: [EnumValueNode] = []
  package let position: SourcePosition
}

/// A field of an object or interface type.
package struct FieldDefinitionNode: Sendable, Hashable {
  package let description: DescriptionNode?
  package let name: NameNode
  package let arguments: [InputValueNode]
  package let type: TypeNode
  package let directives: [DirectiveNode]
}

/// An argument's definition, or a field of an input object type.
package struct InputValueNode: Sendable, Hashable {
  package let description: DescriptionNode?
  package let name: NameNode
  package let type: TypeNode
  package let defaultValue: ValueNode?
  package let directives: [DirectiveNode]
}

/// A value of an enumeration.
package struct EnumValueNode: Sendable, Hashable {
  package let description: DescriptionNode?
  package let name: NameNode
  package let directives: [DirectiveNode]
}

/// `directive @name(arguments) repeatable on LOCATIONS`
package struct DirectiveDefinitionNode: Sendable, Hashable {
  package let description: DescriptionNode?
  package let name: NameNode
  package let arguments: [InputValueNode]
  package let isRepeatable: Bool
  /// The names of locations as written, in their order.
  package let locations: [NameNode]
  package let position: SourcePosition
}
