extension ValidationRule {
  /// The schema has a type for the kind of each operation.
  static let operationTypes = ValidationRule(name: "OperationTypes") { input, errors in
    for operation in input.operations where input.schema.root(operation.kind) == nil {
      let what = operation.kind == .query ? "queries" : "\(operation.kind.rawValue)s"
      errors.add("The schema has no \(what).", code: "OperationTypes", at: operation.position)
    }
  }
}
