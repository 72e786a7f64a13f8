import Text

/// A type of a schema, its extensions put into it.
package final class SchemaType: Sendable {
  /// The definition with everything that extensions add.
  package let definition: TypeDefinitionNode
  /// Whether it belongs to every schema: the five scalars and the types of introspection.
  package let isBuiltIn: Bool
  /// By bytes: `String` calls the sign of Kelvin a K.
  private let positions: [ExactText: Int]

  init(_ definition: TypeDefinitionNode, isBuiltIn: Bool) {
    self.definition = definition
    self.isBuiltIn = isBuiltIn
    let names =
      definition.fields.map(\.name.text) + definition.inputs.map(\.name.text) + definition.values.map(\.name.text)
    positions = Dictionary(names.enumerated().map { (ExactText($1), $0) }) { first, _ in first }
  }

  /// The name of the type.
  package var name: String { definition.name.text }
  /// Whether it is a scalar, an object, an interface, a union, an enumeration or an input object.
  package var kind: TypeKind { definition.kind }
  /// The text that describes the type; `nil` without one.
  package var description: String? { definition.description?.text }
  /// The directives on the definition and its extensions.
  package var directives: [DirectiveNode] { definition.directives }
  /// The fields of an object or interface, in their order.
  package var fields: [FieldDefinitionNode] { definition.fields }
  /// The fields of an input object, in their order.
  package var inputs: [InputValueNode] { definition.inputs }
  /// The values of an enumeration, in their order.
  package var values: [EnumValueNode] { definition.values }

  /// The field of an object or interface with this name.
  package func field(_ name: String) -> FieldDefinitionNode? {
    kind == .object || kind == .interface ? positions[ExactText(name)].map { definition.fields[$0] } : nil
  }

  /// The field of an input object with this name.
  package func input(_ name: String) -> InputValueNode? {
    kind == .inputObject ? positions[ExactText(name)].map { definition.inputs[$0] } : nil
  }

  /// The value of an enumeration with this name.
  package func value(_ name: String) -> EnumValueNode? {
    kind == .enumeration ? positions[ExactText(name)].map { definition.values[$0] } : nil
  }

  /// Whether it has fields to select: objects, interfaces and unions.
  package var isComposite: Bool { kind == .object || kind == .interface || kind == .union }
  /// Whether a value of it is one of several objects' types.
  package var isAbstract: Bool { kind == .interface || kind == .union }
  /// Whether variables and arguments may have it.
  package var isInput: Bool { kind == .scalar || kind == .enumeration || kind == .inputObject }
  /// Whether fields may have it.
  package var isOutput: Bool { kind != .inputObject }
  /// Whether it is a scalar or an enumeration.
  package var isLeaf: Bool { kind == .scalar || kind == .enumeration }
}
