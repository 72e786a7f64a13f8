extension ValidationRule {
  /// A subscription has one root field, and none of introspection.
  static let singleFieldSubscriptions = ValidationRule(name: "SingleFieldSubscriptions") { input, errors in
    for operation in input.operations where operation.kind == .subscription {
      let fields = rootFields(operation, input)
      var names: Set<String> = []
      for field in fields where names.insert(field.responseName).inserted && names.count > 1 {
        errors.add(
          "A subscription selects one field only, and \(field.responseName.quoted) is another one.",
          fix: "Make it a subscription of its own.", code: "SingleFieldSubscriptions", at: field.position)
      }
      for field in fields where field.name.text.utf8.starts(with: [0x5F, 0x5F]) {
        errors.add(
          "A subscription cannot select \(field.name.text.quoted), a field of introspection.", fix: "Remove it.",
          code: "SingleFieldSubscriptions", at: field.position)
      }
    }
  }

  /// The fields of an operation itself, fragments put in, each once.
  private static func rootFields(_ operation: OperationNode, _ input: ValidationInput) -> [FieldNode] {
    var (fields, seen): ([FieldNode], Set<String>) = ([], [])
    var waiting = Array(operation.selections.reversed())
    while let next = waiting.popLast() {
      switch next {
      case .field(let node): fields.append(node)
      case .inline(let node): waiting += node.selections.reversed()
      case .spread(let node):
        if seen.insert(node.name.text).inserted, let fragment = input.fragments[node.name.text] {
          waiting += fragment.node.selections.reversed()
        }
      }
    }
    return fields
  }
}
