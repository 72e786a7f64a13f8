extension TypeSystemCheck {
  /// Names with two underscores at their beginning belong to introspection.
  func reservedNames(_ errors: inout ErrorList) {
    var names: [NameNode] = ownDirectives.map(\.name)
    for type in types {
      names.append(type.definition.name)
      names += type.fields.map(\.name) + type.values.map(\.name)
    }
    names += inputs.map(\.input.name)
    for name in names where name.text.utf8.starts(with: [0x5F, 0x5F]) {
      errors.add(
        "The name \(name.text.quoted) begins with \"__\", which is kept for introspection.",
        fix: "Choose another name.", code: "ReservedNames", at: name.position)
    }
  }
}
