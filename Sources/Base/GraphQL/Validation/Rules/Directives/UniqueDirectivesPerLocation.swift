extension ValidationRule {
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
