extension TypeSystemCheck {
  /// Objects, interfaces and input objects have fields, unions members and enumerations values.
  func nonEmptyTypes(_ errors: inout ErrorList) {
    for type in types {
      let what: String? =
        switch type.kind {
        case .scalar: nil
        case .object, .interface: type.fields.isEmpty ? "field" : nil
        case .inputObject: type.inputs.isEmpty ? "field" : nil
        case .union: type.definition.members.isEmpty ? "member" : nil
        case .enumeration: type.values.isEmpty ? "value" : nil
        }
      guard let what else { continue }
      errors.add(
        "\(type.name.quoted) has no \(what).", fix: "Give it at least one.", code: "NonEmptyTypes",
        at: type.definition.name.position)
    }
  }
}
