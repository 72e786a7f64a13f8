extension ValidationRule {
  /// A variable's values are values of what is wanted where it is used.
  static let variablesInAllowedPosition = ValidationRule(name: "VariablesInAllowedPosition") { input, errors in
    let uses = Dictionary(grouping: input.uses.variables, by: \.owner)
    for (_, operation, reached) in input.indexedOperations where !operation.variables.isEmpty {
      let variables = Dictionary(operation.variables.map { ($0.name.text, $0) }) { first, _ in first }
      for owner in reached where !errors.isFull {
        for use in uses[owner] ?? [] {
          guard let variable = variables[use.name.text], let type = use.type,
            input.schema.type(variable.type.name.text) != nil,
            !isAllowed(variable, type, use.hasDefault)
          else { continue }
          let (own, wanted) = (GraphQLPrinter.text(of: variable.type), GraphQLPrinter.text(of: type))
          errors.add(
            "The variable $\(use.name.text.shownInError) has the type \(own.shownInError), but "
              + "\(wanted.shownInError) is wanted here.",
            fix: own == "\(wanted.dropLast(wanted.hasSuffix("!") ? 1 : 0))"
              ? "Make it \(wanted.shownInError), or give it a default." : "Make it \(wanted.shownInError).",
            code: "VariablesInAllowedPosition", at: [use.name.position, variable.position])
        }
      }
    }
  }

  private static func isAllowed(_ variable: VariableNode, _ type: TypeNode, _ hasDefault: Bool) -> Bool {
    guard case .nonNull(let inner) = type, !variable.type.isNonNull else { return isPart(variable.type, of: type) }
    let isFilled = hasDefault || variable.defaultValue.map { $0.kind != .null } == true
    return isFilled && isPart(variable.type, of: inner)
  }

  /// Whether each value of one type is one of the other.
  private static func isPart(_ type: TypeNode, of wanted: TypeNode) -> Bool {
    switch (type, wanted) {
    case (.nonNull(let inner), .nonNull(let wantedInner)): isPart(inner, of: wantedInner)
    case (.nonNull(let inner), _): isPart(inner, of: wanted)
    case (.list(let inner, _), .list(let wantedInner, _)): isPart(inner, of: wantedInner)
    case (.named(let name), .named(let wantedName)): name.text == wantedName.text
    default: false
    }
  }
}
