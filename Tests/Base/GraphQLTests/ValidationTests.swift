import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A rule` {
  static let text = """
    directive @onQuery on QUERY
    directive @check(expr: String = "a") repeatable on QUERY | FIELD | VARIABLE_DEFINITION
    interface Pet { name(surname: Boolean): String! }
    type Dog implements Pet { name(surname: Boolean): String! barks: Boolean volume(unit: Unit = DECIBEL): Int owner: Human }
    type Cat implements Pet { name(surname: Boolean): String! meows: Boolean volume: Int owner: Human lives: String }
    type Human { name: String! pets(first: Int!, filter: Filter): [Pet] friend: Human }
    union DogOrHuman = Dog | Human
    enum Unit { DECIBEL PHON }
    input Filter { name: String size: Int! = 1 unit: Unit and: [Filter!] need: Need }
    input Need { it: Int! }
    scalar Any
    type Query {
      dog: Dog cat: Cat pet: Pet human(id: ID): Human any(it: Any): Any both: DogOrHuman list(ids: [Int!]!): Int
      many(filter: Filter, on: Boolean! = true, ratio: Float): Int
    }
    type Subscription { a: Int b: Int }
    """

  static func errors(_ text: String, limits: GraphQLLimits = GraphQLLimits()) throws -> [GraphQLError] {
    let schema = try GraphQLSchema([GraphQLSource(Self.text)])
    let document = try GraphQLParser.parse(GraphQLSource(text, name: "q.gql"), limits: .sources)
    return GraphQLValidation.errors(in: document, schema, limits: limits)
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    let code: String
    let place: String
    let text: String

    init(_ code: String, _ place: String, _ text: String) { (self.code, self.place, self.text) = (code, place, text) }
    var testDescription: String { "\(code): \(text)" }
  }

  @Test(arguments: [
    Bad("ExecutableDefinitions", "1:19", "{ dog { barks } } type A { a: Int }"),
    Bad("UniqueOperationNames", "1:33", "query A { dog { barks } } query A { cat { meows } }"),
    Bad("LoneAnonymousOperation", "1:1", "{ dog { barks } } query A { cat { meows } }"),
    Bad("OperationTypes", "1:1", "mutation { a }"),
    Bad("SingleFieldSubscriptions", "1:18", "subscription { a b }"),
    Bad("SingleFieldSubscriptions", "1:54", "subscription { a ...F } fragment F on Subscription { c: b }"),
    Bad("SingleFieldSubscriptions", "1:16", "subscription { __typename }"),
    Bad("KnownTypeNames", "1:16", "{ dog { ... on Dgo { barks } } }"),
    Bad("KnownTypeNames", "1:11", "query($a: Nope) { any(it: $a) }"),
    Bad("FragmentsOnCompositeTypes", "1:20", "{ any dog { ... on Unit { a } } }"),
    Bad("VariablesAreInputTypes", "1:11", "query($a: [Dog]) { any(it: [{b: $a}]) }"),
    Bad("ScalarLeafs", "1:3", "{ dog }"), Bad("ScalarLeafs", "1:9", "{ dog { barks { a } } }"),
    Bad("FieldsOnCorrectType", "1:9", "{ dog { meows } }"), Bad("FieldsOnCorrectType", "1:12", "{ dog { a: x } }"),
    Bad("FieldsOnCorrectType", "1:9", "{ pet { barks } }"), Bad("FieldsOnCorrectType", "1:10", "{ both { name } }"),
    Bad("FieldsOnCorrectType", "1:9", "{ dog { __schema { description } } }"),
    Bad("UniqueFragmentNames", "1:55", "{ dog { ...F } } fragment F on Dog { barks } fragment F on Dog { barks }"),
    Bad("KnownFragmentNames", "1:12", "{ dog { ...F } }"),
    Bad("NoUnusedFragments", "1:19", "{ dog { barks } } fragment F on Dog { barks }"),
    Bad("PossibleFragmentSpreads", "1:9", "{ dog { ... on Cat { meows } } }"),
    Bad("PossibleFragmentSpreads", "1:9", "{ cat { ...F } } fragment F on DogOrHuman { __typename }"),
    Bad("NoFragmentCycles", "1:38", "{ dog { ...F } } fragment F on Dog { ...F }"),
    Bad("NoFragmentCycles", "1:65", "{ dog { ...F } } fragment F on Dog { ...G } fragment G on Dog { ...F }"),
    Bad("NoFragmentCycles", "1:43", "{ dog { ...F } } fragment F on Dog { ...G ...F } fragment G on Dog { barks }"),
    Bad("NoFragmentCycles", "1:38", "{ dog { ...F } } fragment F on Dog { ...F ...G } fragment G on Dog { barks }"),
    Bad("UniqueVariableNames", "1:16", "query($a: Any, $a: Any) { any(it: $a) }"),
    Bad("NoUndefinedVariables", "1:11", "{ any(it: $a) }"),
    Bad(
      "NoUndefinedVariables", "1:73",
      "query A { human { ...F } } fragment F on Human { pets(first: 1, filter: $b) { name } }"),
    Bad("NoUnusedVariables", "1:7", "query($a: Int) { any }"),
    Bad("KnownDirectives", "1:7", "{ any @nope }"), Bad("KnownDirectives", "1:7", "{ any @onQuery }"),
    Bad("KnownDirectives", "1:15", "query($a: Any @onQuery) { any(it: $a) }"),
    Bad("UniqueDirectivesPerLocation", "1:23", "{ any @skip(if: true) @skip(if: true) }"),
    Bad("KnownArgumentNames", "1:7", "{ any(ti: 1) }"), Bad("KnownArgumentNames", "1:14", "{ any @check(exp: \"\") }"),
    Bad("UniqueArgumentNames", "1:14", "{ any(it: 1, it: 2) }"),
    Bad("ValuesOfCorrectType", "1:15", "{ many(ratio: \"a\") }"),
    Bad("ValuesOfCorrectType", "1:12", "{ many(on: null) }"),
    Bad("ValuesOfCorrectType", "1:12", "{ many(on: 1) }"), Bad("ValuesOfCorrectType", "1:12", "{ many(on: yes) }"),
    Bad("ValuesOfCorrectType", "1:17", "{ list(ids: [1, 1.5]) }"),
    Bad("ValuesOfCorrectType", "1:13", "{ list(ids: 12345678901) }"),
    Bad("ValuesOfCorrectType", "1:15", "{ many(ratio: 1e999) }"),
    Bad("ValuesOfCorrectType", "1:16", "{ many(filter: 1) }"),
    Bad("ValuesOfCorrectType", "1:17", "{ many(filter: {nmae: \"\"}) }"),
    Bad("ValuesOfCorrectType", "1:23", "{ many(filter: {need: {}}) }"),
    Bad("ValuesOfCorrectType", "1:23", "{ many(filter: {unit: \"PHON\"}) }"),
    Bad("ValuesOfCorrectType", "1:23", "{ many(filter: {unit: PHNO}) }"),
    Bad("ValuesOfCorrectType", "1:23", "{ many(filter: {size: null}) }"),
    Bad("ValuesOfCorrectType", "1:17", "query($a: Int = \"\") { list(ids: [1]) any(it: {a: $a}) }"),
    Bad("ProvidedRequiredArguments", "1:11", "{ human { pets { name } } }"),
    Bad("ProvidedRequiredArguments", "1:7", "{ any @skip }"),
    Bad("VariablesInAllowedPosition", "1:29", "query($a: Int) { list(ids: [$a]) }"),
    Bad("VariablesInAllowedPosition", "1:31", "query($a: [Int]!) { list(ids: $a) }"),
    Bad(
      "VariablesInAllowedPosition", "1:60", "query($a: String) { ...F } fragment F on Query { human(id: $a) { name } }"),
    Bad("OverlappingFieldsCanBeMerged", "1:9", "{ dog { a: barks a: volume } }"),
    Bad("OverlappingFieldsCanBeMerged", "1:9", "{ dog { name name(surname: true) } }"),
    Bad("OverlappingFieldsCanBeMerged", "1:9", "{ dog { name(surname: true) name(surname: false) } }"),
    // Two spellings of an accent are two texts.
    Bad("OverlappingFieldsCanBeMerged", "1:3", "{ any(it: \"\u{E9}\") any(it: \"e\u{301}\") }"),
    Bad("OverlappingFieldsCanBeMerged", "1:22", "{ pet { ... on Dog { a: volume } ... on Cat { a: lives } } }"),
    Bad("OverlappingFieldsCanBeMerged", "1:14", "{ a: human { x: name } a: human { x: friend { name } } }"),
    Bad(
      "OverlappingFieldsCanBeMerged", "1:29", "{ human { ... { a: friend { name } } a: friend { name: __typename } } }"),
    Bad("OverlappingFieldsCanBeMerged", "1:22", "{ pet { ... on Dog { a: name } ... on Cat { a: lives } } }"),
    Bad(
      "OverlappingFieldsCanBeMerged", "1:25",
      "{ both { ... on Human { a: pets(first: 1) { name } } ... on Dog { a: owner { name } } } }"),
    Bad(
      "OverlappingFieldsCanBeMerged", "1:23", "{ both { ... on Dog { a: owner { name } } ... on Human { a: name } } }"),
    Bad("OverlappingFieldsCanBeMerged", "1:3", "{ a: human(id: 1) { name } a: human(id: \"1\") { name } }"),
    Bad("ValuesOfCorrectType", "1:14", "{ list(ids: [null]) }"),
    Bad("ValuesOfCorrectType", "1:13", "{ human(id: 1.5) { name } }"),
    Bad("ValuesOfCorrectType", "1:13", "{ human(id: true) { name } }"),
    Bad("ValuesOfCorrectType", "1:11", "{ any(it: 1e999) }"),
    Bad("ValuesOfCorrectType", "1:11", "{ any(it: [{a: 1e999}]) }"),
    Bad("ValuesOfCorrectType", "1:23", "{ many(filter: {unit: 1}) }"),
    Bad("ValuesOfCorrectType", "1:13", "{ list(ids: 2147483648) }"),
    Bad("ValuesOfCorrectType", "1:13", "{ list(ids: -2147483649) }"),
    Bad("UniqueInputFieldNames", "1:28", "{ many(filter: {name: \"a\", name: \"b\"}) }"),
    Bad("UniqueInputFieldNames", "1:19", "{ any(it: [{a: 1, a: 2}]) }"),
    Bad(
      "UniqueInputFieldNames", "1:32",
      "query($a: Filter = {name: \"a\", name: \"b\"}) { many(filter: $a) }"),
    Bad("FragmentsOnCompositeTypes", "1:24", "{ ...F } fragment F on Unit { a }"),
    Bad("KnownTypeNames", "1:24", "{ ...F } fragment F on Nope { a }"),
    Bad(
      "NoFragmentCycles", "1:48", "fragment F on Dog { ...G } fragment G on Dog { ...F } { dog { ...F } }"),
    // What a cycle comes to is not looked into.
    Bad("NoFragmentCycles", "1:57", "{ dog { ...F a: barks a: volume } } fragment F on Dog { ...F }"),
  ])
  func `refuses`(bad: Bad) throws {
    let errors = try Self.errors(bad.text)
    #expect(errors.map(\.code) == [bad.code], "\(errors)")
    let location = try #require(errors.first?.locations.first)
    #expect("\(location.line):\(location.column)" == bad.place, "\(errors)")
  }

  @Test(arguments: [
    "{ dog { barks } }", "query A { dog { barks } } query B { cat { meows } }", "subscription { a a }",
    "{ pet { name ... on Dog { barks volume(unit: PHON) } ... on Cat { meows volume } } }",
    "{ both { __typename ... on Dog { barks } ... on Human { name } } }",
    "{ __schema { types { name } } __type(name: \"A\") { name } }",
    "query @onQuery { any @check @check(expr: \"b\") }", "query($a: Int @check) { any(it: {a: [$a]}) }",
    "query($a: Int) { any(it: [$a, {b: $a}]) }",
    "query($a: [Int!]!, $b: Int!) { list(ids: $a) x: list(ids: [$b]) y: list(ids: 1) }",
    "query($on: Boolean, $size: Int) { many(on: $on, filter: {size: $size, and: {name: \"a\", and: [{unit: PHON}]}}) }",
    "query($a: Boolean = true) { any @skip(if: $a) }", "{ many(ratio: 1, filter: {name: null}) human(id: 5) { name } }",
    "{ human(id: 123456789012345678901234567890) { name } }", "{ any(it: 123456789012345678901234567890) }",
    "{ dog { ...F ...F } } fragment F on Pet { name ... on Dog { owner { name } } }",
    "{ human { friend { name } friend { friend { name } } } }",
    "{ dog { name(surname: true) ... on Pet { name(surname: true) } } }",
    "{ pet { ... on Dog { a: name } ... on Cat { a: name(surname: true) } } }",
    "{ human { pets(first: 1, filter: {name: \"a\"}) { name } pets(filter: {name: \"a\"}, first: 1) { name } } }",
    "{ list(ids: 2147483647) x: list(ids: -2147483648) }", "{ any(it: [{a: 1e308}]) }",
    "{ pet { ... on Dog { a: owner { name } } ... on Cat { a: owner { name } } } }",
    "query A($x: ID) { ...F } query B($x: ID = 1) { ...F } fragment F on Query { human(id: $x) { name } }",
  ])
  func `accepts`(text: String) throws { #expect(try Self.errors(text) == []) }

  @Test func `says what may have been meant`() throws {
    let errors = try Self.errors(
      "query A($nmae: ID) {\n  dog { bark }\n  humna { name }\n  pet { barks }\n  human(id: $name) { name }\n}")
    #expect(
      errors.map(\.description) == [
        "q.gql:1:9: The variable $nmae is not used. Use it, or remove it.",
        "q.gql:2:9: There is no field \"bark\" in the type \"Dog\". Did you mean barks?",
        "q.gql:3:3: There is no field \"humna\" in the type \"Query\". Did you mean human?",
        "q.gql:4:9: There is no field \"barks\" in the type \"Pet\". Select it inside of ... on Dog { }.",
        "q.gql:5:13: The operation \"A\" has no variable $name. Did you mean nmae?",
      ])
  }

  @Test func `says of a fragment that nobody uses what is wrong in it, too`() throws {
    let errors = try Self.errors("{ dog { barks } } fragment F on Dog { a: barks a: volume }")
    #expect(errors.map(\.code) == ["NoUnusedFragments", "OverlappingFieldsCanBeMerged"])
  }

  @Test func `bounds what fragments come to`() throws {
    let bomb = (0..<40).map { "fragment F\($0) on Human { a: friend { ...F\($0 + 1) } b: friend { ...F\($0 + 1) } }" }
    let text = "{ human { ...F0 } } \(bomb.joined(separator: " ")) fragment F40 on Human { name }"
    let errors = try Self.errors(text)
    #expect(errors.first?.message == "This selects more than 20000 fields when its fragments are put in.")
    #expect(errors.allSatisfy { $0.code == "Limits" })
    let chain = (0..<900).map { "fragment F\($0) on Human { friend { ...F\($0 + 1) } }" }.joined(separator: " ")
    let deep = try Self.errors("{ human { ...F0 } } \(chain) fragment F900 on Human { name }")
    #expect(deep.first?.message == "This is nested deeper than 64 levels when its fragments are put in.")
  }

  @Test func `bounds the number of operations and fragments`() throws {
    let names = (0..<30).map { "F\($0)" }
    let fragments = names.map { "fragment \($0) on Human { name }" }.joined(separator: " ")
    let text = "{ human { \(names.map { "...\($0)" }.joined(separator: " ")) } } \(fragments)"
    let errors = try Self.errors(text, limits: GraphQLLimits(definitions: 30))
    #expect(errors.map(\.message) == ["There are more than 30 operations and fragments."])
    #expect(try Self.errors(text, limits: GraphQLLimits(definitions: 31)) == [])
  }

  @Test func `looks at fields of one name in time that grows with their number`() throws {
    let fields = String(repeating: "name ", count: 9_000)
    #expect(try Self.errors("{ human { \(fields) } }") == [])
    // Each level would double the number of pairs.
    let levels = (0..<30).map { _ in "a: friend { x: name } a: friend { " }.joined()
    #expect(try Self.errors("{ human { \(levels) name \(String(repeating: "}", count: 30)) } }") == [])
  }
}
