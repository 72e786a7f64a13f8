extension TypeSystemCheck {
  /// A type has what its interfaces have: their fields, with types that are the same or narrower, and their arguments.
  func interfaces(_ errors: inout ErrorList) {
    for type in types {
      for name in type.definition.interfaces {
        guard let interface = known(name, &errors) else { continue }
        if interface.kind != .interface {
          errors.add(
            "\(type.name.quoted) cannot implement \(name.text.quoted), which is not an interface.",
            fix: "Define it with \"interface\".", code: "Interfaces", at: name.position)
        } else if interface === type {
          errors.add(
            "\(type.name.quoted) cannot implement itself.", fix: "Remove it.", code: "Interfaces", at: name.position)
        } else {
          implementation(of: interface, by: type, name, &errors)
        }
      }
    }
  }

  private func implementation(
    of interface: SchemaType, by type: SchemaType, _ name: NameNode, _ errors: inout ErrorList
  ) {
    let implemented = Set(type.definition.interfaces.map(\.text))
    for inherited in interface.definition.interfaces where !implemented.contains(inherited.text) {
      errors.add(
        inherited.text == type.name
          ? "\(type.name.quoted) and \(interface.name.quoted) implement each other."
          : "\(type.name.quoted) does not implement \(inherited.text.quoted), which \(interface.name.quoted) implements.",
        fix: inherited.text == type.name ? "Remove one." : "Add it behind \"implements\".", code: "Interfaces",
        at: [name.position, inherited.position])
    }
    for wanted in interface.fields {
      guard let field = type.field(wanted.name.text) else {
        errors.add(
          "\(type.name.quoted) lacks the field \(wanted.name.text.quoted) of the interface \(interface.name.quoted).",
          fix: "Add \"\(wanted.name.text.shownInError): \(GraphQLPrinter.text(of: wanted.type).shownInError)\".",
          code: "Interfaces", at: [type.definition.name.position, wanted.name.position])
        continue
      }
      let owner = "\(type.name).\(field.name.text)".shownInError
      if !isNarrower(field.type, wanted.type) {
        errors.add(
          "The type of \(owner) is not that of the interface \(interface.name.quoted) and no part of it.",
          fix: "Make it \(GraphQLPrinter.text(of: wanted.type).shownInError).", code: "Interfaces",
          at: [field.type.position, wanted.type.position])
      }
      arguments(of: field, owner, wanted, interface, &errors)
    }
  }

  private func arguments(
    of field: FieldDefinitionNode, _ owner: String, _ wanted: FieldDefinitionNode, _ interface: SchemaType,
    _ errors: inout ErrorList
  ) {
    for argument in wanted.arguments {
      let name = argument.name.text
      guard let own = field.arguments.first(where: { $0.name.text == name }) else {
        errors.add(
          "\(owner) lacks the argument \(name.quoted) of the interface \(interface.name.quoted).", fix: "Add it.",
          code: "Interfaces", at: [field.name.position, argument.name.position])
        continue
      }
      let (here, there) = (GraphQLPrinter.text(of: own.type), GraphQLPrinter.text(of: argument.type))
      if here != there {
        errors.add(
          "The argument \(name.quoted) of \(owner) has another type than in the interface \(interface.name.quoted).",
          fix: "Make it \(there.shownInError).", code: "Interfaces", at: [own.type.position, argument.type.position])
      }
    }
    for own in field.arguments where !wanted.arguments.contains(where: { $0.name.text == own.name.text }) {
      if case .nonNull = own.type, own.defaultValue == nil {
        errors.add(
          "The argument \(own.name.text.quoted) of \(owner) is required, but the interface "
            + "\(interface.name.quoted) does not have it.",
          fix: "Give it a default, or let it be null.", code: "Interfaces",
          at: [own.name.position, wanted.name.position])
      }
    }
  }

  /// Whether each value of one type is also one of the other.
  private func isNarrower(_ type: TypeNode, _ wanted: TypeNode) -> Bool {
    switch (type, wanted) {
    case (.nonNull(let inner), .nonNull(let wantedInner)): isNarrower(inner, wantedInner)
    case (.nonNull(let inner), _): isNarrower(inner, wanted)
    case (.list(let inner, _), .list(let wantedInner, _)): isNarrower(inner, wantedInner)
    case (.named(let name), .named(let wantedName)): isNarrower(name.text, wantedName.text)
    default: false
    }
  }

  private func isNarrower(_ name: String, _ wanted: String) -> Bool {
    if name == wanted { return true }
    guard let type = parts.types[name], let wantedType = parts.types[wanted] else { return false }
    return wantedType.kind == .union && type.kind == .object
      ? wantedType.definition.members.contains { $0.text == name }
      : type.definition.interfaces.contains { $0.text == wanted }
  }
}
