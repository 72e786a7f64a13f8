extension ValidationRule {
  /// A fragment is used by some operation.
  static let noUnusedFragments = ValidationRule(name: "NoUnusedFragments") { input, errors in
    var used: Set<Int> = []
    for operation in input.indexedOperations { used.formUnion(operation.reached) }
    for (index, definition) in input.definitions.enumerated() where !used.contains(index) {
      guard case .fragment(let node) = definition, input.fragments[node.name.text]?.index == index else { continue }
      errors.add(
        "No operation uses the fragment \(node.name.text.quoted).", fix: "Spread it, or remove it.",
        code: "NoUnusedFragments", at: node.position)
    }
  }
}
