extension GraphQLPrinter {
  private mutating func description(_ node: DescriptionNode?) {
    guard let node else { return }
    if node.isBlock { blockString(node.text) } else { text += Self.quoted(node.text) }
    newLine()
  }

  mutating func schema(_ node: SchemaNode) {
    description(node.description)
    text += node.isExtension ? "extend schema" : "schema"
    directives(node.directives)
    if node.operations.isEmpty { return }
    text += " "
    block(node.operations) { $0.text += "\($1.kind.rawValue): \($1.type.text)" }
  }

  mutating func type(_ node: TypeDefinitionNode) {
    description(node.description)
    text += "\(node.isExtension ? "extend " : "")\(node.kind.keyword) \(node.name.text)"
    if !node.interfaces.isEmpty { text += " implements " }
    list(node.interfaces, " & ") { $0.text += $1.text }
    directives(node.directives)
    if !node.members.isEmpty { text += " = " }
    list(node.members, " | ") { $0.text += $1.text }
    if !node.fields.isEmpty || !node.inputs.isEmpty || !node.values.isEmpty { text += " " }
    block(node.fields) { $0.fieldDefinition($1) }
    block(node.inputs) { $0.input($1) }
    block(node.values) { printer, value in
      printer.description(value.description)
      printer.text += value.name.text
      printer.directives(value.directives)
    }
  }

  mutating func directiveDefinition(_ node: DirectiveDefinitionNode) {
    description(node.description)
    text += "directive @\(node.name.text)"
    inputs(node.arguments)
    text += node.isRepeatable ? " repeatable on " : " on "
    list(node.locations, " | ") { $0.text += $1.text }
  }

  private mutating func fieldDefinition(_ node: FieldDefinitionNode) {
    description(node.description)
    text += node.name.text
    inputs(node.arguments)
    text += ": \(Self.text(of: node.type))"
    directives(node.directives)
  }

  /// Arguments between parentheses; one on each line when one of them has several lines.
  private mutating func inputs(_ nodes: [InputValueNode]) {
    if nodes.isEmpty { return }
    let line = trial { $0.list(nodes) { $0.input($1) } }
    guard line.utf8.contains(0x0A) else {
      text += "(\(line))"
      return
    }
    text += "("
    level += 1
    for node in nodes {
      newLine()
      input(node)
    }
    level -= 1
    newLine()
    text += ")"
  }

  private mutating func input(_ node: InputValueNode) {
    description(node.description)
    text += "\(node.name.text): \(Self.text(of: node.type))"
    if let value = node.defaultValue {
      text += " = "
      self.value(value)
    }
    directives(node.directives)
  }
}
