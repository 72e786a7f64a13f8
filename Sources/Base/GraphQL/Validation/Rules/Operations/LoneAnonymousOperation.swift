extension ValidationRule {
  /// An operation without a name is the only one.
  static let loneAnonymousOperation = ValidationRule(name: "LoneAnonymousOperation") { input, errors in
    guard input.operations.count > 1 else { return }
    for operation in input.operations where operation.name == nil {
      errors.add(
        "An operation without a name has to be the only one.",
        fix: "Give it a name: \(operation.kind.rawValue) Name { … }.", code: "LoneAnonymousOperation",
        at: operation.position)
    }
  }
}
