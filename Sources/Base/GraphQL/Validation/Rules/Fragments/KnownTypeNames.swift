extension ValidationRule {
  /// Variables and fragments name types that the schema has.
  static let knownTypeNames = ValidationRule(name: "KnownTypeNames") { input, errors in
    var names = input.operations.flatMap(\.variables).map(\.type.name)
    for definition in input.definitions {
      if case .fragment(let node) = definition { names.append(node.typeCondition) }
    }
    names += input.uses.spreads.compactMap(\.typeCondition)
    for name in names where input.schema.type(name.text) == nil {
      errors.add(
        "There is no type \(name.text.quoted).", fix: suggestion(for: name.text, among: input.schema.typeNames),
        code: "KnownTypeNames", at: name.position)
    }
  }
}
