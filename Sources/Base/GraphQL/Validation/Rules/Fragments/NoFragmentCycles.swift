extension ValidationRule {
  /// No fragment contains itself, be it by others.
  static let noFragmentCycles = ValidationRule(name: "NoFragmentCycles") { input, errors in
    for (_, spread) in input.sizes.cycles {
      errors.add(
        "The fragment \(spread.name.text.quoted) contains itself by this spread.", fix: "Remove the spread.",
        code: "NoFragmentCycles", at: spread.position)
    }
  }
}
