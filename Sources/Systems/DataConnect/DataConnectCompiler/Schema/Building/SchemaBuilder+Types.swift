import GraphQL

extension SchemaBuilder {
  /// Finds tables, views and enumerations.
  mutating func collectTypes() {
    var extensions: [String: [TypeDefinitionNode]] = [:]
    for case .type(let node) in document.definitions where node.isExtension {
      extensions[node.name.text, default: []].append(node)
    }
    for definition in document.definitions {
      switch definition {
      case .operation, .fragment:
        add(
          "Operations do not belong into the schema.", fix: "Move it into the folder of a connector.",
          at: definition.position)
      case .schema(let node):
        add("The schema definition is made by the compiler.", fix: "Remove it.", at: node.position)
      case .directive(let node):
        add("A schema cannot define directives of its own.", fix: "Remove it.", at: node.position)
      case .type(let node) where !node.isExtension: collect(node.extended(by: extensions[node.name.text] ?? []))
      case .type: break
      }
    }
    names = drafts.keys.sorted { $0.precedes($1) }
  }

  private mutating func collect(_ node: TypeDefinitionNode) {
    let name = node.name.text
    if drafts[name] != nil || enumerations[name] != nil { return }
    if ["Query", "Mutation", "Subscription"].contains(name) {
      return add(
        "The type \(name) is made by the compiler.", fix: "Remove it: its fields come from the tables.",
        at: node.name.position)
    }
    if name.hasPrefix("_") {
      return add("Names that begin with _ are kept for what is generated.", fix: "Rename it.", at: node.name.position)
    }
    switch node.kind {
    case .object: collectTable(node)
    case .enumeration: collectEnumeration(node)
    default:
      add(
        "A schema has tables, views and enumerations, but no \(node.kind.keyword).",
        fix: "Remove it, or make it a type with @table.", at: node.name.position)
    }
  }

  private mutating func collectTable(_ node: TypeDefinitionNode) {
    let (table, view) = (node.directives["table"], node.directives["view"])
    if !node.interfaces.isEmpty {
      add("Tables do not implement interfaces.", fix: "Remove \"implements\".", at: node.interfaces[0].position)
    }
    if table != nil, let view {
      add("A type is a table or a view.", fix: "Remove @table or @view.", at: view.position)
    }
    guard let directive = table ?? view else {
      return add(
        "The type \(node.name.text.quoted) is neither a table nor a view.", fix: "Write @table behind its name.",
        at: node.name.position)
    }
    if table == nil, directive.arguments["name"] != nil, let sql = directive.arguments["sql"] {
      add("A view has a name or a statement, not both.", fix: "Remove one.", at: sql.position)
    }
    if node.name.text.first?.isUppercase != true {
      problems.warn(
        "The type \(node.name.text.quoted) is not named in Pascal case.",
        fix: "Begin with a capital letter: \(node.name.text.pascalCase).", code: Self.code, at: node.name.position)
    }
    let singular = node.name.text.loweringFirst
    let kind: Table.Kind = table == nil ? .view(sql: directive.text("sql")) : .table
    let names = ["singular", "plural", "name"].map { argument -> String? in
      guard let text = directive.text(argument) else { return nil }
      let isName = argument == "name" ? !text.isEmpty && text.utf8.count <= 63 : text.isGraphQLName
      if isName, !text.hasPrefix("__") { return text }
      add(
        "\(text.quoted) is not a name.", fix: "Use letters, digits and _, at most 63.",
        at: directive.position(of: argument))
      return nil
    }
    drafts[node.name.text] = Draft(
      table: Table(
        name: node.name.text, kind: kind, sqlName: names[2] ?? SQLName.snake(node.name.text),
        singular: names[0] ?? singular, plural: names[1] ?? EnglishNoun.plural(names[0] ?? singular),
        description: node.description?.text, position: node.name.position),
      node: node, keyNames: directive.names("key"))
  }

  private mutating func collectEnumeration(_ node: TypeDefinitionNode) {
    let name = node.name.text
    if name.contains("_") || name.first?.isUppercase != true {
      problems.warn(
        "The enumeration \(name.quoted) is not named in Pascal case.",
        fix: "Begin with a capital letter and use no underscore: \(name.pascalCase).", code: Self.code,
        at: node.name.position)
    }
    for value in node.values where value.name.text.hasPrefix("_") {
      add(
        "The value \(value.name.text.quoted) begins with _, which is kept for values that a client does not know.",
        fix: "Rename it.", at: value.name.position)
    }
    enumerations[name] = DataEnumeration(
      name: name, sqlName: SQLName.snake(name), values: node.values.map(\.name.text),
      description: node.description?.text, position: node.name.position)
  }
}

extension TypeDefinitionNode {
  /// With what its extensions add.
  func extended(by extensions: [TypeDefinitionNode]) -> TypeDefinitionNode {
    extensions.reduce(self) { $0.adding($1) }
  }
}

extension String {
  /// Whether GraphQL takes it as a name.
  var isGraphQLName: Bool {
    guard let first = utf8.first, utf8.count <= 200 else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) || byte == 0x5F }
    return isLetter(first) && utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }

  /// `order_status` as `OrderStatus`.
  var pascalCase: String { split(separator: "_").map { String($0).raisingFirst }.joined() }
}
