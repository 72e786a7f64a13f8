import GraphQL
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Introspection` {
  static let text = """
    "A library"
    schema { query: Query }
    directive @x(a: Int = 1) repeatable on FIELD | QUERY
    scalar Date @specifiedBy(url: "https://example.com/date")
    "A thing"
    interface Node { id: ID! }
    type Movie implements Node { id: ID! old: Int @deprecated(reason: "new") tags(of: [In!] = [{a: 1}]): [String!]! }
    union Any = Movie
    enum Genre { DRAMA OLD @deprecated }
    input In { a: Int b: Genre = DRAMA }
    type Query { any: Any genre(in: In): Genre date: Date node: Node }
    """

  static func run(_ text: String) async throws -> JSONValue {
    let schema = try GraphQLSchema([GraphQLSource(Self.text)])
    let response = try await GraphQLExecution().run(
      GraphQLSource(text), on: schema, root: GraphQLClosure { _ in .null })
    #expect(response.errors == [])
    return response.json["data"] ?? .null
  }

  @Test func `describes types`() async throws {
    let data = try await Self.run(
      """
      { __type(name: "Movie") { kind name interfaces { name } possibleTypes { name } fields { name
        args { name defaultValue type { kind ofType { kind ofType { name } } } } type { kind name ofType { kind ofType { name } } } } } }
      """)
    #expect(
      data.description
        == #"{"__type":{"kind":"OBJECT","name":"Movie","interfaces":[{"name":"Node"}],"possibleTypes":null,"fields":[{"name":"id","args":[],"type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"SCALAR","ofType":null}}},{"name":"tags","args":[{"name":"of","defaultValue":"[{a: 1}]","type":{"kind":"LIST","ofType":{"kind":"NON_NULL","ofType":{"name":"In"}}}}],"type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"LIST","ofType":{"name":null}}}}]}}"#
    )
  }

  @Test func `tells what is deprecated on demand`() async throws {
    let data = try await Self.run(
      """
      { a: __type(name: "Genre") { enumValues { name } }
        b: __type(name: "Genre") { enumValues(includeDeprecated: true) { name isDeprecated deprecationReason } }
        c: __type(name: "Movie") { fields(includeDeprecated: true) { deprecationReason } }
        d: __type(name: "Nope") { name } e: __type(name: "Date") { specifiedByURL } f: __type(name: "Any") { possibleTypes { name } } }
      """)
    #expect(data["a"]?["enumValues"]?.arrayValue?.count == 1)
    #expect(
      data["b"]?["enumValues"]?[1]
        == ["name": "OLD", "isDeprecated": true, "deprecationReason": "No longer supported"])
    #expect(data["c"]?["fields"]?[1]?["deprecationReason"] == "new")
    #expect(data["d"] == .null)
    #expect(data["e"]?["specifiedByURL"] == "https://example.com/date")
    #expect(data["f"]?["possibleTypes"] == [["name": "Movie"]])
  }

  @Test func `tells which arguments and input fields are deprecated, on demand`() async throws {
    let schema = try GraphQLSchema([
      GraphQLSource(
        """
        directive @x(f: Int @deprecated, g: Int) on FIELD
        input I { d: Int @deprecated e: Int }
        type Query { a(b: Int @deprecated(reason: "r"), c: I): Int }
        """)
    ])
    let parts = "(includeDeprecated: true) { name isDeprecated deprecationReason }"
    let response = try await GraphQLExecution().run(
      GraphQLSource(
        """
        { __type(name: "Query") { fields { few: args { name } all: args\(parts) } }
          other: __type(name: "I") { few: inputFields { name } all: inputFields\(parts) }
          __schema { directives { few: args { name } all: args\(parts) isRepeatable } } }
        """), on: schema, root: GraphQLClosure { _ in .null })
    let data = response.json["data"]
    let (field, directive) = (data?["__type"]?["fields"]?[0], data?["__schema"]?["directives"]?[0])
    for (part, old, reason, new) in [
      (field, "b", "r", "c"), (data?["other"], "d", "No longer supported", "e"),
      (directive, "f", "No longer supported", "g"),
    ] {
      let few: JSONValue = [["name": .string(new)]]
      let all: JSONValue = [
        ["name": .string(old), "isDeprecated": true, "deprecationReason": .string(reason)],
        ["name": .string(new), "isDeprecated": false, "deprecationReason": .null],
      ]
      #expect(part?["few"] == few && part?["all"] == all, "\(new)")
    }
    #expect(directive?["isRepeatable"] == false && response.errors == [])
  }

  @Test(
    arguments: [
      ("Node", "INTERFACE", ["fields", "interfaces", "possibleTypes"]), ("Movie", "OBJECT", ["fields", "interfaces"]),
      ("Any", "UNION", ["possibleTypes"]), ("Genre", "ENUM", ["enumValues"]), ("In", "INPUT_OBJECT", ["inputFields"]),
      ("Date", "SCALAR", ["specifiedByURL"]), ("Int", "SCALAR", []),
    ] as [(String, String, [String])])
  func `gives each kind of type the parts that it has`(name: String, kind: String, parts: [String]) async throws {
    let data = try await Self.run(
      """
      { __type(name: "\(name)") { fields { name } interfaces { name } possibleTypes { name } enumValues { name }
        inputFields { name } specifiedByURL kind } }
      """)
    let type = try #require(data["__type"]?.objectValue)
    #expect(type.filter { !$0.value.isNull }.map(\.key) == parts + ["kind"])
    #expect(type["kind"] == .string(kind))
  }

  @Test func `describes the schema`() async throws {
    let data = try await Self.run(
      """
      { __schema { description queryType { name } mutationType { name } types { name kind }
        directives { name isRepeatable locations args { name } } } __typename }
      """)
    let schema = try #require(data["__schema"])
    #expect(schema["description"] == "A library")
    #expect(schema["queryType"] == ["name": "Query"])
    #expect(schema["mutationType"] == .null)
    let types = schema["types"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    #expect(Set(["Movie", "Int", "__Type", "__DirectiveLocation", "In"]).isSubset(of: types))
    #expect(types.count == Set(types).count)
    #expect(
      schema["directives"]?[0]
        == ["name": "x", "isRepeatable": true, "locations": ["FIELD", "QUERY"], "args": [["name": "a"]]])
    #expect(schema["directives"]?.arrayValue?.count == 5)
    #expect(data["__typename"] == "Query")
  }
}
