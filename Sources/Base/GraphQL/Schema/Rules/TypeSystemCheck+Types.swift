extension TypeSystemCheck {
  /// Every type that is named is defined; fields have types of output, arguments and input fields types of input.
  func knownTypes(_ errors: inout ErrorList) {
    for type in types {
      for field in type.fields {
        guard let found = known(field.type.name, &errors) else { continue }
        if !found.isOutput {
          errors.add(
            "The field \(type.name).\(field.name.text.shownInError) cannot have the input type \(found.name.quoted).",
            fix: "Give it an object type, a scalar or an enumeration.", code: "OutputTypes", at: field.type.position)
        }
      }
    }
    for (owner, input) in inputs {
      guard let found = known(input.type.name, &errors) else { continue }
      if !found.isInput {
        errors.add(
          "\(owner.shownInError) cannot have the \(found.kind.rawValue) type \(found.name.quoted).",
          fix: "Give it an input type, a scalar or an enumeration.", code: "InputTypes", at: input.type.position)
      }
    }
  }

  /// The type with a name; reports that there is none.
  func known(_ name: NameNode, _ errors: inout ErrorList) -> SchemaType? {
    if let type = parts.types[name.text] { return type }
    errors.add(
      "There is no type \(name.text.quoted).", fix: suggestion(for: name.text, among: parts.types.keys.sorted()),
      code: "KnownTypeNames", at: name.position)
    return nil
  }

  /// Operations begin at objects, queries are needed, and no two kinds begin at the same.
  func rootTypes(_ errors: inout ErrorList) {
    var seen: [String: RootTypeNode] = [:]
    for root in parts.rootNodes {
      let name = root.type.text
      guard let type = parts.types[name] else {
        errors.add(
          "There is no type \(name.quoted).", fix: suggestion(for: name, among: types.map(\.name)),
          code: "KnownTypeNames", at: root.type.position)
        continue
      }
      if type.kind != .object {
        errors.add(
          "\(name.quoted) is not an object type, as the type of \(root.kind.rawValue) operations has to be.",
          fix: "Define it with \"type\".", code: "RootTypes", at: root.type.position)
      }
      if let first = seen.updateValue(root, forKey: name) {
        errors.add(
          "The operations \(first.kind.rawValue) and \(root.kind.rawValue) have the same type.",
          fix: "Give each a type of its own.", code: "RootTypes", at: [root.type.position, first.type.position])
      }
    }
    if parts.roots[.query] == nil {
      errors.add(
        "The schema has no type for queries.", fix: "Define \"type Query\", or name the type in a schema definition.",
        code: "RootTypes", at: SourcePosition(source: 0, offset: 0))
    }
  }

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

  /// The members of a union are objects' types.
  func unions(_ errors: inout ErrorList) {
    for type in types where type.kind == .union {
      for member in type.definition.members {
        guard let found = known(member, &errors), found.kind != .object else { continue }
        errors.add(
          "The union \(type.name.quoted) cannot have the \(found.kind.rawValue) type \(member.text.quoted).",
          fix: "Only types defined with \"type\" can be members.", code: "UnionMembers", at: member.position)
      }
    }
  }
}
