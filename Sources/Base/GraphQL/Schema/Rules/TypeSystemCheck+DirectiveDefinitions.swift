extension TypeSystemCheck {
  /// The locations of a directive are known, and no directive uses itself, be it by others.
  func directiveDefinitions(_ errors: inout ErrorList) {
    for directive in ownDirectives {
      for location in directive.locations where !BuiltIns.locations.contains(location.text) {
        errors.add(
          "There is no location \(location.text.quoted) for directives.",
          fix: suggestion(for: location.text, among: BuiltIns.locations), code: "DirectiveLocations",
          at: location.position)
      }
      if reaches(directive) {
        errors.add(
          "The directive @\(directive.name.text.shownInError) is used in its own definition.",
          fix: "Remove it from its arguments and their types.", code: "DirectiveCycles", at: directive.name.position)
      }
    }
  }

  /// Whether what a directive's arguments are annotated with leads back to it.
  private func reaches(_ directive: DirectiveDefinitionNode) -> Bool {
    var (waiting, seenTypes, seenDirectives) = (directive.arguments, Set<String>(), Set<String>())
    func note(_ nodes: [DirectiveNode]) -> Bool {
      for node in nodes where seenDirectives.insert(node.name.text).inserted {
        if node.name.text == directive.name.text { return true }
        waiting += parts.directives[node.name.text]?.arguments ?? []
      }
      return false
    }
    while let input = waiting.popLast() {
      if note(input.directives) { return true }
      guard let type = type(input.type), seenTypes.insert(type.name).inserted else { continue }
      if note(type.directives) || type.values.contains(where: { note($0.directives) }) { return true }
      waiting += type.inputs
    }
    return false
  }
}
