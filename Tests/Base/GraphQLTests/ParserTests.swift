import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A parser of GraphQL` {
  static func errors(_ text: String, limits: GraphQLLimits = GraphQLLimits()) -> [String] {
    GraphQLParser.read([GraphQLSource(text, name: "a.gql")], limits: limits).errors.map(\.description)
  }

  static func value(_ text: String) throws -> ValueNode.Kind {
    let document = try GraphQLParser.parse(GraphQLSource("{ a(b: \(text)) }"))
    let operation = try #require(document.operations.first)
    guard case .field(let field) = operation.selections[0] else { throw GraphQLErrors([]) }
    return try #require(field.arguments["b"]).kind
  }

  @Test(
    arguments: [
      (#""a""#, "a"), (#""\u0041\u{1F600}\n\/""#, "A😀\n/"), (#""\uD83D\uDE00""#, "😀"), (#""""#, ""),
      (#""""""""#, ""), (#""""a\"""b""""#, "a\"\"\"b"), ("\"\"\"\n  a\n    b\n\n  c\n\"\"\"", "a\n  b\n\nc"),
      ("\"\"\"  a\n    b\n   c\"\"\"", "  a\n b\nc"), ("\"\"\"\r\n a\r b\n\"\"\"", "a\nb"), (#""é\\""#, "é\\"),
      (#""\u{10FFFF}\uDBFF\uDFFF\uD800\uDC00\uD7FF\uE000""#, "\u{10FFFF}\u{10FFFF}\u{10000}\u{D7FF}\u{E000}"),
      (#""\u{0}\u{00000041}\uaBcD""#, "\0A\u{ABCD}"), (#""\"\\\b\f\r\t""#, "\"\\\u{8}\u{C}\r\t"),
      ("\"a\tb\u{7F}\"", "a\tb\u{7F}"),
      ("\"\"\"a\tb\u{7F}\"\"\"", "a\tb\u{7F}"), (#""""a"b""c\n""""#, #"a"b""c\n"#),
      ("\"\"\"a\\\\\"\"\"b\"\"\"", "a\\\"\"\"b"), ("\"\"\"a\\\n  b\"\"\"", "a\\\nb"), ("\"\"\"   \"\"\"", ""),
      ("\"\"\"\n \u{301}a\n \"\"\"", "\u{301}a"), ("\"\"\"\\\"\"\"\u{301}\"\"\"", "\"\"\"\u{301}"),
    ])
  func `gives the value of a string`(text: String, expected: String) throws {
    guard case .string(let value, _) = try Self.value(text) else { throw GraphQLErrors([]) }
    #expect(Array(value.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func `keeps the digits of a number`() throws {
    let digits = String(repeating: "9", count: 5_000)
    #expect(try Self.value(digits) == .integer(digits))
    #expect(try Self.value("-0.5e+400") == .float("-0.5e+400"))
  }

  @Test(arguments: [
    ("{ a", "a.gql:1:4: There should be a field, a fragment or \"}\" in a selection, not the end of the text."),
    ("{ a(b: 'c') }", "a.gql:1:8: Put a string between double quotes. Write \" in place of '."),
    ("{ a(b: 01) }", "a.gql:1:8: A number does not begin with a 0 before other digits."),
    ("{ a(b: 1a) }", "a.gql:1:9: A number is followed by \"a\". Put a space or a comma between them."),
    ("{ a(b: 1.) }", "a.gql:1:10: A number lacks a digit here."),
    ("{ a(b: -) }", "a.gql:1:9: A number lacks a digit here."),
    ("{ é }", "a.gql:1:3: The character \"é\" cannot stand here: names are made of ASCII letters, digits and \"_\"."),
    ("{ \0 }", "a.gql:1:3: The control character U+0000 cannot stand here. Remove it."),
    ("{ . }", "a.gql:1:3: A single dot has no meaning in GraphQL. A fragment is spread with three dots."),
    ("\n\n  quary { a }", "a.gql:3:3: No definition begins with \"quary\". Did you mean query?"),
    ("\u{FEFF}%", "a.gql:1:1: The character \"%\" cannot stand here."),
    ("", "a.gql:1:1: The text defines nothing. Write a query, such as { __typename }."),
    ("{ a(b: \"é\u{301}\" 5) }", "a.gql:1:12: There should be a name of an argument, not a number."),
    ("query($a: Int = $b) { a }", "a.gql:1:17: A variable, here $b, cannot be used in a constant."),
    ("\"a\" query { a }", "a.gql:1:1: Only the definitions of a schema have descriptions. Make it a comment, with #."),
    ("enum A { true }", "a.gql:1:10: A value of an enumeration cannot be called \"true\"."),
    ("extend type A", "a.gql:1:13: This extension of \"A\" adds nothing. Remove it."),
    ("type A {}", "a.gql:1:9: There should be a name of a field, not \"}\"."),
    ("{}", "a.gql:1:2: There should be a field, a fragment or \"}\" in a selection, not \"}\"."),
    ("fragment on on A { a }", "a.gql:1:10: A fragment cannot be called \"on\". Give it a name."),
  ])
  func `says what is wrong, and where`(text: String, expected: String) {
    #expect(Self.errors(text) == [expected])
  }

  @Test(arguments: [
    #""\uD800""#, #""\uDC00\uD800""#, #""\uD800\u0041""#, #""\u{110000}""#, #""\u{}""#, #""\u{D800}""#, #""\u00""#,
    #""\u{FFFFFFFFFFFFFFFFFF}""#, #""\u{41""#, #""\uDC00\uDC00""#, #""\uDBFF\uDBFF""#, #""\uD800\uE000""#,
    #""\uD800\n""#, #""\uD800DC00""#, #""\uD800\uDC0""#,
  ])
  func `refuses an escape that is no character`(text: String) {
    #expect(Self.errors("{ a(b: \(text)) }").first?.contains("This escape is not a Unicode character.") == true)
  }

  /// The last byte of a text is read, and none after it.
  @Test(arguments: [
    ("\"", "1:1: This string does not end on its line."), ("\"a", "1:1: This string does not end on its line."),
    (#""\n"#, "1:1: This string does not end on its line."),
    (#""\u0041"#, "1:1: This string does not end on its line."),
    (#""\u{41}"#, "1:1: This string does not end on its line."),
    ("\"a\n\"", "1:1: This string does not end on its line."),
    (#""\"#, "1:2: There is no such escape in a string."), (#""\x""#, "1:2: There is no such escape in a string."),
    (#""\u"#, "1:2: This escape is not a Unicode character."),
    (#""\u004"#, "1:2: This escape is not a Unicode character."),
    (#""\u{41"#, "1:2: This escape is not a Unicode character."),
    (#""\u{"#, "1:2: This escape is not a Unicode character."),
    (#""\uD800"#, "1:2: This escape is not a Unicode character."),
    (#""\uD800\u"#, "1:2: This escape is not a Unicode character."),
    (#"""""#, "1:1: This block string has no end."), (#"""""a"""#, "1:1: This block string has no end."),
    (#"""""\""""#, "1:1: This block string has no end."), (#"""""\"#, "1:1: This block string has no end."),
    ("\"\"", "1:3: "), (#""""a""""#, "1:8: "), (#""""""""#, "1:7: "), (#""""\"""""""#, "1:11: "),
    ("\"\u{1}\"", "1:2: The control character U+0001 cannot stand here."),
    ("\"\"\"\u{1}\"\"\"", "1:4: The control character U+0001 cannot stand here."),
  ])
  func `ends a string where its text ends`(text: String, expected: String) throws {
    let before = "{a(b:"
    let error = try #require(GraphQLParser.read([GraphQLSource(before + text)]).errors.first)
    let place = try #require(error.locations.first)
    #expect("\(place.line):\(place.column - before.count): \(error.message)".hasPrefix(expected))
  }

  @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]])
  func `refuses what is not UTF-8`(bytes: [UInt8]) {
    for (before, after) in [("{ a(b: \"", "\") }"), ("{ a } #", "\n"), ("{ a(b: \"\"\"", "\"\"\") }"), ("{ ", "}")] {
      let source = GraphQLSource(bytes: Array(before.utf8) + bytes + Array(after.utf8))
      let errors = GraphQLParser.read([source]).errors
      #expect(errors.first?.message == "These bytes are not UTF-8.")
      #expect(errors.first?.locations.first?.column == before.count + 1)
    }
  }

  @Test func `takes variables in the directives of whatever runs, and none in those of types`() {
    for text in ["fragment F on T @include(if: $a) { f }", "{ f @include(if: $a) }", "query @include(if: $a) { f }"] {
      #expect(GraphQLParser.read([GraphQLSource(text, name: "a.gql")]).errors.isEmpty, "\(text)")
    }
    #expect(GraphQLParser.read([GraphQLSource("type T @key(of: $a) { f: Int }", name: "a.gql")]).errors.count == 1)
  }

  @Test func `goes on with the next definition`() throws {
    let text = """
      query A { a( }
      query B { b }
      type C { d }
      "about E"
      type E { f: Int }
      frogment X on Y { z } fragment G on E { f }
      """
    let result = GraphQLParser.read([GraphQLSource(text, name: "a.gql")])
    #expect(result.errors.map { $0.locations[0].line } == [1, 3, 6])
    #expect(result.document.operations.map(\.name?.text) == ["B"])
    #expect(result.document.fragments.map(\.name.text) == ["G"])
    let type = result.document.definitions.compactMap { if case .type(let node) = $0 { node } else { nil } }
    #expect(type.map(\.description?.text) == ["about E"])
  }

  @Test func `gives each source its name`() {
    let sources = [
      GraphQLSource("{ a }", name: "a.gql"), GraphQLSource("\r\n{", name: "b.gql"), GraphQLSource("", name: "c.gql"),
    ]
    let result = GraphQLParser.read(sources)
    #expect(result.document.operations.count == 1)
    #expect(result.errors.map { $0.locations[0].description } == ["b.gql:2:2"])
  }

  @Test(arguments: [
    String(repeating: "{ a ", count: 100_000), "{ a(b: \(String(repeating: "[", count: 100_000)))}",
    "{ a(b: \(String(repeating: "{a:", count: 100_000)))}",
    "query($a: \(String(repeating: "[", count: 100_000)) { a }",
  ])
  func `bounds the depth`(text: String) {
    #expect(Self.errors(text, limits: .sources).first?.contains("nested deeper than 64 levels") == true)
  }

  @Test func `tells places on long lines without counting their characters for each`() {
    let filler = String(repeating: "é", count: 400_000)
    let text = "# \(filler)\r{ a(b: \"\(filler)\" \(String(repeating: "c: 'd' ", count: 5)) } \r\n ' "
    let errors = GraphQLParser.read([GraphQLSource(text)], limits: .sources).errors
    #expect(errors.map { "\($0.locations[0].line):\($0.locations[0].column)" } == ["2:400014"])
  }

  @Test func `bounds bytes, tokens and errors`() {
    #expect(
      Self.errors("{ a b c d }", limits: GraphQLLimits(bytes: 10)) == ["a.gql:1:1: The text has more than 10 bytes."])
    #expect(
      Self.errors("{ a b c d }", limits: GraphQLLimits(tokens: 3)) == ["a.gql:1:7: The text has more than 3 tokens."])
    #expect(Self.errors(String(repeating: "{ a( }\n", count: 1_000), limits: GraphQLLimits(errors: 7)).count == 7)
  }
}
