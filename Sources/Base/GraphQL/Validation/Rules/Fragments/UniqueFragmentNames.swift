extension ValidationRule {
  /// No two fragments have the same name.
  static let uniqueFragmentNames = ValidationRule(name: "UniqueFragmentNames") { input, errors in
    for definition in input.definitions {
      guard case .fragment(let node) = definition, let first = input.fragments[node.name.text]?.node else { continue }
      if first != node {
        errors.add(
          "There is more than one fragment \(node.name.text.quoted).", fix: "Rename one.",
          code: "UniqueFragmentNames", at: [node.name.position, first.name.position])
      }
    }
  }
}
