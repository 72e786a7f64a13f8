extension ValidationRule {
  /// An argument that can neither be null nor has a default is given.
  static let providedRequiredArguments = ValidationRule(name: "ProvidedRequiredArguments") { input, errors in
    for use in input.uses.arguments {
      for definition in use.definitions ?? [] where definition.isRequired && use.given[definition.name.text] == nil {
        let type = GraphQLPrinter.text(of: definition.type).shownInError
        errors.add(
          "The argument \(definition.name.text.quoted) of \(use.words) is missing.",
          fix: "Write \(definition.name.text.shownInError): and a value of the type \(type).",
          code: "ProvidedRequiredArguments", at: use.position)
      }
    }
  }
}

extension InputValueNode {
  /// Whether it has to be given.
  var isRequired: Bool { type.isNonNull && defaultValue == nil }
}
