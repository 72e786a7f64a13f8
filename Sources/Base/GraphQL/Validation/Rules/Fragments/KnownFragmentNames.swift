extension ValidationRule {
  /// A fragment that is spread is defined.
  static let knownFragmentNames = ValidationRule(name: "KnownFragmentNames") { input, errors in
    for name in input.uses.spreads.compactMap(\.fragment) where input.fragments[name.text] == nil {
      errors.add(
        "There is no fragment \(name.text.quoted).",
        fix: suggestion(for: name.text, among: input.fragments.keys.sorted()),
        code: "KnownFragmentNames", at: name.position)
    }
  }
}
