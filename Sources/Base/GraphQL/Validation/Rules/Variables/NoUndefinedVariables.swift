extension ValidationRule {
  /// A variable that an operation uses, itself or by its fragments, is one of its own.
  static let noUndefinedVariables = ValidationRule(name: "NoUndefinedVariables") { input, errors in
    let uses = Dictionary(grouping: input.uses.variables, by: \.owner)
    for (_, operation, reached) in input.indexedOperations {
      let defined = Set(operation.variables.map(\.name.text))
      for owner in reached where !errors.isFull {
        for use in uses[owner] ?? [] where !defined.contains(use.name.text) {
          let what = operation.name.map { "The operation \($0.text.quoted)" } ?? "The operation"
          errors.add(
            "\(what) has no variable $\(use.name.text.shownInError).",
            fix: suggestion(for: use.name.text, among: defined.sorted())
              ?? "Define it: (\("$\(use.name.text): \(use.type.map(GraphQLPrinter.text) ?? "…")".shownInError)).",
            code: "NoUndefinedVariables", at: use.name.position)
        }
      }
    }
  }
}
