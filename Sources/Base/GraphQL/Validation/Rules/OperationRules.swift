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

  /// The schema has a type for the kind of each operation.
  static let operationTypes = ValidationRule(name: "OperationTypes") { input, errors in
    for operation in input.operations where input.schema.root(operation.kind) == nil {
      let what = operation.kind == .query ? "queries" : "\(operation.kind.rawValue)s"
      errors.add("The schema has no \(what).", code: "OperationTypes", at: operation.position)
    }
  }

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

  /// With its fragments put in, a definition is within the limits.
  static let expandedSize = ValidationRule(name: "Limits") { input, errors in
    for (definition, size) in zip(input.definitions, input.sizes.sizes) {
      if size.fields > input.limits.fields {
        errors.add(
          "This selects more than \(input.limits.fields) fields when its fragments are put in.",
          fix: "Spread fragments less often.", code: "Limits", at: definition.position)
      }
      if size.depth > input.limits.depth {
        errors.add(
          "This is nested deeper than \(input.limits.depth) levels when its fragments are put in.", code: "Limits",
          at: definition.position)
      }
    }
  }
}

extension ValidationInput {
  /// Whether what follows fragments ends soon.
  var isBounded: Bool {
    sizes.cycles.isEmpty && sizes.sizes.allSatisfy { $0.fields <= limits.fields && $0.depth <= limits.depth }
  }
}
