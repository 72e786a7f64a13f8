extension ValidationRule {
  /// No two operations have the same name.
  static let uniqueOperationNames = ValidationRule(name: "UniqueOperationNames") { input, errors in
    var seen: [String: NameNode] = [:]
    for name in input.operations.compactMap(\.name) {
      if let first = seen[name.text] {
        errors.add(
          "There is more than one operation \(name.text.quoted).", fix: "Rename one.", code: "UniqueOperationNames",
          at: [name.position, first.position])
      } else {
        seen[name.text] = name
      }
    }
  }
}
