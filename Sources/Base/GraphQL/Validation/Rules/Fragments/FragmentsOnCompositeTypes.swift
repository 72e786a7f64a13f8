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
}
