import Text

extension Parser {
  /// A definition of a schema, at its keyword.
  mutating func systemDefinition(
    _ description: DescriptionNode?, isExtension: Bool, _ start: SourcePosition
  ) throws(SyntaxError) -> DefinitionNode {
    guard token.kind == .name else { throw unexpected("a definition", "here") }
    let word = lexer.text(token.start, token.end)
    if word == "schema" { return .schema(try schema(description, isExtension, start)) }
    if word == "directive" && !isExtension { return .directive(try directiveDefinition(description, start)) }
    guard let kind = TypeKind.allCases.first(where: { $0.keyword == word }) else {
      let words = isExtension ? ["schema"] + TypeKind.allCases.map(\.keyword) : Self.keywords
      throw SyntaxError(
        message: isExtension
          ? "There is nothing called \(word.quoted) to extend." : "No definition begins with \(word.quoted).",
        fix: suggestion(for: word, among: words)
          ?? "Definitions begin with \(words.joined(separator: ", "))\(isExtension ? "" : " or {").",
        offset: token.start)
    }
    try advance()
    let offset = token.start
    let node = try typeDefinition(kind, description, isExtension, start)
    if isExtension, node.isEmpty {
      throw SyntaxError(
        message: "This extension of \(node.name.text.quoted) adds nothing.", fix: "Remove it.", offset: offset)
    }
    return .type(node)
  }

  private mutating func schema(
    _ description: DescriptionNode?, _ isExtension: Bool, _ start: SourcePosition
  ) throws(SyntaxError) -> SchemaNode {
    try advance()
    let directives = try directives(isConstant: true)
    var operations: [RootTypeNode] = []
    if !isExtension || token.kind == .openBrace || directives.isEmpty {
      try expect(.openBrace, "behind \"schema\"")
      repeat {
        let (position, offset) = (here, token.start)
        let word = try name("of a kind of operation").text
        guard let kind = OperationKind(rawValue: word) else {
          throw SyntaxError(
            message: "There is no kind of operation \(word.quoted).",
            fix: "There are query, mutation and subscription.", offset: offset)
        }
        try expect(.colon, "between a kind of operation and its type")
        operations.append(RootTypeNode(kind: kind, type: try name("of a type"), position: position))
      } while token.kind != .closeBrace
      try advance()
    }
    return SchemaNode(
      isExtension: isExtension, description: description, directives: directives, operations: operations,
      position: start)
  }

  private mutating func directiveDefinition(
    _ description: DescriptionNode?, _ start: SourcePosition
  ) throws(SyntaxError) -> DirectiveDefinitionNode {
    try advance()
    try expect(.at, "before the name of a directive")
    let name = try name("of a directive")
    let arguments =
      token.kind == .openParenthesis ? try inputs(.openParenthesis, .closeParenthesis, "of an argument") : []
    let isRepeatable = try takeKeyword("repeatable")
    guard try takeKeyword("on") else { throw unexpected("\"on\" and locations", "in a directive's definition") }
    _ = try take(.pipe)
    var locations: [NameNode] = []
    repeat { locations.append(try self.name("of a directive's location")) } while try take(.pipe)
    return DirectiveDefinitionNode(
      description: description, name: name, arguments: arguments, isRepeatable: isRepeatable, locations: locations,
      position: start)
  }
}

extension TypeDefinitionNode {
  /// Whether there is nothing in it but its name.
  var isEmpty: Bool {
    interfaces.isEmpty && directives.isEmpty && fields.isEmpty && inputs.isEmpty && members.isEmpty && values.isEmpty
  }
}
