import GraphQL
import JSON
import Testing

/// Each bound at its last value and at the one behind it.
@Suite(.timeLimit(.minutes(1))) struct `A bound of GraphQL` {
  private func errors(_ texts: [String], _ limits: GraphQLLimits) -> [String] {
    GraphQLParser.read(texts.enumerated().map { GraphQLSource($1, name: "\($0)") }, limits: limits).errors
      .map(\.description)
  }

  private func validation(_ text: String, _ limits: GraphQLLimits) throws -> [String] {
    let schema = try GraphQLSchema([GraphQLSource(`A rule`.text)])
    let document = try GraphQLParser.parse(GraphQLSource(text, name: "q"), limits: .sources)
    return GraphQLValidation.errors(in: document, schema, limits: limits).map(\.message)
  }

  @Test func `counts the bytes of all texts together, not their characters`() {
    let texts = ["{ a } # é", "{ b }"]
    #expect(errors(texts, GraphQLLimits(bytes: 15)) == [])
    #expect(errors(texts, GraphQLLimits(bytes: 14)) == ["1:1:1: The text has more than 14 bytes."])
    #expect(errors(texts, GraphQLLimits(bytes: 9)) == ["0:1:1: The text has more than 9 bytes."])
  }

  @Test func `counts the tokens of all texts together, and no comments`() {
    // Its end is a token of each text.
    let texts = ["{ a } # b c", "{ d(e: 1) }"]
    #expect(errors(texts, GraphQLLimits(tokens: 13)) == [])
    #expect(errors(texts, GraphQLLimits(tokens: 12)).map { $0.hasSuffix("more than 12 tokens.") } == [true])
    #expect(errors(texts, GraphQLLimits(tokens: 3)).first?.hasPrefix("0:1:") == true)
  }

  @Test(
    arguments: [
      ("{ a }", 1), ("{ a { b } }", 2), ("{ a { b { c } } d { e } }", 3), ("{ a { ... { b } } }", 3),
      ("{ a(b: [1]) }", 2), ("{ a(b: [[1], [2]]) }", 3), ("{ a(b: {c: {d: [1]}}) }", 4),
      ("query($a: [[Int]]) { a }", 2), ("type A { a(b: [[Int!]!]!): [Int] }", 2),
    ] as [(String, Int)])
  func `counts how deep a text is nested`(text: String, depth: Int) {
    #expect(errors([text], GraphQLLimits(depth: depth)) == [])
    let refused = errors([text], GraphQLLimits(depth: depth - 1))
    #expect(refused.map { $0.hasSuffix("nested deeper than \(depth - 1) levels.") } == [true], "\(refused)")
    // What comes after it counts from the beginning.
    #expect(errors(["{ a(b: ) }", text, text], GraphQLLimits(depth: depth)).count == 1)
  }

  @Test func `has bounds of its own`() {
    #expect(GraphQLLimits.deepest == 200 && GraphQLLimits(depth: 201).depth == 200)
    var limits = GraphQLLimits(depth: 200, errors: 0)
    #expect(limits.depth == 200 && limits.errors == 1)
    limits.depth = 1_000
    #expect(limits.depth == 200)
    limits.depth = 3
    #expect(limits.depth == 3)
    #expect(GraphQLLimits(bytes: .max).bytes == Int(Int32.max))
  }

  @Test func `counts fields and levels with fragments put in, wherever they are spread`() throws {
    let text = "{ human { ...F } other: human { ...F } } fragment F on Human { name friend { name } }"
    // Two fields, and three for each spread.
    #expect(try validation(text, GraphQLLimits(depth: 3, fields: 8)) == [])
    #expect(
      try validation(text, GraphQLLimits(depth: 3, fields: 7)) == [
        "This selects more than 7 fields when its fragments are put in."
      ])
    #expect(
      try validation(text, GraphQLLimits(depth: 2, fields: 8)) == [
        "This is nested deeper than 2 levels when its fragments are put in."
      ])
    // What stands at one place is said in the order of the rules.
    #expect(
      try validation(text, GraphQLLimits(depth: 2, fields: 7)) == [
        "This selects more than 7 fields when its fragments are put in.",
        "This is nested deeper than 2 levels when its fragments are put in.",
      ])
  }

  private func variables(_ given: JSONObject, _ limits: GraphQLLimits) async throws -> [String] {
    try await `An execution`.run(
      "query($f: Filter, $g: [Genre!]) { movies(filter: $f, order: $g) { id } }",
      given, limits: limits
    ) { _ in .value([]) }.errors.map(\.message)
  }

  @Test func `counts the values of variables`() async throws {
    // The list and its elements, each also as what may not be null.
    let given: JSONObject = ["g": ["DRAMA", "COMEDY"]]
    #expect(try await variables(given, GraphQLLimits(steps: 5)) == [])
    #expect(try await variables(given, GraphQLLimits(steps: 4)) == ["$g[1]: The variables have more than 4 values."])
    #expect(try await variables(given, GraphQLLimits(steps: 2)).count == 1, "said once")
  }

  @Test func `counts how deep a variable's value is nested`() async throws {
    let given: JSONObject = ["f": ["and": [["and": [["eq": "a"]]]]]]
    #expect(try await variables(given, GraphQLLimits(depth: 5)) == [])
    #expect(
      try await variables(given, GraphQLLimits(depth: 4)) == [
        "$f.and[0].and[0].eq: The value is nested deeper than 4 levels."
      ])
  }

  @Test func `counts what is answered`() async throws {
    func errors(_ steps: Int) async throws -> [String] {
      try await `An execution`.run("{ a: fails b: fails c: fails }", limits: GraphQLLimits(steps: steps)) { _ in
        .value(1)
      }.errors.map(\.message)
    }
    var least = 0
    while try await !errors(least).isEmpty, least < 100 { least += 1 }
    #expect(least >= 3 && least < 100)
    for steps in 0..<least { #expect(try await errors(steps) == ["The response has more than \(steps) values."]) }
    #expect(try await errors(least) == [])
  }
}

/// The values of variables: what is missing, null or of another shape.
@Suite(.timeLimit(.minutes(1))) struct `The value of a variable of GraphQL` {
  private static let text = """
    type Query { a(b: In): Int }
    input In { n: Int! d: Int! = 4 l: [Int!] s: String = "x" i: In e: E }
    enum E { ONE TWO }
    """

  private func coerced(_ declaration: String, _ given: JSONObject) throws -> JSONObject {
    let schema = try GraphQLSchema([GraphQLSource(Self.text)])
    let document = try GraphQLParser.parse(GraphQLSource("query(\(declaration)) { a }"))
    let operation = try #require(document.operations.first)
    return try operation.values(of: given, schema, document.sources, limits: GraphQLLimits())
  }

  @Test(
    arguments: [
      ("$v: Int", [:], [:]), ("$v: Int", ["v": .null], ["v": .null]), ("$v: Int = 3", [:], ["v": 3]),
      ("$v: Int = 3", ["v": .null], ["v": .null]), ("$v: Int = 3", ["v": 5], ["v": 5]), ("$v: Int! = 3", [:], ["v": 3]),
      ("$v: [Int]", ["v": 1], ["v": [1]]), ("$v: [[Int]]", ["v": 1], ["v": [[1]]]), ("$v: [Int]", ["v": []], ["v": []]),
      ("$v: [Int]", ["v": [1, .null]], ["v": [1, .null]]), ("$v: [Int]", ["v": .null], ["v": .null]),
      ("$v: In", ["v": ["n": 1]], ["v": ["n": 1, "d": 4, "s": "x"]]),
      ("$v: In", ["v": ["n": 1, "d": 2, "s": .null, "l": 3]], ["v": ["n": 1, "d": 2, "s": .null, "l": [3]]]),
      (
        "$v: In", ["v": ["n": 1, "i": ["n": 2, "e": "TWO"]]],
        ["v": ["n": 1, "i": ["n": 2, "e": "TWO", "d": 4, "s": "x"], "d": 4, "s": "x"]]
      ),
      ("$v: E, $w: E", ["w": "ONE", "other": 1], ["w": "ONE"]),
    ] as [(String, JSONObject, JSONObject)])
  func `is what was given, or its default`(declaration: String, given: JSONObject, expected: JSONObject) throws {
    #expect(try coerced(declaration, given) == expected)
  }

  @Test(
    arguments: [
      ("$v: Int!", [:], "$v: The variable is missing."), ("$v: Int!", ["v": .null], "$v: null is not a value"),
      ("$v: [Int!]", ["v": [1, .null]], "$v[1]: null is not a value"),
      ("$v: Int! = 3", ["v": .null], "$v: null is not"),
      ("$v: In", ["v": [:]], "$v.n: The field is missing."),
      ("$v: In", ["v": 1], "$v: The type \"In\" wants an object"),
      ("$v: In", ["v": ["n": 1, "d": .null]], "$v.d: null is not a value"),
      ("$v: In", ["v": ["n": 1, "i": ["n": 1, "l": [1, "a"]]]], "$v.i.l[1]: "),
      ("$v: E", ["v": "THREE"], "$v: There is no value \"THREE\""),
      ("$v: E", ["v": 1], "$v: The enumeration \"E\" wants"),
      ("$v: In", ["v": ["n": 1, "m": 1]], "$v.m: There is no such field in the type \"In\"."),
      ("$v: Int = \"a\"", [:], "$v: An Int is a whole number"),
      ("$v: Nope", ["v": 1], "$v: There is no type \"Nope\"."),
    ] as [(String, JSONObject, String)])
  func `is refused at its place`(declaration: String, given: JSONObject, message: String) throws {
    let errors = try #require(throws: GraphQLErrors.self) { try coerced(declaration, given) }
    #expect(errors.errors.map { $0.message.hasPrefix(message) } == [true], "\(errors.errors)")
  }

  /// The standard library calls the sign of Kelvin a K.
  @Test func `has the names of the schema to the byte, and so has what is answered`() async throws {
    let schema = try GraphQLSchema([
      GraphQLSource("type Query { a(b: In, e: E): E } input In { K: Int! = 1 } enum E { OK }")
    ])
    func errors(_ given: JSONObject) throws -> [String] {
      let document = try GraphQLParser.parse(GraphQLSource("query($b: In, $e: E) { a(b: $b, e: $e) }"))
      do throws(GraphQLErrors) {
        return try GraphQLRequest(document, schema, variables: given).variables.keys
      } catch { return error.errors.map(\.message) }
    }
    #expect(try errors(["b": ["K": 2], "e": "OK"]) == ["b", "e"])
    #expect(try errors(["e": "O\u{212A}"]) == ["$e: There is no value \"O\u{212A}\" in the enumeration \"E\"."])
    #expect(try errors(["b": ["\u{212A}": 2]]) == ["$b.\u{212A}: There is no such field in the type \"In\"."])
    let response = try await GraphQLExecution().run(
      GraphQLSource("{ a }"), on: schema, root: GraphQLClosure { _ in .value("O\u{212A}") })
    #expect(response.errors.count == 1 && response.json["data"] == ["a": .null])
  }
}

/// Where something stands, for people.
@Suite(.timeLimit(.minutes(1))) struct `A place in a text of GraphQL` {
  private func place(_ text: String, _ offset: Int) -> String {
    let place = GraphQLSource(text, name: "a").location(of: offset)
    return "\(place.line):\(place.column)"
  }

  @Test func `is a line, however it ends, and a column`() {
    let places = (0...11).map { place("ab\r\nc\rd\n\n\ré", $0) }
    #expect(places == ["1:1", "1:2", "1:3", "1:4", "2:1", "2:2", "3:1", "3:2", "4:1", "5:1", "6:1", "6:2"])
    #expect(place("ab", 2) == "1:3" && place("ab", 9) == "1:3" && place("ab", -1) == "1:1" && place("", 0) == "1:1")
    #expect(place("\r", 1) == "2:1" && place("a\r\n", 3) == "2:1")
  }

  @Test func `leaves out a byte order mark, and only at the beginning`() {
    #expect(place("\u{FEFF}ab", 3) == "1:1" && place("\u{FEFF}ab", 4) == "1:2" && place("\u{FEFF}ab", 0) == "1:1")
    #expect(place("a\n\u{FEFF}b", 5) == "2:2")
  }

  @Test func `counts characters in a line of 4,096 bytes, and scalars in a longer one`() {
    for (count, column) in [(1_365, 1_366), (1_366, 2_733)] {
      let line = String(repeating: "e\u{301}", count: count)
      #expect(place(line, line.utf8.count) == "1:\(column)")
    }
    let line = String(repeating: "é", count: 2_048)
    #expect(place(line, 4_096) == "1:2049" && place(line + "é", 4_098) == "1:2050")
  }

  @Test(
    arguments: [
      ("0", .integer("0")), ("-0", .integer("-0")), ("10", .integer("10")), ("0.0", .float("0.0")),
      ("1e5", .float("1e5")),
      ("1E-05", .float("1E-05")), ("-1.50e+0", .float("-1.50e+0")),
    ] as [(String, ValueNode.Kind)])
  func `has a number as it was written`(text: String, value: ValueNode.Kind) throws {
    #expect(try `A parser of GraphQL`.value(text) == value)
  }

  @Test(arguments: [
    ("-", 2, "lacks a digit"), ("1.", 3, "lacks a digit"), ("1e", 3, "lacks a digit"), ("1e+", 4, "lacks a digit"),
    ("1.5e-", 6, "lacks a digit"), ("00", 1, "does not begin with a 0"), ("-01", 1, "does not begin with a 0"),
    ("1.2.3", 4, "followed by"), ("1_", 2, "followed by"), ("1a", 2, "followed by"), ("0x1", 2, "followed by"),
    ("1", 2, "not the end of the text"), ("1.5", 4, "not the end of the text"), ("1e5", 4, "not the end of the text"),
    (".5", 1, "A single dot"), ("+1", 1, "cannot stand here"),
  ])
  func `is that of what is wrong with a number, also at the end of the text`(text: String, column: Int, words: String) {
    let before = "{a(b:"
    let error = GraphQLParser.read([GraphQLSource(before + text)]).errors.first
    #expect(error?.message.contains(words) == true, "\(error?.description ?? "none")")
    #expect(error?.locations.first?.column == before.count + column)
  }

  @Test(
    arguments: [
      ("query($a: Int = 1) { list(ids: [$a]) }", nil), ("query($a: Int = null) { list(ids: [$a]) }", 1),
      ("query($a: [Int!]!) { list(ids: $a) }", nil), ("query($a: [Int!] = [1]) { list(ids: $a) }", nil),
      ("query($a: [Int!]) { list(ids: $a) }", 1), ("query($a: [Int!]!) { list(ids: [$a]) }", 1),
      ("query($a: Int!) { many(ratio: 1, filter: {size: $a}) }", nil),
      ("query($a: Int) { many(filter: {size: $a}) }", nil),
      ("query($a: Int) { many(filter: {need: {it: $a}}) }", 1),
      ("query($a: Int = 1) { many(filter: {need: {it: $a}}) }", nil),
      ("query($a: Boolean) { any @skip(if: $a) }", 1), ("query($a: Boolean!) { any @include(if: $a) }", nil),
      ("query($a: Filter!) { many(filter: $a) }", nil), ("query($a: Filter!) { many(filter: {and: [$a]}) }", nil),
      ("query($a: Filter) { many(filter: {and: [$a]}) }", 1), ("query($a: Filter!) { many(filter: {and: $a}) }", 1),
    ] as [(String, Int?)])
  func `takes a variable whose type is a part of what is wanted`(text: String, errors: Int?) throws {
    let found = try `A rule`.errors(text).map(\.code)
    #expect(found == [String](repeating: "VariablesInAllowedPosition", count: errors ?? 0))
  }
}
