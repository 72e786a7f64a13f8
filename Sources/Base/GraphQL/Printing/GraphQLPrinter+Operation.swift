extension GraphQLPrinter {
  mutating func operation(_ node: OperationNode) {
    let isShort =
      node.kind == .query && node.name == nil && node.variables.isEmpty && node.directives.isEmpty && !writesKeyword
    if !isShort {
      text += node.kind.rawValue
      if node.name != nil || !node.variables.isEmpty { text += " " }
      text += node.name?.text ?? ""
      if !node.variables.isEmpty {
        text += "("
        list(node.variables) { $0.variable($1) }
        text += ")"
      }
      directives(node.directives)
      text += " "
    }
    block(node.selections) { $0.selection($1) }
  }

  private mutating func variable(_ node: VariableNode) {
    text += "$\(node.name.text): \(Self.text(of: node.type))"
    if let value = node.defaultValue {
      text += " = "
      self.value(value)
    }
    directives(node.directives)
  }

  mutating func fragment(_ node: FragmentNode) {
    text += "fragment \(node.name.text) on \(node.typeCondition.text)"
    directives(node.directives)
    text += " "
    block(node.selections) { $0.selection($1) }
  }

  private mutating func selection(_ node: SelectionNode) {
    switch node {
    case .field(let field): self.field(field)
    case .spread(let spread):
      text += "...\(spread.name.text)"
      directives(spread.directives)
    case .inline(let inline):
      text += "..."
      if let type = inline.typeCondition { text += " on \(type.text)" }
      directives(inline.directives)
      text += " "
      block(inline.selections) { $0.selection($1) }
    }
  }

  private mutating func field(_ node: FieldNode) {
    let name = (node.alias.map { "\($0.text): " } ?? "") + node.name.text
    text += name
    if !node.arguments.isEmpty {
      let line = trial { $0.list(node.arguments) { $0.argument($1) } }
      // The length that tools agree on.
      if name.count + line.count + 2 <= 80 {
        text += "(\(line))"
      } else {
        text += "("
        level += 1
        for argument in node.arguments {
          newLine()
          self.argument(argument)
        }
        level -= 1
        newLine()
        text += ")"
      }
    }
    directives(node.directives)
    if !node.selections.isEmpty {
      text += " "
      block(node.selections) { $0.selection($1) }
    }
  }

  mutating func argument(_ node: ArgumentNode) {
    text += "\(node.name.text): "
    value(node.value)
  }

  /// Directives, each with a space before it.
  mutating func directives(_ nodes: [DirectiveNode]) {
    for node in nodes {
      text += " @\(node.name.text)"
      if !node.arguments.isEmpty {
        text += "("
        list(node.arguments) { $0.argument($1) }
        text += ")"
      }
    }
  }
}
