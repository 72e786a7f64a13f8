extension ValidationRule {
  /// A fragment is on a type that has fields.
  static let fragmentsOnCompositeTypes = ValidationRule(name: "FragmentsOnCompositeTypes") { input, errors in
    var names = input.uses.spreads.compactMap(\.typeCondition)
    for definition in input.definitions {
      if case .fragment(let node) = definition { names.append(node.typeCondition) }
    }
    for name in names {
      guard let type = input.schema.type(name.text), !type.isComposite else { continue }
      errors.add(
        "A fragment cannot be on \(name.text.quoted), which has no fields.",
        fix: "Name an object type, an interface or a union.", code: "FragmentsOnCompositeTypes", at: name.position)
    }
  }

  /// A fragment that is spread is defined.
  static let knownFragmentNames = ValidationRule(name: "KnownFragmentNames") { input, errors in
    for name in input.uses.spreads.compactMap(\.fragment) where input.fragments[name.text] == nil {
      errors.add(
        "There is no fragment \(name.text.quoted).",
        fix: suggestion(for: name.text, among: input.fragments.keys.sorted()),
        code: "KnownFragmentNames", at: name.position)
    }
  }

  /// Variables and fragments name types that the schema has.
  static let knownTypeNames = ValidationRule(name: "KnownTypeNames") { input, errors in
    var names = input.operations.flatMap(\.variables).map(\.type.name)
    for definition in input.definitions {
      if case .fragment(let node) = definition { names.append(node.typeCondition) }
    }
    names += input.uses.spreads.compactMap(\.typeCondition)
    for name in names where input.schema.type(name.text) == nil {
      errors.add(
        "There is no type \(name.text.quoted).", fix: suggestion(for: name.text, among: input.schema.typeNames),
        code: "KnownTypeNames", at: name.position)
    }
  }

  /// No fragment contains itself, be it by others.
  static let noFragmentCycles = ValidationRule(name: "NoFragmentCycles") { input, errors in
    for (_, spread) in input.sizes.cycles {
      errors.add(
        "The fragment \(spread.name.text.quoted) contains itself by this spread.", fix: "Remove the spread.",
        code: "NoFragmentCycles", at: spread.position)
    }
  }

  /// A fragment is used by some operation.
  static let noUnusedFragments = ValidationRule(name: "NoUnusedFragments") { input, errors in
    var used: Set<Int> = []
    for operation in input.indexedOperations { used.formUnion(operation.reached) }
    for (index, definition) in input.definitions.enumerated() where !used.contains(index) {
      guard case .fragment(let node) = definition, input.fragments[node.name.text]?.index == index else { continue }
      errors.add(
        "No operation uses the fragment \(node.name.text.quoted).", fix: "Spread it, or remove it.",
        code: "NoUnusedFragments", at: node.position)
    }
  }

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

  /// No two fragments have the same name.
  static let uniqueFragmentNames = ValidationRule(name: "UniqueFragmentNames") { input, errors in
    for definition in input.definitions {
      guard case .fragment(let node) = definition, let first = input.fragments[node.name.text]?.node else { continue }
      if first != node {
        errors.add(
          "There is more than one fragment \(node.name.text.quoted).", fix: "Rename one.",
          code: "UniqueFragmentNames", at: [node.name.position, first.name.position])
      }
    }
  }
}
