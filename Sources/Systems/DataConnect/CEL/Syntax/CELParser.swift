/// Reads the words of an expression.
struct CELParser {
  private var lexer: CELLexer
  private(set) var token: CELToken
  private var depth = 0

  init(_ text: String) throws(CELError) {
    lexer = CELLexer(text)
    token = try lexer.next()
  }

  mutating func program() throws(CELError) -> CELNode {
    let node = try expression()
    guard token.kind == .end else { throw unexpected("an operator or the end") }
    return node
  }

  mutating func advance() throws(CELError) { token = try lexer.next() }

  mutating func take(_ symbol: String) throws(CELError) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: String) throws(CELError) {
    if try !take(symbol) { throw unexpected(symbol) }
  }

  func unexpected(_ wanted: String) -> CELError {
    CELError("There is \(token.words) where \(wanted) should stand.", at: token.offset)
  }

  /// - Throws: `CELError` when it has too many levels.
  func node(_ kind: CELNode.Kind, at offset: Int) throws(CELError) -> CELNode {
    let flat = CELNode(kind: kind, offset: offset, height: 1)
    let height = 1 + (flat.operands.map(\.height).max() ?? 0)
    guard height <= CELProgram.depth else { throw tooDeep(offset) }
    return CELNode(kind: kind, offset: offset, height: height)
  }

  private func tooDeep(_ offset: Int) -> CELError {
    CELError("The expression has more than \(CELProgram.depth) levels.", at: offset)
  }

  mutating func expression() throws(CELError) -> CELNode {
    guard depth < CELProgram.depth else { throw tooDeep(token.offset) }
    depth += 1
    defer { depth -= 1 }
    let condition = try operation(above: 0)
    let offset = token.offset
    guard try take("?") else { return condition }
    let one = try operation(above: 0)
    try expect(":")
    return try node(.conditional(condition, one, expression()), at: offset)
  }

  /// An operand and every operator behind it that binds more closely than this.
  private mutating func operation(above precedence: Int) throws(CELError) -> CELNode {
    var left = try unary()
    while case .symbol(let symbol) = token.kind {
      let offset = token.offset
      if let own = ["||": 1, "&&": 2][symbol], own > precedence {
        var operands = [left]
        while try take(symbol) { operands.append(try operation(above: own)) }
        left = try node(own == 1 ? .or(operands) : .and(operands), at: offset)
      } else if let known = CELOperator(rawValue: symbol), known.precedence > precedence {
        try advance()
        left = try node(.binary(known, left, operation(above: known.precedence)), at: offset)
      } else {
        break
      }
    }
    return left
  }

  private mutating func unary() throws(CELError) -> CELNode {
    let offset = token.offset
    for symbol in ["!", "-"] where token.kind == .symbol(symbol) {
      var count = 0
      while try take(symbol) { count += 1 }
      // The least integer has no positive one.
      if symbol == "-", case .int(let magnitude) = token.kind, magnitude == 1 << 63, count % 2 == 1 {
        try advance()
        return try members(of: node(.literal(.int(.min)), at: offset))
      }
      let operand = try members(of: primary())
      if count % 2 == 1 { return try node(symbol == "!" ? .not(operand) : .negative(operand), at: offset) }
      // Two of them ask for the type alone.
      let once = try node(symbol == "!" ? .not(operand) : .negative(operand), at: offset)
      return try node(symbol == "!" ? .not(once) : .negative(once), at: offset)
    }
    return try members(of: primary())
  }
}
