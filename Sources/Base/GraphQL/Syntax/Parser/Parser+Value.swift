extension Parser {
  /// - Parameter isConstant: whether variables are refused, as in defaults and in schemas.
  mutating func value(isConstant: Bool) throws(SyntaxError) -> ValueNode {
    let start = here
    return ValueNode(kind: try valueKind(isConstant: isConstant), position: start)
  }

  private mutating func valueKind(isConstant: Bool) throws(SyntaxError) -> ValueNode.Kind {
    let kind: ValueNode.Kind
    switch token.kind {
    case .dollar:
      let offset = token.start
      try advance()
      let name = try name("of a variable")
      if isConstant {
        throw SyntaxError(
          message: "A variable, here $\(name.text.shownInError), cannot be used in a constant.", offset: offset)
      }
      return .variable(name.text)
    case .integer: kind = .integer(lexer.text(token.start, token.end))
    case .float: kind = .float(lexer.text(token.start, token.end))
    case .string, .blockString: kind = .string(lexer.value(of: token), isBlock: token.kind == .blockString)
    case .name: return try word()
    case .openBracket: return .list(try list(isConstant))
    case .openBrace: return .object(try object(isConstant))
    default: throw unexpected("a value", "here")
    }
    try advance()
    return kind
  }

  private mutating func word() throws(SyntaxError) -> ValueNode.Kind {
    let name = try name("of a value")
    switch name.text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default: return .enumeration(name.text)
    }
  }

  private mutating func list(_ isConstant: Bool) throws(SyntaxError) -> [ValueNode] {
    try advance()
    try enter()
    var values: [ValueNode] = []
    while token.kind != .closeBracket {
      if token.kind == .end { throw unexpected("\"]\"", "at the end of a list") }
      values.append(try value(isConstant: isConstant))
    }
    leave()
    try advance()
    return values
  }

  private mutating func object(_ isConstant: Bool) throws(SyntaxError) -> [ArgumentNode] {
    try advance()
    try enter()
    var fields: [ArgumentNode] = []
    while token.kind != .closeBrace {
      let name = try name("of a field, or \"}\"")
      try expect(.colon, "between a field and its value")
      fields.append(ArgumentNode(name: name, value: try value(isConstant: isConstant)))
    }
    leave()
    try advance()
    return fields
  }
}
