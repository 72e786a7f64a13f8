extension ValidationRule {
  /// A directive is defined, and may stand where it does.
  static let knownDirectives = ValidationRule(name: "KnownDirectives") { input, errors in
    for use in input.uses.directives {
      for node in use.nodes {
        let name = node.name.text
        guard let definition = input.schema.directives[name] else {
          errors.add(
            "There is no directive @\(name.shownInError).",
            fix: suggestion(for: name, among: input.schema.directiveNames),
            code: "KnownDirectives", at: node.position)
          continue
        }
        if definition.locations.contains(where: { $0.text == use.location }) { continue }
        let places = definition.locations.map(\.text).joined(separator: ", ")
        errors.add(
          "The directive @\(name.shownInError) cannot stand at \(use.location).",
          fix: "It can at \(places.shownInError).", code: "KnownDirectives", at: node.position)
      }
    }
  }

  /// A directive that is not repeatable stands at most once at a place.
  static let uniqueDirectivesPerLocation = ValidationRule(name: "UniqueDirectivesPerLocation") { input, errors in
    for use in input.uses.directives where use.nodes.count > 1 {
      var seen: [String: DirectiveNode] = [:]
      for node in use.nodes where input.schema.directives[node.name.text]?.isRepeatable == false {
        if let first = seen[node.name.text] {
          errors.add(
            "The directive @\(node.name.text.shownInError) can stand here once only.", fix: "Remove one.",
            code: "UniqueDirectivesPerLocation", at: [node.position, first.position])
        } else {
          seen[node.name.text] = node
        }
      }
    }
  }
}
