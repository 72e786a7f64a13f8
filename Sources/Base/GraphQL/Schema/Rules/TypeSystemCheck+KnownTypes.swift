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
}
