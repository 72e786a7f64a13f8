extension ValidationRule {
  /// With its fragments put in, a definition is within the limits.
  static let expandedSize = ValidationRule(name: "Limits") { input, errors in
    for (definition, size) in zip(input.definitions, input.sizes.sizes) {
      if size.fields > input.limits.fields {
        errors.add(
          "This selects more than \(input.limits.fields) fields when its fragments are put in.",
          fix: "Spread fragments less often.", code: "Limits", at: definition.position)
      }
      if size.depth > input.limits.depth {
        errors.add(
          "This is nested deeper than \(input.limits.depth) levels when its fragments are put in.", code: "Limits",
          at: definition.position)
      }
    }
  }
}

extension ValidationInput {
  /// Whether what follows fragments ends soon.
  var isBounded: Bool {
    sizes.cycles.isEmpty && sizes.sizes.allSatisfy { $0.fields <= limits.fields && $0.depth <= limits.depth }
  }
}
