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
