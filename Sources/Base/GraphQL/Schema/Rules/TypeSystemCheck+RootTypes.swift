extension TypeSystemCheck {
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
          "\(name.quoted) is no object type, as the type of \(root.kind.rawValue) operations has to be.",
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
}
