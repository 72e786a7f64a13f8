import Text

extension CELParser {
  /// Parses an operand: an expression without an operator.
  mutating func primary() throws(CELError) -> CELNode {
    let offset = token.offset
    let kind = token.kind
    try advance()
    switch kind {
    case .int(let value):
      guard let value = Int64(exactly: value) else {
        throw CELError("There is no such number, or 64 bits do not hold it.", at: offset)
      }
      return try node(.literal(.int(value)), at: offset)
    case .uint(let value): return try node(.literal(.uint(value)), at: offset)
    case .double(let value): return try node(.literal(.double(value)), at: offset)
    case .string(let value): return try node(.literal(.string(value)), at: offset)
    case .bytes(let value): return try node(.literal(.bytes(value)), at: offset)
    case .symbol("true"): return try node(.literal(.bool(true)), at: offset)
    case .symbol("false"): return try node(.literal(.bool(false)), at: offset)
    case .symbol("null"), .symbol("nil"): return try node(.literal(.null), at: offset)
    case .symbol("("):
      let inner = try expression()
      try expect(")")
      return inner
    case .symbol("["): return try node(.list(list(until: "]")), at: offset)
    case .symbol("{"): return try node(.map(entries()), at: offset)
    case .name(let name):
      if try take("(") {
        if name == "has" { return try has(at: offset) }
        return try call(name, on: nil, at: offset)
      }
      if Self.reserved.contains(name) { throw CELError("\(name) is a word of the language, and no name.", at: offset) }
      return try node(.name(name), at: offset)
    case .end: throw CELError("The expression ends where a value should stand.", at: offset)
    case .symbol(let symbol): throw CELError("There is \(symbol) where a value should stand.", at: offset)
    }
  }

  private static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
    "namespace", "return", "var", "void", "while",
  ]

  /// Members, elements and calls behind a value.
  mutating func members(of value: CELNode) throws(CELError) -> CELNode {
    var value = value
    while true {
      let offset = token.offset
      if try take("[") {
        let index = try expression()
        try expect("]")
        value = try node(.element(value, index), at: offset)
      } else if try take(".") {
        let place = token.offset
        let name: String
        switch token.kind {
        case .name(let word): name = word
        // A member of JSON may be called like a word of the language.
        case .symbol(let word) where word.utf8.allSatisfy(CELLexer.isLetter): name = word
        default: throw unexpected("a name")
        }
        try advance()
        value = try take("(") ? call(name, on: value, at: place) : node(.member(value, name), at: place)
      } else {
        return value
      }
    }
  }

  /// Expressions with commas between them; one more comma may stand at the end.
  private mutating func list(until symbol: String) throws(CELError) -> [CELNode] {
    var nodes: [CELNode] = []
    while try !take(symbol) {
      nodes.append(try expression())
      if try !take(",") {
        try expect(symbol)
        break
      }
    }
    return nodes
  }

  private mutating func entries() throws(CELError) -> [(key: CELNode, value: CELNode)] {
    var entries: [(key: CELNode, value: CELNode)] = []
    while try !take("}") {
      let key = try expression()
      try expect(":")
      entries.append((key, try expression()))
      if try !take(",") {
        try expect("}")
        break
      }
    }
    return entries
  }

  private mutating func has(at offset: Int) throws(CELError) -> CELNode {
    let arguments = try list(until: ")")
    guard arguments.count == 1, case .member(let value, let name) = arguments[0].kind else {
      throw CELError("has() takes one member: has(vars.title).", at: offset)
    }
    return try node(.has(value, name), at: offset)
  }

  private mutating func call(_ name: String, on value: CELNode?, at offset: Int) throws(CELError) -> CELNode {
    let arguments = try list(until: ")")
    if let value, let macro = CELMacro(rawValue: name) {
      guard arguments.count == 2 || (macro == .map && arguments.count == 3),
        case .name(let variable) = arguments[0].kind
      else { throw CELError("\(name)() takes a name and an expression: list.\(name)(x, x > 0).", at: offset) }
      return try node(.macro(macro, range: value, variable: variable, Array(arguments[1...])), at: offset)
    }
    guard let function = CELFunction(rawValue: name) else {
      let names = CELFunction.allCases.map(\.rawValue) + CELMacro.allCases.map(\.rawValue) + ["has"]
      let hint = didYouMean(nearMisses(of: name, in: names)).map { " " + $0 } ?? ""
      throw CELError("There is no function \(name.shownInMessage(limit: 40)).\(hint)", at: offset)
    }
    let operands = (value.map { [$0] } ?? []) + arguments
    guard function.takes(operands.count, isMember: value != nil) else {
      throw CELError("It is called so: \(function.form).", at: offset)
    }
    return try node(.call(function, operands), at: offset)
  }
}
