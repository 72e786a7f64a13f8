extension ValidationRule {
  /// A field is one of the type that it is selected from.
  static let fieldsOnCorrectType = ValidationRule(name: "FieldsOnCorrectType") { input, errors in
    for field in input.uses.fields where field.definition == nil {
      let (name, parent) = (field.node.name.text, field.parent)
      errors.add(
        "There is no field \(name.quoted) in the type \(parent.name.quoted).", fix: fix(name, parent, input.schema),
        code: "FieldsOnCorrectType", at: field.node.name.position)
    }
  }

  private static func fix(_ name: String, _ parent: SchemaType, _ schema: GraphQLSchema) -> String? {
    if parent.isAbstract {
      let owners = schema.possibleTypes(of: parent.name).filter { schema.type($0)?.field(name) != nil }.prefix(3)
      if !owners.isEmpty {
        return "Select it inside of \(owners.map { "... on \($0) { }" }.joined(separator: " or ").shownInError)."
      }
    }
    return suggestion(for: name, among: parent.fields.map(\.name.text))
  }
}
