import GraphQL
import Testing

/// What rules say, and how far they look.
@Suite(.timeLimit(.minutes(1))) struct `A rule at its bounds` {
  @Test(arguments: [
    (
      "query($a: Int) { many(filter: {need: {it: $a}}) }",
      "The variable $a has the type Int, but Int! is wanted here. Make it Int!, or give it a default."
    ),
    (
      "query($a: String) { human(id: $a) { name } }",
      "The variable $a has the type String, but ID is wanted here. Make it ID."
    ),
    ("mutation { a }", "The schema has no mutations."),
    (
      "{ many(filter: {unit: \"PHON\"}) }",
      "The enumeration \"Unit\" wants a name, not a string. Write it without quotes."
    ),
    (
      "{ many(filter: {unit: \"X\"}) }",
      "The enumeration \"Unit\" wants one of its names, not a string. There are DECIBEL, PHON."
    ),
    ("{ many(filter: true) }", "The type \"Filter\" wants an object, not true. Write { … }."),
    ("{ many(filter: false) }", "The type \"Filter\" wants an object, not false. Write { … }."),
    (
      "{ cat { ...F } } fragment F on DogOrHuman { __typename }",
      "The fragment \"F\" is on \"DogOrHuman\", and no \"Cat\" is one. Remove it."
    ),
    (
      "{ dog { ... on Cat { meows } } }", "This fragment is on \"Cat\", and no \"Dog\" is one. Remove it."
    ),
  ])
  func `says what is wrong, and what to do`(text: String, sentences: String) throws {
    #expect(try `A rule`.errors(text).map(\.sentences) == [sentences])
  }

  private func errors(_ text: String, _ schema: String) throws -> [GraphQLError] {
    GraphQLValidation.errors(
      in: try GraphQLParser.parse(GraphQLSource(text)), try GraphQLSchema([GraphQLSource(schema)]))
  }

  @Test func `names ten values and three types of those that there are`() throws {
    let names = (0...10).map { "V\($0)" }
    let types = (1...4).map { "type T\($0) implements I { i: Int x: Int }" }.joined(separator: " ")
    let schema =
      "enum E { \(names.joined(separator: " ")) } interface I { i: Int } \(types) type Query { e(v: E): Int i: I }"
    #expect(
      try errors("{ e(v: 1) }", schema).map(\.fix) == ["There are \(names.dropLast().joined(separator: ", "))."])
    #expect(
      try errors("{ i { x } }", schema).map(\.fix) == [
        "Select it inside of ... on T1 { } or ... on T2 { } or ... on T3 { }."
      ])
  }

  @Test func `takes an interface that nothing implements for itself alone`() throws {
    let schema = "interface I { a: Int } interface J { a: Int } type Query { i: I }"
    #expect(try errors("{ i { ... on I { a } } }", schema) == [])
    #expect(try errors("{ i { ... on J { a } } }", schema).map(\.code) == ["PossibleFragmentSpreads"])
  }

  @Test func `looks at overlapping fields of what is within the limits`() throws {
    func codes(_ limits: GraphQLLimits) throws -> [String] {
      try `A rule`.errors("{ dog { a: barks a: volume } }", limits: limits).map(\.code)
    }
    #expect(try codes(GraphQLLimits(depth: 2, fields: 3)) == ["OverlappingFieldsCanBeMerged"])
    #expect(try codes(GraphQLLimits(depth: 2, fields: 2)) == ["Limits"])
    #expect(try codes(GraphQLLimits(depth: 1, fields: 3)) == ["Limits"])
  }

  @Test func `looks at twenty times as many overlapping fields as there may be fields`() throws {
    let types = (0..<40).map { "type T\($0) implements I { a: X }" }.joined(separator: " ")
    let schema = try GraphQLSchema([
      GraphQLSource("interface I { a: X } type X { n: Int } \(types) type Query { i: I }")
    ])
    // The fields of each type are looked at with the 77 that all have: with the way there 3,320 together.
    let shared = (0..<77).map { "s\($0): n" }.joined(separator: " ")
    let own = (0..<40).map { "... on T\($0) { a { x: n } }" }.joined(separator: " ")
    let document = try GraphQLParser.parse(GraphQLSource("{ i { a { \(shared) } \(own) } }"))
    func errors(_ fields: Int) -> [GraphQLError] {
      GraphQLValidation.errors(in: document, schema, limits: GraphQLLimits(fields: fields))
    }
    #expect(errors(166) == [])
    #expect(errors(165).map(\.message) == ["The fields of this selection overlap in too many ways."])
    // Where the selection begins.
    #expect(errors(165).map { $0.locations.map(\.column) } == [[3]])
  }

  @Test func `points at the first definition that is too many`() throws {
    let text = "{ dog { barks } } fragment A on Dog { name } fragment B on Dog { name }"
    let errors = try `A rule`.errors(text, limits: GraphQLLimits(definitions: 1))
    #expect(errors.map { $0.locations.map(\.column) } == [[19]])
  }

  @Test func `puts errors in the order of their sources, and then of their lines`() throws {
    let sources = [
      GraphQLSource("query A {\n\n nope nope2 }", name: "z"), GraphQLSource("query B { nope }", name: "a"),
    ]
    let schema = try GraphQLSchema([GraphQLSource("type Query { q: Int }")])
    let errors = GraphQLValidation.errors(in: GraphQLParser.read(sources).document, schema)
    #expect(errors.map { $0.locations.first?.description } == ["z:3:2", "z:3:7", "a:1:11"])
    // Of several places of an error, the first one counts.
    #expect(
      try self.errors("query($a: Int, $b: Int, $a: Int) { q }", "type Query { q: Int }").map(\.code)
        == ["NoUnusedVariables", "NoUnusedVariables", "UniqueVariableNames", "NoUnusedVariables"])
  }
}
