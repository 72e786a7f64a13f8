/// A text before a definition that says what it is for.
package struct DescriptionNode: Sendable, Hashable {
  /// The text, without quotes and common indentation.
  package let text: String
  /// Whether it is written as a block string, between `"""`.
  package let isBlock: Bool
  /// Where the string begins.
  package let position: SourcePosition
}

/// `schema { query: Query }`, or its extension.
package struct SchemaNode: Sendable, Hashable {
  /// Whether the definition begins with `extend`.
  package let isExtension: Bool
  /// The description before the definition.
  package let description: DescriptionNode?
  /// The directives of the definition.
  package let directives: [DirectiveNode]
  /// The root types, in the order of the source.
  package let operations: [RootTypeNode]
  /// Where the definition begins.
  package let position: SourcePosition
}

/// `query: Query` in a schema definition.
package struct RootTypeNode: Sendable, Hashable {
  /// Whether the type is the root of queries, mutations or subscriptions.
  package let kind: OperationKind
  /// The name of the object type.
  package let type: NameNode
  /// Where the entry begins.
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
  /// Whether the definition begins with `extend`.
  package let isExtension: Bool
  /// The kind of type.
  package let kind: TypeKind
  /// The description before the definition.
  package let description: DescriptionNode?
  /// The name of the type.
  package let name: NameNode
  /// Of an object or an interface: what it implements.
  package var interfaces: [NameNode] = []
  /// The directives of the definition.
  package let directives: [DirectiveNode]
  /// Of an object or an interface.
  package var fields: [FieldDefinitionNode] = []
  /// Of an input object.
  package var inputs: [InputValueNode] = []
  /// The member types of a union.
  package var members: [NameNode] = []
  /// The values of an enumeration.
  package var values: [EnumValueNode] = []
  /// Where the definition begins.
  package let position: SourcePosition
}

/// A field of an object or interface type.
package struct FieldDefinitionNode: Sendable, Hashable {
  /// The description before the field.
  package let description: DescriptionNode?
  /// The name of the field.
  package let name: NameNode
  /// The arguments that the field takes.
  package let arguments: [InputValueNode]
  /// The type of the field's value.
  package let type: TypeNode
  /// The directives of the definition.
  package let directives: [DirectiveNode]
}

/// An argument's definition, or a field of an input object type.
package struct InputValueNode: Sendable, Hashable {
  /// The description before the value.
  package let description: DescriptionNode?
  /// The name of the argument or field.
  package let name: NameNode
  /// The type of the value.
  package let type: TypeNode
  /// The value that applies when none is given; `nil` without one.
  package let defaultValue: ValueNode?
  /// The directives of the definition.
  package let directives: [DirectiveNode]
}

/// A value of an enumeration.
package struct EnumValueNode: Sendable, Hashable {
  /// The description before the value.
  package let description: DescriptionNode?
  /// The name of the value.
  package let name: NameNode
  /// The directives of the definition.
  package let directives: [DirectiveNode]
}

/// `directive @name(arguments) repeatable on LOCATIONS`
package struct DirectiveDefinitionNode: Sendable, Hashable {
  /// The description before the definition.
  package let description: DescriptionNode?
  /// The name without `@`.
  package let name: NameNode
  /// The arguments that the directive takes.
  package let arguments: [InputValueNode]
  /// Whether one place may have the directive more than once.
  package let isRepeatable: Bool
  /// The names of locations as written, in their order.
  package let locations: [NameNode]
  /// Where the definition begins.
  package let position: SourcePosition
}

extension TypeDefinitionNode {
  /// The definition with what one of its extensions adds.
  package func adding(_ other: TypeDefinitionNode) -> TypeDefinitionNode {
    TypeDefinitionNode(
      isExtension: isExtension, kind: kind, description: description, name: name,
      interfaces: interfaces + other.interfaces, directives: directives + other.directives,
      fields: fields + other.fields, inputs: inputs + other.inputs, members: members + other.members,
      values: values + other.values, position: position)
  }
}
