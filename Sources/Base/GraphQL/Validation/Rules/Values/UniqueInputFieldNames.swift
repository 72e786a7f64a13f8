extension ValidationRule {
  /// A field of an input object is given once.
  static let uniqueInputFieldNames = ValidationRule(name: "UniqueInputFieldNames") { input, errors in
    for fields in input.uses.objects where fields.count > 1 {
      var seen: [String: NameNode] = [:]
      for field in fields {
        if let first = seen[field.name.text] {
          errors.add(
            "The field \(field.name.text.quoted) is given more than once.", fix: "Remove one.",
            code: "UniqueInputFieldNames", at: [field.name.position, first.position])
        } else {
          seen[field.name.text] = field.name
        }
      }
    }
  }
}
