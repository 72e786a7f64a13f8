import GraphQL
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A schema` {
  static func schema(_ text: String) throws -> GraphQLSchema {
    try GraphQLSchema([GraphQLSource(text, name: "s.gql")])
  }

  static func errors(_ text: String) -> [GraphQLError] {
    do throws(GraphQLErrors) {
      _ = try GraphQLSchema([GraphQLSource(text, name: "s.gql")])
      return []
    } catch {
      return error.errors
    }
  }

  @Test func `is made of several sources, extensions put in`() throws {
    let schema = try GraphQLSchema([
      GraphQLSource("type Query { a: Int } extend type Movie @x { title: String! }", name: "a.gql"),
      GraphQLSource(
        """
        directive @x on OBJECT
        interface Node { id: ID! }
        type Movie implements Node { id: ID! }
        type Book implements Node { id: ID! }
        union Item = Movie | Book
        extend enum Genre { COMEDY }
        enum Genre { DRAMA }
        """, name: "b.gql"),
    ])
    let movie = try #require(schema.type("Movie"))
    #expect(movie.fields.map(\.name.text) == ["id", "title"])
    #expect(movie.directives["x"] != nil)
    #expect(schema.type("Genre")?.values.map(\.name.text) == ["DRAMA", "COMEDY"])
    #expect(schema.root(.query)?.name == "Query")
    #expect(schema.root(.mutation) == nil)
    #expect(schema.possibleTypes(of: "Node") == ["Movie", "Book"])
    #expect(schema.isPossible("Book", for: "Item"))
    #expect(schema.overlaps("Node", "Item") && !schema.overlaps("Movie", "Book"))
    #expect(schema.typeNames.prefix(3) == ["Query", "Node", "Movie"])
  }

  @Test func `is printed so that it reads back`() throws {
    let text = """
      schema {
        query: Root
      }

      directive @x(a: [Int!] = [1, 2]) repeatable on OBJECT | SCHEMA

      type Root @x(a: 3) @x {
        a(b: In = {c: GREEN}): Int
      }

      input In {
        c: Colour
      }

      enum Colour {
        GREEN
      }
      """
    let printed = GraphQLPrinter.text(of: try Self.schema(text).document)
    #expect(printed == text)
    #expect(GraphQLPrinter.text(of: try Self.schema(printed).document) == printed)
  }

  static let query = "\ntype Query { q: Int }"

  @Test(arguments: [
    ("type A { a: Int }", "RootTypes", "1:1"), ("schema { query: A } enum A { B }", "RootTypes", "1:17"),
    ("schema { query: Nope } type A { a: Int }", "KnownTypeNames", "1:17"),
    ("schema { query: Query mutation: Query }\(query)", "RootTypes", "1:33"),
    ("schema { query: Query query: Query }\(query)", "UniqueOperationTypes", "1:23"),
    ("schema { query: Query } schema { query: Query }\(query)", "LoneSchemaDefinition", "1:25"),
    ("type A { a: Int } enum A { B }\(query)", "UniqueTypeNames", "1:24"),
    ("type A { a: Int a: Int }\(query)", "UniqueFieldDefinitionNames", "1:17"),
    ("input A { a: Int a: Int }\(query)", "UniqueFieldDefinitionNames", "1:18"),
    ("enum A { B B }\(query)", "UniqueEnumValueNames", "1:12"),
    ("union A = Query | Query\(query)", "UniqueUnionMembers", "1:19"),
    ("union A = Int\(query)", "UnionMembers", "1:11"),
    ("type A { a(b: Int, b: Int): Int }\(query)", "UniqueArgumentDefinitionNames", "1:20"),
    ("directive @a on FIELD directive @a on FIELD\(query)", "UniqueDirectiveNames", "1:34"),
    ("directive @a on FIELD | FIELD\(query)", "UniqueDirectiveLocations", "1:25"),
    ("directive @a on FEILD\(query)", "DirectiveLocations", "1:17"),
    ("directive @a(b: Int @a) on ARGUMENT_DEFINITION\(query)", "DirectiveCycles", "1:12"),
    ("directive @a(b: In) on INPUT_FIELD_DEFINITION input In { c: Int @a }\(query)", "DirectiveCycles", "1:12"),
    ("type __A { a: Int }\(query)", "ReservedNames", "1:6"), ("type A { __a: Int }\(query)", "ReservedNames", "1:10"),
    ("enum A { __B }\(query)", "ReservedNames", "1:10"), ("input A { __a: Int }\(query)", "ReservedNames", "1:11"),
    ("type A { a(__b: Int): Int }\(query)", "ReservedNames", "1:12"),
    ("directive @__a on FIELD\(query)", "ReservedNames", "1:12"),
    ("directive @a(__b: Int) on FIELD\(query)", "ReservedNames", "1:14"),
    ("type A implements I & I { a: Int } interface I { a: Int }\(query)", "UniqueInterfaces", "1:23"),
    ("directive @a(b: Int, b: Int) on FIELD\(query)", "UniqueArgumentDefinitionNames", "1:22"),
    ("input A\(query)", "NonEmptyTypes", "1:7"), ("interface A\(query)", "NonEmptyTypes", "1:11"),
    ("union A = Nope\(query)", "KnownTypeNames", "1:11"), ("input A { a: Nope }\(query)", "KnownTypeNames", "1:14"),
    ("type A { a(b: Nope): Int }\(query)", "KnownTypeNames", "1:15"),
    ("directive @a(b: Nope) on FIELD\(query)", "KnownTypeNames", "1:17"),
    ("directive @a(b: Query) on FIELD\(query)", "InputTypes", "1:17"),
    ("input A { a: Int! @deprecated }\(query)", "RequiredInputs", "1:19"),
    ("directive @a(b: Int! @deprecated) on FIELD\(query)", "RequiredInputs", "1:22"),
    ("directive @a(b: E) on ENUM_VALUE enum E { F @a }\(query)", "DirectiveCycles", "1:12"),
    ("directive @a(b: E) on ENUM enum E @a { F }\(query)", "DirectiveCycles", "1:12"),
    ("input A { b: B! } input B { c: C! } input C { a: A! }\(query)", "InputCycles", "1:47"),
    (
      "interface I { a: U } union U = A | B type A { q: Int } type B { q: Int } type C implements I { a: D } type D { q: Int }\(query)",
      "Interfaces", "1:99"
    ),
    ("interface I { a: [Int!] } type A implements I { a: [Int] }\(query)", "Interfaces", "1:52"),
    ("extend schema { mutation: Nope }\(query)", "KnownTypeNames", "1:27"),
    ("type A\(query)", "NonEmptyTypes", "1:6"), ("enum A\(query)", "NonEmptyTypes", "1:6"),
    ("union A\(query)", "NonEmptyTypes", "1:7"), ("type A { a: Nope }\(query)", "KnownTypeNames", "1:13"),
    ("input I { a: Int } type A { a: I }\(query)", "OutputTypes", "1:32"),
    ("input I { a: Query }\(query)", "InputTypes", "1:14"),
    ("type A { a(b: [Query!]): Int }\(query)", "InputTypes", "1:15"),
    ("extend type A { a: Int }\(query)", "PossibleTypeExtensions", "1:13"),
    ("enum A { B } extend type A { a: Int }\(query)", "PossibleTypeExtensions", "1:26"),
    ("input A { b: B! } input B { a: A! }\(query)", "InputCycles", "1:29"),
    ("input A { a: A! }\(query)", "InputCycles", "1:11"),
    ("input A { b: B! } input B { c: C! } input C { b: B! }\(query)", "InputCycles", "1:47"),
    ("input A { b: B! } input B { b: B! }\(query)", "InputCycles", "1:29"),
    ("interface I { a: Int } type A implements I { b: Int }\(query)", "Interfaces", "1:29"),
    ("interface I { a: Int! } type A implements I { a: Int }\(query)", "Interfaces", "1:50"),
    ("interface I { a: [Int] } type A implements I { a: Int }\(query)", "Interfaces", "1:51"),
    ("interface I { a(b: Int): Int } type A implements I { a: Int }\(query)", "Interfaces", "1:54"),
    ("interface I { a(b: Int): Int } type A implements I { a(b: Int!): Int }\(query)", "Interfaces", "1:59"),
    ("interface I { a: Int } type A implements I { a(b: Int!): Int }\(query)", "Interfaces", "1:48"),
    (
      "interface I { a: Int } interface J implements I { a: Int } type A implements J { a: Int }\(query)", "Interfaces",
      "1:78"
    ),
    ("interface I implements I { a: Int }\(query)", "Interfaces", "1:24"),
    ("type A implements Query { q: Int }\(query)", "Interfaces", "1:19"),
    ("type A implements Nope { q: Int }\(query)", "KnownTypeNames", "1:19"),
    ("type A { a(b: Int! @deprecated): Int }\(query)", "RequiredInputs", "1:20"),
    ("type A { a(b: Int = \"c\"): Int }\(query)", "ValuesOfCorrectType", "1:21"),
    ("input I { e: E = C } enum E { D }\(query)", "ValuesOfCorrectType", "1:18"),
    ("type A @nope { a: Int }\(query)", "KnownDirectives", "1:8"),
    ("type A @skip(if: true) { a: Int }\(query)", "KnownDirectives", "1:8"),
    ("type A { a: Int @deprecated @deprecated }\(query)", "UniqueDirectivesPerLocation", "1:29"),
    ("scalar A @specifiedBy\(query)", "ProvidedRequiredArguments", "1:10"),
    ("scalar A @specifiedBy(url: \"a\", uri: \"b\")\(query)", "KnownArgumentNames", "1:33"),
    ("input A { a: A = {} }\(query)", "DefaultValueCycles", "1:11"),
    ("input A { a: B = {} } input B { b: [A] = [{}] }\(query)", "DefaultValueCycles", "1:11"),
    ("input A { a: B = {b: {}} } input B { b: C } input C { d: A = {} }\(query)", "DefaultValueCycles", "1:11"),
    (
      "type A { a(b: In = {c: 1, c: 2}): Int } input In { c: Int }\(query)", "UniqueInputFieldNames", "1:27"
    ),
    ("{ a }\(query)", "ExecutableDefinitions", "1:1"), ("type A {\(query)", "Syntax", "2:6"),
  ])
  func `is refused`(text: String, code: String, place: String) throws {
    let errors = Self.errors(text)
    #expect(errors.map(\.code) == [code], "\(errors)")
    let location = try #require(errors.first?.locations.first)
    #expect("\(location.line):\(location.column)" == place, "\(errors)")
  }

  @Test(arguments: [
    "type Query { q: Int }", "type A { a: Int } schema { query: A }",
    "interface I { a: Item b(c: Int): [I] } type B implements I & J { a: B! b(c: Int, d: Int = 1): [B!]! } interface J { a: Item } union Item = B \(query)",
    "input A { a: A b: [A!]! c: B! = {} } input B { a: A d: Int = 1 }\(query)",
    "scalar Int directive @skip(if: Boolean!) on FIELD\(query)",
    "directive @a(b: In) on FIELD input In { c: Int @deprecated }\(query)",
    "schema @x { query: Query } directive @x on SCHEMA\(query)",
    "scalar Any type A { a(b: Any = {c: [1, D]}): Any }\(query)",
  ])
  func `is accepted`(text: String) { #expect(Self.errors(text) == []) }

  @Test func `reports everything at once, with what may have been meant`() {
    let errors = Self.errors("type Query { a: Moovie b: Strin @deprecatd }\ntype Movie { a: Int a: Int }")
    #expect(
      errors.map(\.description) == [
        "s.gql:2:21: There is more than one field \"a\" in \"Movie\". Remove one, or rename it.",
        "s.gql:1:17: There is no type \"Moovie\". Did you mean Movie?",
        "s.gql:1:27: There is no type \"Strin\". Did you mean String?",
      ])
  }

  @Test(
    arguments: [
      ("input A { b: B! } input B { a: A! }", ["The input types A, B need each other without end."]),
      (
        "input A { b: B! } input B { c: C! } input C { d: C b: B! }",
        ["The input types B, C need each other without end."]
      ),
      (
        "interface I implements J { a: Int } interface J implements I { a: Int }",
        ["\"I\" and \"J\" implement each other.", "\"J\" and \"I\" implement each other."]
      ),
      (
        "interface I { a: Int } interface J implements I { a: Int } type A implements J { a: Int }",
        ["\"A\" does not implement \"I\", which \"J\" implements."]
      ),
      (
        "directive @a(b: Int @c) on ARGUMENT_DEFINITION directive @c(d: Int @a) on ARGUMENT_DEFINITION",
        ["The directive @a is used in its own definition.", "The directive @c is used in its own definition."]
      ),
    ] as [(String, [String])])
  func `says what needs what`(text: String, messages: [String]) {
    #expect(Self.errors(text + Self.query).map(\.message) == messages)
  }

  @Test(arguments: [
    "type Query {\n  a: Int\n}", "\"d\"\nschema {\n  query: Query\n}\n\ntype Query {\n  a: Int\n}",
    "schema @x {\n  query: Query\n}\n\ndirective @x on SCHEMA\n\ntype Query {\n  a: Int\n}",
    "type Query {\n  a: Int\n}\n\ntype Mutation {\n  a: Int\n}\n\ntype Subscription {\n  a: Int\n}",
  ])
  func `is printed with a definition of its own where that says something`(text: String) throws {
    #expect(GraphQLPrinter.text(of: try Self.schema(text).document) == text)
  }

  @Test func `has the types of operations that it names, or else those with the usual names`() throws {
    let types = "type Query { a: Int } type Mutation { a: Int } type Other { a: Int }"
    #expect(try Self.schema(types).roots == [.query: "Query", .mutation: "Mutation"])
    #expect(try Self.schema("schema { query: Query } \(types)").roots == [.query: "Query"])
    #expect(
      try Self.schema("extend schema { mutation: Other } \(types)").roots == [.query: "Query", .mutation: "Other"])
  }

  @Test func `bounds what defaults come to`() {
    let levels = (0..<40).map { "input I\($0) { a: I\($0 + 1) = {} b: I\($0 + 1) = {} }" }.joined(separator: "\n")
    let errors = Self.errors("\(levels)\ninput I40 { a: Int = 1 }\(Self.query)")
    #expect(errors.first?.code == "Limits")
    let chain = (0..<20_000).map { "input I\($0) { a: I\($0 + 1) = {} }" }.joined(separator: "\n")
    #expect(Self.errors("\(chain)\ninput I20000 { a: Int = 1 }\(Self.query)").first?.code == "Limits")
  }

  @Test func `bounds the values and the levels of a default, to the last one`() {
    // The default itself is a value, and each of the fields that it leaves out.
    for (count, codes) in [(9_999, []), (10_000, ["Limits"])] {
      let fields = (0..<count).map { "f\($0): Int = 1" }.joined(separator: " ")
      let text = "input A { a: B = {} } input B { \(fields) }\(Self.query)"
      #expect(Self.errors(text).map(\.code) == codes, "\(count)")
    }
    for (count, codes) in [(199, []), (200, ["Limits"])] {
      let chain = (0..<count).map { "input I\($0) { a: I\($0 + 1) = {} }" }.joined(separator: " ")
      let text = "\(chain) input I\(count) { a: Int = 1 }\(Self.query)"
      #expect(Self.errors(text).map(\.code) == codes, "\(count)")
    }
  }

  @Test func `of a long chain of input types ends`() throws {
    let chain = (0..<20_000).map { "input I\($0) { a: I\($0 + 1)! }" }.joined(separator: "\n")
    #expect(Self.errors("\(chain)\ninput I20000 { a: Int }\(Self.query)") == [])
  }
}
