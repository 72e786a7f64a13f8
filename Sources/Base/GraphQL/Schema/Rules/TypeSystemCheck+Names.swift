extension TypeSystemCheck {
  /// Within one type no two fields, values, arguments, members or interfaces have the same name.
  func uniqueMembers(_ errors: inout ErrorList) {
    for type in types {
      let place = "in \(type.name.quoted)"
      unique(type.fields.map(\.name), "field", place, "UniqueFieldDefinitionNames", &errors)
      unique(type.inputs.map(\.name), "field", place, "UniqueFieldDefinitionNames", &errors)
      unique(type.values.map(\.name), "value", place, "UniqueEnumValueNames", &errors)
      unique(type.definition.members, "member", place, "UniqueUnionMembers", &errors)
      unique(type.definition.interfaces, "interface", place, "UniqueInterfaces", &errors)
      for field in type.fields {
        let place = "of the field \(field.name.text.quoted)"
        unique(field.arguments.map(\.name), "argument", place, "UniqueArgumentDefinitionNames", &errors)
      }
    }
    for directive in ownDirectives {
      let place = "of the directive @\(directive.name.text.shownInError)"
      unique(directive.arguments.map(\.name), "argument", place, "UniqueArgumentDefinitionNames", &errors)
      unique(directive.locations, "location", place, "UniqueDirectiveLocations", &errors)
    }
  }

  private func unique(
    _ names: [NameNode], _ what: String, _ place: String, _ code: String, _ errors: inout ErrorList
  ) {
    var seen: [String: NameNode] = [:]
    for name in names {
      guard let first = seen[name.text] else {
        seen[name.text] = name
        continue
      }
      errors.add(
        "There is more than one \(what) \(name.text.quoted) \(place).", fix: "Remove one, or rename it.", code: code,
        at: [name.position, first.position])
    }
  }

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
