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

extension ValidationRule {
  /// A field or directive has the arguments that it gets.
  static let knownArgumentNames = ValidationRule(name: "KnownArgumentNames") { input, errors in
    for use in input.uses.arguments {
      guard let definitions = use.definitions else { continue }
      let names = definitions.map(\.name.text)
      for argument in use.given where !names.contains(argument.name.text) {
        errors.add(
          "There is no argument \(argument.name.text.quoted) of \(use.words).",
          fix: suggestion(for: argument.name.text, among: names), code: "KnownArgumentNames",
          at: argument.name.position)
      }
    }
  }

  /// An argument is given once.
  static let uniqueArgumentNames = ValidationRule(name: "UniqueArgumentNames") { input, errors in
    for use in input.uses.arguments where use.given.count > 1 {
      var seen: [String: NameNode] = [:]
      for argument in use.given {
        if let first = seen[argument.name.text] {
          errors.add(
            "The argument \(argument.name.text.quoted) is given more than once.", fix: "Remove one.",
            code: "UniqueArgumentNames", at: [argument.name.position, first.position])
        } else {
          seen[argument.name.text] = argument.name
        }
      }
    }
  }
}
