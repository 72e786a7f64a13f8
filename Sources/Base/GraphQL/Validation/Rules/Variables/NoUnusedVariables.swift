extension ValidationRule {
  /// A variable is used by its operation, or by a fragment of it.
  static let noUnusedVariables = ValidationRule(name: "NoUnusedVariables") { input, errors in
    let uses = Dictionary(grouping: input.uses.variables, by: \.owner).mapValues { Set($0.map(\.name.text)) }
    for (_, operation, reached) in input.indexedOperations where !operation.variables.isEmpty {
      var used: Set<String> = []
      for owner in reached { used.formUnion(uses[owner] ?? []) }
      for variable in operation.variables where !used.contains(variable.name.text) {
        errors.add(
          "The variable $\(variable.name.text.shownInError) is not used.", fix: "Use it, or remove it.",
          code: "NoUnusedVariables", at: variable.position)
      }
    }
  }
}
