extension TypeSystemCheck {
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
