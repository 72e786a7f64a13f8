import JSON
import TestSupport
import Testing

@testable import GraphQL

/// Tokens and definitions at their bounds.
@Suite(.timeLimit(.minutes(1))) struct `The syntax of GraphQL` {
  private func errors(_ text: String) -> [String] { `A parser of GraphQL`.errors(text) }

  private func isUTF8(_ bytes: [UInt8]) -> Bool {
    let results = [("{ a(b: \"", "\") }"), ("{ a(b: \"\"\"", "\"\"\") }"), ("{ a } #", "")].map { before, after in
      GraphQLParser.read([GraphQLSource(bytes: Array(before.utf8) + bytes + Array(after.utf8))]).errors.map(\.message)
    }
    #expect(Set(results).count == 1)
    #expect(results[0] == [] || results[0] == ["These bytes are not UTF-8."])
    return results[0] == []
  }

  @Test(
    arguments: [
      [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xE1, 0x80, 0x80], [0xEC, 0xBF, 0xBF], [0xED, 0x80, 0x80],
      [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF1, 0x80, 0x80, 0x80],
      [0xF3, 0xBF, 0xBF, 0xBF], [0xF4, 0x80, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
    ] as [[UInt8]])
  func `takes the first and the last character of each length`(bytes: [UInt8]) { #expect(isUTF8(bytes)) }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC1, 0xBF], [0xC2, 0x7F], [0xC2, 0xC0], [0xDF], [0xE0, 0x9F, 0xBF], [0xE0, 0xC0, 0x80],
      [0xE1, 0x7F, 0x80], [0xE1, 0x80, 0x7F], [0xE1, 0x80, 0xC0], [0xE1, 0x80], [0xED, 0xA0, 0x80], [0xED, 0x7F, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0xC0, 0x80, 0x80], [0xF1, 0x80, 0x80, 0x7F], [0xF1, 0x80, 0xC0, 0x80],
      [0xF1, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF4, 0x7F, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func `refuses the bytes beside them`(bytes: [UInt8]) {
    // Bytes that are cut off end where the text ends.
    let source = GraphQLSource(bytes: Array("{ a } #".utf8) + bytes)
    #expect(GraphQLParser.read([source]).errors.map(\.message) == ["These bytes are not UTF-8."])
    #expect(!isUTF8(bytes))
  }

  @Test(arguments: [
    "# a\r{ a }", "# a\n{ a }", "#\t\u{7F}é\n{ a }", "{ a } #", "{ a } # a", "\u{FEFF}{ \u{FEFF}a }", "{,a,,b,}",
    "{ _ _a A9_ }", "{ query mutation fragment on type true null }", "{ a ...on2 }\nfragment on2 on A { a }",
    "{ a: on b(on: on) }", "query query { a }", "{ a(b: [], c: {}) }", "{ a(b: [1 2,,3]) }",
    "{ ... @x { a } ... on A @x { a } ...A @x }", "type A implements & B & C", "union A = | B | C",
    "directive @a on | FIELD | QUERY", "extend schema @a", "extend schema { query: A }", "extend union A = B",
    "extend type A implements B", "extend scalar A @b", "{ a(b: \"\\u{1F600}\") }", "{ a }\u{FEFF}",
    "{ ...an }\nfragment an on A { a }",
  ]) func `is this`(text: String) {
    #expect(errors(text) == [])
  }

  @Test(arguments: [
    ("{ a } #\u{1}", "1:8: The control character U+0001 cannot stand here. Remove it."),
    ("{ a } #\u{1F}", "1:8: The control character U+001F cannot stand here. Remove it."),
    ("{ \u{7F} }", "1:3: The control character U+007F cannot stand here. Remove it."),
    ("{ ..a }", "1:3: A single dot has no meaning in GraphQL. A fragment is spread with three dots."),
    ("{ a ..", "1:5: A single dot has no meaning in GraphQL. A fragment is spread with three dots."),
    ("{ a ~ }", "1:5: The character \"~\" cannot stand here."),
    ("query($a: Int @x(b: $c)) { a }", "1:21: A variable, here $c, cannot be used in a constant."),
    ("type A { a: Int @x(b: [$c]) }", "1:24: A variable, here $c, cannot be used in a constant."),
    ("type A { a(b: Int = {c: $d}): Int }", "1:25: A variable, here $d, cannot be used in a constant."),
    (
      "schema { querry: A }",
      "1:10: There is no kind of operation \"querry\". There are query, mutation and subscription."
    ),
    ("extend schema", "1:14: There should be \"{\" behind \"schema\", not the end of the text."),
    ("schema @a", "1:10: There should be \"{\" behind \"schema\", not the end of the text."),
    (
      "extend directive @a on FIELD",
      "1:8: There is nothing called \"directive\" to extend. Definitions begin with schema, "
        + "scalar, type, interface, union, enum, input."
    ),
    ("extend tpye A { a: Int }", "1:8: There is nothing called \"tpye\" to extend. Did you mean type?"),
    (
      "\"a\" extend type A @b",
      "1:1: An extension has no description. Describe what it extends, or make it a comment, "
        + "with #."
    ),
    (
      "\"a\" fragment F on A { a }",
      "1:1: Only the definitions of a schema have descriptions. Make it a comment, with #."
    ),
    ("\"a\" { a }", "1:5: There should be a definition here, not \"{\"."),
    ("extend union A", "1:14: This extension of \"A\" adds nothing. Remove it."),
    ("enum A { false }", "1:10: A value of an enumeration cannot be called \"false\"."),
    ("enum A { null }", "1:10: A value of an enumeration cannot be called \"null\"."),
    ("{ a(b: [1 ", "1:11: There should be \"]\" at the end of a list, not the end of the text."),
    ("{ a() }", "1:5: There should be a name of an argument, not \")\"."),
    ("{ a(b: {5}) }", "1:9: There should be a name of a field, or \"}\", not a number."),
    ("query() { a }", "1:7: There should be \"$\" before the name of a variable, not \")\"."),
    ("query A", "1:8: There should be \"{\" before what is selected, not the end of the text."),
    ("fragment F { a }", "1:12: There should be \"on\" and a type behind the name of a fragment, not \"{\"."),
    (
      "directive @a repeatable",
      "1:24: There should be \"on\" and locations in a directive's definition, not the end of "
        + "the text."
    ),
    ("{ a(b: [Int!) }", "1:12: There should be a value here, not \"!\"."),
    ("query($a: [Int) { a }", "1:15: There should be \"]\" behind the type in a list, not \")\"."),
    ("{ a @ }", "1:7: There should be a name of a directive, not \"}\"."),
  ]) func `is not this`(text: String, expected: String) { #expect(errors(text) == ["a.gql:" + expected]) }

  @Test func `keeps apart names that have their length and three of their letters in common`() throws {
    let names = ["abcde", "axcye", "abcde", "azcze", "axcye", "ab", "abcde", "a", "aa", "a"]
    let document = try GraphQLParser.parse(GraphQLSource("{ \(names.joined(separator: " ")) }"))
    let found = document.operations[0].selections.map { selection -> String in
      if case .field(let field) = selection { field.name.text } else { "" }
    }
    #expect(found == names)
  }

  @Test func `says which limit was reached, and reads no further then`() {
    func codes(_ text: String, _ limits: GraphQLLimits) -> [String] {
      GraphQLParser.read([GraphQLSource(text), GraphQLSource("{ b( }")], limits: limits).errors.map(\.code)
    }
    #expect(codes("{ a }", GraphQLLimits()) == ["Syntax"])
    #expect(codes("{ a }", GraphQLLimits(bytes: 4)) == ["Limits"])
    #expect(codes("{ a } { b } { c( }", GraphQLLimits(tokens: 4))[0] == "Limits")
    #expect(codes("{ a( } query { b( } query { c }", GraphQLLimits(errors: 2)) == ["Syntax", "Syntax"])
  }

  @Test func `puts arguments and strings on lines of their own behind 80 and 70 characters`() throws {
    // The name, its arguments and the parentheses are 80 characters.
    for (count, isLong) in [(70, false), (71, true)] {
      let value = String(repeating: "é", count: count)
      let printed = try `A printer of GraphQL`.printed("{ abc(d: \"\(value)\") }")
      let long = "{\n  abc(\n    d: \"\(value)\"\n  )\n}"
      #expect(printed == (isLong ? long : "{\n  abc(d: \"\(value)\")\n}"))
    }
    for (count, isLong) in [(70, false), (71, true)] {
      let value = String(repeating: "é", count: count)
      let printed = try `A printer of GraphQL`.printed("\"\"\"\(value)\"\"\" scalar A")
      #expect(printed == (isLong ? "\"\"\"\n\(value)\n\"\"\"\nscalar A" : "\"\"\"\(value)\"\"\"\nscalar A"))
    }
  }
}

/// Where a directive may stand: at the places that its definition names, and nowhere else.
@Suite(.timeLimit(.minutes(1))) struct `A place of a directive` {
  private static let executable: [(location: String, text: String)] = [
    ("QUERY", "query @d { a }"), ("MUTATION", "mutation @d { a }"), ("SUBSCRIPTION", "subscription @d { a }"),
    ("FIELD", "{ a @d }"), ("FRAGMENT_DEFINITION", "{ ...F } fragment F on Query @d { a }"),
    ("FRAGMENT_SPREAD", "{ ...F @d } fragment F on Query { a }"), ("INLINE_FRAGMENT", "{ ... on Query @d { a } }"),
    ("VARIABLE_DEFINITION", "query($v: Int @d) { a(b: $v) }"),
  ]
  private static let system: [(location: String, text: String)] = [
    ("SCHEMA", "schema @d { query: Query }"), ("SCALAR", "scalar S @d"), ("OBJECT", "type T @d { a: Int }"),
    ("FIELD_DEFINITION", "type T { a: Int @d }"), ("ARGUMENT_DEFINITION", "type T { a(b: Int @d): Int }"),
    ("INTERFACE", "interface T @d { a: Int }"), ("UNION", "union T @d = Query"), ("ENUM", "enum T @d { A }"),
    ("ENUM_VALUE", "enum T { A @d }"), ("INPUT_OBJECT", "input T @d { a: Int }"),
    ("INPUT_FIELD_DEFINITION", "input T { a: Int @d }"), ("ARGUMENT_DEFINITION", "directive @e(a: Int @d) on FIELD"),
  ]
  private static let locations = (executable + system).map(\.location)

  private static func schema(_ location: String, _ more: String) throws(GraphQLErrors) -> GraphQLSchema {
    try GraphQLSchema([GraphQLSource("directive @d on \(location) type Query { a(b: Int): Int } \(more)")])
  }

  @Test func `is each of those that there are`() {
    #expect(Set(Self.locations) == Set(BuiltIns.locations) && BuiltIns.locations.count == 19)
    #expect(BuiltIns.executableLocations == Self.executable.map(\.location))
  }

  @Test(arguments: try Cases.present(Set(locations).sorted(), least: 18)) func `is one alone`(location: String) throws {
    let schema = try Self.schema(location, "type Mutation { a: Int } type Subscription { a: Int }")
    for (place, text) in Self.executable {
      let document = try GraphQLParser.parse(GraphQLSource(text))
      let messages = GraphQLValidation.errors(in: document, schema).map(\.message)
      #expect(messages == (place == location ? [] : ["The directive @d cannot stand at \(place)."]), "\(text)")
    }
    for (place, text) in Self.system {
      var messages: [String] = []
      do throws(GraphQLErrors) {
        _ = try Self.schema(location, text)
      } catch { messages = error.errors.map(\.message) }
      #expect(messages == (place == location ? [] : ["The directive @d cannot stand at \(place)."]), "\(text)")
    }
  }
}
