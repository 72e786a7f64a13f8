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

  /// Fields of objects, interfaces and unions have selections, and no others.
  static let scalarLeafs = ValidationRule(name: "ScalarLeafs") { input, errors in
    for field in input.uses.fields {
      guard let definition = field.definition, let type = input.schema.type(definition.type.name.text) else { continue }
      let name = field.node.name.text.quoted
      if type.isLeaf, !field.node.selections.isEmpty {
        errors.add(
          "The field \(name) is of the type \(type.name.quoted), of which nothing can be selected.",
          fix: "Remove the braces behind it.", code: "ScalarLeafs", at: field.node.position)
      } else if type.isComposite, field.node.selections.isEmpty {
        errors.add(
          "The field \(name) is of the type \(type.name.quoted), of which something has to be selected.",
          fix: "Write \(field.node.name.text.shownInError) { … }.", code: "ScalarLeafs", at: field.node.position)
      }
    }
  }
}
