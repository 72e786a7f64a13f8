extension ValidationRule {
  /// No two variables of an operation have the same name.
  static let uniqueVariableNames = ValidationRule(name: "UniqueVariableNames") { input, errors in
    for operation in input.operations {
      var seen: [String: VariableNode] = [:]
      for variable in operation.variables {
        if let first = seen[variable.name.text] {
          errors.add(
            "There is more than one variable $\(variable.name.text.shownInError).", fix: "Rename or remove one.",
            code: "UniqueVariableNames", at: [variable.position, first.position])
        } else {
          seen[variable.name.text] = variable
        }
      }
    }
  }
}
