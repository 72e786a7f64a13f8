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
