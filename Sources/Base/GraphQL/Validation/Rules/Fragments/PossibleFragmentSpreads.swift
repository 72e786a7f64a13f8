extension ValidationRule {
  /// Some object can be both of a fragment's type and of the type that it is put into.
  static let possibleFragmentSpreads = ValidationRule(name: "PossibleFragmentSpreads") { input, errors in
    for spread in input.uses.spreads {
      let condition = spread.typeCondition ?? spread.fragment.flatMap { input.fragments[$0.text]?.node.typeCondition }
      guard let parent = spread.parent, let type = condition.flatMap({ input.schema.type($0.text) }), type.isComposite,
        parent.isComposite, !input.schema.overlaps(type.name, parent.name)
      else { continue }
      let what = spread.fragment.map { "The fragment \($0.text.quoted)" } ?? "This fragment"
      errors.add(
        "\(what) is on \(type.name.quoted), and no \(parent.name.quoted) is one.", fix: "Remove it.",
        code: "PossibleFragmentSpreads", at: spread.position)
    }
  }
}
