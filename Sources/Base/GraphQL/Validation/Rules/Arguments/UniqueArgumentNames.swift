extension ValidationRule {
  /// An argument is given once.
  static let uniqueArgumentNames = ValidationRule(name: "UniqueArgumentNames") { input, errors in
    for use in input.uses.arguments where use.given.count > 1 {
      var seen: [String: NameNode] = [:]
      for argument in use.given {
        if let first = seen[argument.name.text] {
          errors.add(
            "The argument \(argument.name.text.quoted) is given more than once.", fix: "Remove one.",
            code: "UniqueArgumentNames", at: [argument.name.position, first.position])
        } else {
          seen[argument.name.text] = argument.name
        }
      }
    }
  }
}
