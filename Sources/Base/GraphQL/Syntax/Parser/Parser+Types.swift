extension Parser {
  /// The definition of a type, behind its keyword.
  mutating func typeDefinition(
    _ kind: TypeKind, _ description: DescriptionNode?, _ isExtension: Bool, _ start: SourcePosition
  ) throws(SyntaxError) -> TypeDefinitionNode {
    let name = try name("of a type")
    let interfaces = kind == .object || kind == .interface ? try interfaces() : []
    var node = TypeDefinitionNode(
      isExtension: isExtension, kind: kind, description: description, name: name, interfaces: interfaces,
      directives: try directives(isConstant: true), position: start)
    switch kind {
    case .scalar: break
    case .object, .interface: if token.kind == .openBrace { node.fields = try fields() }
    case .inputObject:
      if token.kind == .openBrace { node.inputs = try inputs(.openBrace, .closeBrace, "of a field") }
    case .union:
      if try take(.equals) {
        _ = try take(.pipe)
        repeat { node.members.append(try self.name("of a member of the union")) } while try take(.pipe)
      }
    case .enumeration: if token.kind == .openBrace { node.values = try enumValues() }
    }
    return node
  }

  private mutating func interfaces() throws(SyntaxError) -> [NameNode] {
    guard try takeKeyword("implements") else { return [] }
    _ = try take(.ampersand)
    var names: [NameNode] = []
    repeat { names.append(try name("of an interface")) } while try take(.ampersand)
    return names
  }

  private mutating func fields() throws(SyntaxError) -> [FieldDefinitionNode] {
    try advance()
    var fields: [FieldDefinitionNode] = []
    repeat {
      let description = try description()
      let name = try name("of a field")
      let arguments =
        token.kind == .openParenthesis ? try inputs(.openParenthesis, .closeParenthesis, "of an argument") : []
      try expect(.colon, "between a field and its type")
      let type = try type()
      fields.append(
        FieldDefinitionNode(
          description: description, name: name, arguments: arguments, type: type,
          directives: try directives(isConstant: true)))
    } while token.kind != .closeBrace
    try advance()
    return fields
  }

  /// Arguments or fields of an input object, between the tokens around them.
  mutating func inputs(
    _ open: Token.Kind, _ close: Token.Kind, _ context: StaticString
  ) throws(SyntaxError) -> [InputValueNode] {
    try expect(open, "here")
    var inputs: [InputValueNode] = []
    repeat {
      let description = try description()
      let name = try name(context)
      try expect(.colon, "between a name and its type")
      let type = try type()
      let value = try take(.equals) ? try value(isConstant: true) : nil
      inputs.append(
        InputValueNode(
          description: description, name: name, type: type, defaultValue: value,
          directives: try directives(isConstant: true)))
    } while token.kind != close
    try advance()
    return inputs
  }

  private mutating func enumValues() throws(SyntaxError) -> [EnumValueNode] {
    try advance()
    var values: [EnumValueNode] = []
    repeat {
      let description = try description()
      let offset = token.start
      let name = try name("of a value")
      if ["true", "false", "null"].contains(name.text) {
        throw SyntaxError(message: "A value of an enumeration cannot be called \(name.text.quoted).", offset: offset)
      }
      values.append(EnumValueNode(description: description, name: name, directives: try directives(isConstant: true)))
    } while token.kind != .closeBrace
    try advance()
    return values
  }
}
