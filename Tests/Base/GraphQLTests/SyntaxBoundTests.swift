import Testing

@testable import GraphQL

/// Where a text ends, and where reading goes on behind a mistake.
@Suite(.timeLimit(.minutes(1))) struct `A text of GraphQL` {
  /// What is read of a text that has other bytes behind it in memory.
  private func read(_ text: String, before rest: String) -> GraphQLParser.Result {
    var bytes = Array((text + rest).utf8)
    bytes.removeLast(rest.utf8.count)
    return GraphQLParser.read([GraphQLSource(bytes: bytes)])
  }

  @Test(arguments: [
    ("{ a }", "%"), ("scalar A", "B"), ("{ a } # c", "\u{1}"), ("{a(b:\"abc", "\""), ("{a(b:\"\\u{41", "}\""),
    ("{a(b:1", ".5"), ("{a(b:1", "e5"), ("{a(b:-", "5"), ("{a(b:1", "a"), ("{a(b:\"\"\"a", "\"\"\""),
  ])
  func `ends where its bytes end, whatever stands behind them`(text: String, rest: String) {
    let (found, expected) = (read(text, before: rest), read(text, before: ""))
    #expect(found.document.definitions == expected.document.definitions)
    #expect(found.errors == expected.errors)
  }

  @Test func `has no character that begins with a byte of the middle`() {
    for bytes in [[0x80, 0x80], [0xBF, 0xBF], [0xC1, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]] {
      let length: Int? = Lexer.withLexer(bytes) { lexer in try? lexer.scalarLength(0) }
      #expect(length == nil, "\(bytes)")
    }
    let length: Int? = Lexer.withLexer([0xC2, 0x80]) { lexer in try? lexer.scalarLength(0) }
    #expect(length == 2)
  }

  @Test(
    arguments: [
      // At the beginning of a line, though a brace is open.
      ("query A { a(\nquery B { b }", ["B"]), ("query A { a(\rquery B { b }", ["B"]),
      // Outside of braces, but not at a word inside of them.
      ("query A { a( input: ) } query B { b }", ["B"]), ("query A { a( } { b }", [nil]),
      // Behind a character that has no place there, at once.
      ("{ a } %query B { b }", ["B"]),
      // What was read before is not read again.
      ("query A { a } query B { b } query C { c( } query D { d }", ["A", "B", "D"]),
    ] as [(String, [String?])])
  func `goes on with the next definition behind one mistake`(text: String, names: [String?]) {
    let result = GraphQLParser.read([GraphQLSource(text)])
    #expect(result.errors.map(\.code) == ["Syntax"], "\(result.errors)")
    #expect(result.document.operations.map { $0.name?.text } == names)
  }

  @Test func `goes on behind a mistake that took the last token, and finds none left`() {
    let text = GraphQLSource("{ a( } query B { b }")
    #expect(GraphQLParser.read([text], limits: GraphQLLimits(tokens: 4)).errors.map(\.code) == ["Syntax", "Limits"])
    #expect(GraphQLParser.read([text], limits: GraphQLLimits(tokens: 3)).errors.map(\.code) == ["Limits"])
  }
}
