extension ValidationRule {
  /// A variable has a type of input.
  static let variablesAreInputTypes = ValidationRule(name: "VariablesAreInputTypes") { input, errors in
    for variable in input.operations.flatMap(\.variables) {
      guard let type = input.schema.type(variable.type.name.text), !type.isInput else { continue }
      errors.add(
        "The variable $\(variable.name.text.shownInError) cannot have the type \(type.name.quoted).",
        fix: "Give it a scalar, an enumeration or an input type.", code: "VariablesAreInputTypes",
        at: variable.type.position)
    }
  }
}
