extension Parser {
  /// Reads all definitions. After an error the parser continues with the next keyword that begins a definition.
  mutating func document(into definitions: inout [DefinitionNode], _ errors: inout ErrorList, index: UInt32) {
    var start = 0
    var isAtStart = true
    while !errors.isFull {
      do throws(SyntaxError) {
        if isAtStart {
          try advance()
          if token.kind == .end, definitions.isEmpty, errors.errors.isEmpty, errors.sources.count == 1 {
            throw SyntaxError(
              message: "The text defines nothing.", fix: "Write a query, such as { __typename }.", offset: 0)
          }
          isAtStart = false
        }
        start = token.start
        if token.kind == .end { return }
        definitions.append(try definition())
      } catch {
        let place = SourcePosition(source: index, offset: UInt32(truncatingIfNeeded: error.offset))
        errors.add(error.message, fix: error.fix, code: tokensLeft < 0 ? "Limits" : "Syntax", at: place)
        guard tokensLeft >= 0, let next = nextDefinition(behind: start) else { return }
        restart(at: next)
        (start, isAtStart) = (next, true)
      }
    }
  }

  /// Where the next definition begins: a keyword at the beginning of a line or outside of all braces, and the
  /// description before it. `nil` when there is none.
  private mutating func nextDefinition(behind start: Int) -> Int? {
    restart(at: start)
    var (braces, isFirst, description): (Int, Bool, Int?) = (0, true, nil)
    var last = Token.Kind.end
    while true {
      guard let token = try? lexer.next() else {
        // What cannot be cut is passed over.
        guard lexer.at < lexer.end else { return nil }
        lexer.at = max(lexer.at, start) + 1
        continue
      }
      if token.kind == .end { return nil }
      let isOutside = braces <= 0 || isFirstOfLine(token.start)
      switch token.kind {
      case .openBrace where braces == 0 && last == .closeBrace: return token.start
      case .openBrace: braces += 1
      case .closeBrace: braces -= 1
      case .name where !isFirst && isOutside && Self.keywords.contains(lexer.text(token.start, token.end)):
        return description ?? token.start
      default: break
      }
      let isString = token.kind == .string || token.kind == .blockString
      description = isString && isOutside ? token.start : nil
      // The keyword behind a description belongs to the definition that failed.
      isFirst = isFirst && isString
      last = token.kind
    }
  }

  private func isFirstOfLine(_ offset: Int) -> Bool {
    offset == 0 || lexer.byte(offset - 1) == 0x0A || lexer.byte(offset - 1) == 0x0D
  }

  static var keywords: [String] {
    [
      "query", "mutation", "subscription", "fragment", "schema", "scalar", "type", "interface", "union", "enum",
      "input", "directive", "extend",
    ]
  }

  private mutating func definition() throws(SyntaxError) -> DefinitionNode {
    let start = here
    if token.kind == .openBrace {
      let selections = try selectionSet()
      return .operation(
        OperationNode(
          kind: .query, name: nil, variables: [], directives: [], selections: selections, position: start))
    }
    let description = try description()
    guard token.kind == .name else { throw unexpected("a definition", "here") }
    let word = lexer.text(token.start, token.end)
    switch word {
    case "query", "mutation", "subscription", "fragment":
      if let description {
        throw SyntaxError(
          message: "Only the definitions of a schema have descriptions.", fix: "Make it a comment, with #.",
          offset: Int(description.position.offset))
      }
      if word == "fragment" { return .fragment(try fragment(start)) }
      return .operation(try operation(OperationKind(rawValue: word) ?? .query, start))
    case "extend":
      if let description {
        throw SyntaxError(
          message: "An extension has no description.", fix: "Describe what it extends, or make it a comment, with #.",
          offset: Int(description.position.offset))
      }
      try advance()
      return try systemDefinition(nil, isExtension: true, start)
    default: return try systemDefinition(description, isExtension: false, start)
    }
  }

  /// The text before a definition, if there is one.
  mutating func description() throws(SyntaxError) -> DescriptionNode? {
    guard token.kind == .string || token.kind == .blockString else { return nil }
    let description = DescriptionNode(
      text: lexer.value(of: token), isBlock: token.kind == .blockString, position: here)
    try advance()
    return description
  }
}
