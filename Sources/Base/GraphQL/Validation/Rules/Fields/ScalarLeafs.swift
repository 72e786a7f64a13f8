extension ValidationRule {
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
