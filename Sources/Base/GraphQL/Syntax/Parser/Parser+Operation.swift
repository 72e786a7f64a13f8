extension Parser {
  mutating func operation(_ kind: OperationKind, _ start: SourcePosition) throws(SyntaxError) -> OperationNode {
    try advance()
    let name = token.kind == .name ? try name("of the operation") : nil
    var variables: [VariableNode] = []
    if try take(.openParenthesis) {
      repeat { variables.append(try variable()) } while token.kind != .closeParenthesis
      try advance()
    }
    let directives = try directives(isConstant: false)
    return OperationNode(
      kind: kind, name: name, variables: variables, directives: directives, selections: try selectionSet(),
      position: start)
  }

  private mutating func variable() throws(SyntaxError) -> VariableNode {
    let start = here
    try expect(.dollar, "before the name of a variable")
    let name = try name("of a variable")
    try expect(.colon, "between a variable and its type")
    let type = try type()
    let value = try take(.equals) ? try value(isConstant: true) : nil
    return VariableNode(
      name: name, type: type, defaultValue: value, directives: try directives(isConstant: true), position: start)
  }

  mutating func fragment(_ start: SourcePosition) throws(SyntaxError) -> FragmentNode {
    try advance()
    if isAt("on") {
      throw SyntaxError(message: "A fragment cannot be called \"on\".", fix: "Give it a name.", offset: token.start)
    }
    let name = try name("of the fragment")
    guard try takeKeyword("on") else { throw unexpected("\"on\" and a type", "behind the name of a fragment") }
    let type = try self.name("of the fragment's type")
    let directives = try directives(isConstant: false)
    return FragmentNode(
      name: name, typeCondition: type, directives: directives, selections: try selectionSet(), position: start)
  }

  mutating func selectionSet() throws(SyntaxError) -> [SelectionNode] {
    try expect(.openBrace, "before what is selected")
    try enter()
    var selections: [SelectionNode] = []
    repeat {
      if token.kind == .name {
        selections.append(.field(try field()))
      } else {
        selections.append(try spread())
      }
    } while token.kind != .closeBrace
    leave()
    try advance()
    return selections
  }

  @inline(__always)
  private mutating func field() throws(SyntaxError) -> FieldNode {
    var name = try name("of a field")
    var alias: NameNode?
    if token.kind == .colon {
      try advance()
      alias = name
      name = try self.name("of the field behind its alias")
    }
    let arguments = token.kind == .openParenthesis ? try arguments(isConstant: false) : []
    let directives = token.kind == .at ? try directives(isConstant: false) : []
    let selections = token.kind == .openBrace ? try selectionSet() : []
    return FieldNode(alias: alias, name: name, arguments: arguments, directives: directives, selections: selections)
  }

  private mutating func spread() throws(SyntaxError) -> SelectionNode {
    let start = here
    guard token.kind == .spread else { throw unexpected("a field, a fragment or \"}\"", "in a selection") }
    try advance()
    if token.kind == .name, !isAt("on") {
      let name = try name("of a fragment")
      return .spread(
        FragmentSpreadNode(name: name, directives: try directives(isConstant: false), position: start))
    }
    let type = try takeKeyword("on") ? try name("of a type behind \"on\"") : nil
    let directives = try directives(isConstant: false)
    return .inline(
      InlineFragmentNode(
        typeCondition: type, directives: directives, selections: try selectionSet(), position: start))
  }

  mutating func arguments(isConstant: Bool) throws(SyntaxError) -> [ArgumentNode] {
    try expect(.openParenthesis, "before the arguments")
    var arguments: [ArgumentNode] = []
    repeat {
      let name = try name("of an argument")
      try expect(.colon, "between an argument and its value")
      arguments.append(ArgumentNode(name: name, value: try value(isConstant: isConstant)))
    } while token.kind != .closeParenthesis
    try advance()
    return arguments
  }

  mutating func directives(isConstant: Bool) throws(SyntaxError) -> [DirectiveNode] {
    var directives: [DirectiveNode] = []
    while token.kind == .at {
      let start = here
      try advance()
      let name = try name("of a directive")
      let arguments = token.kind == .openParenthesis ? try arguments(isConstant: isConstant) : []
      directives.append(DirectiveNode(name: name, arguments: arguments, position: start))
    }
    return directives
  }

  mutating func type() throws(SyntaxError) -> TypeNode {
    let start = here
    var type: TypeNode
    if try take(.openBracket) {
      try enter()
      type = .list(try self.type(), position: start)
      leave()
      try expect(.closeBracket, "behind the type in a list")
    } else {
      type = .named(try name("of a type"))
    }
    if try take(.exclamation) { type = .nonNull(type) }
    return type
  }
}
