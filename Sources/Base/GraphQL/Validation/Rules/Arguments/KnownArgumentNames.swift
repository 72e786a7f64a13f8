extension ValidationRule {
  /// A field or directive has the arguments that it gets.
  static let knownArgumentNames = ValidationRule(name: "KnownArgumentNames") { input, errors in
    for use in input.uses.arguments {
      guard let definitions = use.definitions else { continue }
      let names = definitions.map(\.name.text)
      for argument in use.given where !names.contains(argument.name.text) {
        errors.add(
          "There is no argument \(argument.name.text.quoted) of \(use.words).",
          fix: suggestion(for: argument.name.text, among: names), code: "KnownArgumentNames",
          at: argument.name.position)
      }
    }
  }
}
