extension ValidationRule {
  /// A document to execute has operations and fragments alone.
  static let executableDefinitions = ValidationRule(name: "ExecutableDefinitions") { input, errors in
    for definition in input.document where !definition.isExecutable {
      let what =
        switch definition {
        case .type(let node): "The type \(node.name.text.quoted)"
        case .directive(let node): "The directive @\(node.name.text.shownInError)"
        default: "A schema definition"
        }
      errors.add(
        "\(what) does not belong among operations.", fix: "Move it to a file of the schema.",
        code: "ExecutableDefinitions", at: definition.position)
    }
  }
}
