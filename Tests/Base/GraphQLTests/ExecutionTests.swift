import GraphQL
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An execution` {
  static let text = """
    directive @check(expr: String! = "true") on FIELD
    directive @redact on FIELD
    scalar Int64
    interface Node { id: ID! }
    type Movie implements Node { id: ID! title: String! genre: Genre rating: Float next: Movie need: Movie! tags: [String!] size: Int64 }
    type Person implements Node { id: ID! name: String }
    union Any = Movie | Person
    enum Genre { DRAMA COMEDY }
    input Filter { eq: String in: [Genre!] limit: Int! = 10 and: [Filter!] }
    type Query {
      movie: Movie node: Node any: [Any] movies(filter: Filter, order: [Genre!], ids: [ID]): [Movie!]! echo(text: String = "d", n: Int): String
      fails: Int must: Int!
    }
    type Mutation { one: Int! two: Int! three: Int }
    type Subscription { tick: Int }
    """

  static func schema() throws -> GraphQLSchema {
    let exact = GraphQLScalar(
      input: { value throws(GraphQLError) in
        if let number = value.integerValue { return .integer(number) }
        guard let number = value.stringValue.flatMap(Int64.init) else {
          throw GraphQLError("An Int64 is a whole number of 64 bits.")
        }
        return .integer(number)
      },
      output: { value throws(GraphQLError) in .string(String(value.integerValue ?? 0)) })
    return try GraphQLSchema([GraphQLSource(text)], scalars: ["Int64": exact])
  }

  static func run(
    _ text: String, _ variables: JSONObject = [:], limits: GraphQLLimits = GraphQLLimits(),
    execution: GraphQLExecution = GraphQLExecution(),
    _ body: @escaping @Sendable (GraphQLField) async throws -> GraphQLResult
  ) async throws -> GraphQLResponse {
    try await execution.run(
      GraphQLSource(text, name: "q"), on: try schema(), variables: variables, limits: limits, root: GraphQLClosure(body)
    )
  }

  static let movie: JSONValue = [
    "__typename": "Movie", "id": 7, "title": "Ran", "genre": "DRAMA", "rating": 8, "tags": ["a", "b"],
    "size": .integer(.max),
  ]

  /// The members of objects in their order, which equality does not see.
  static func text(_ response: GraphQLResponse) -> String { response.json.description }

  @Test func `answers in the order of the selection, with aliases and fragments`() async throws {
    let response = try await Self.run(
      "{ movie { title ...F id other: rating size tags genre } } fragment F on Node { __typename id }"
    ) { _ in .value(Self.movie) }
    #expect(
      Self.text(response)
        == #"{"data":{"movie":{"title":"Ran","__typename":"Movie","id":"7","other":8,"size":"9223372036854775807","tags":["a","b"],"genre":"DRAMA"}}}"#
    )
  }

  @Test func `finds the types of objects behind interfaces and unions`() async throws {
    let response = try await Self.run(
      "{ node { id ... on Movie { title } } any { __typename ... on Person { name } ... on Node { id } } }"
    ) { field in
      field.name == "node"
        ? .value(Self.movie)
        : .list([.value(["__typename": "Person", "id": "p", "name": "Kurosawa"]), .null, .value(["id": 1])])
    }
    #expect(
      Self.text(response)
        == #"{"errors":[{"message":"The value of \"any\" does not say which of the types of \"Any\" it is.","#
        + #""locations":[{"line":1,"column":38}],"path":["any",2]}],"data":{"node":{"id":"7","title":"Ran"},"#
        + #""any":[{"__typename":"Person","name":"Kurosawa","id":"p"},null,null]}}"#)
  }

  @Test func `gives resolvers coerced arguments and what is selected below`() async throws {
    let response = try await Self.run(
      """
      query($eq: String, $none: Int, $g: [Genre!] = COMEDY, $skip: Boolean!) {
        movies(filter: {eq: $eq, limit: $none, and: {in: $g}}, order: DRAMA, ids: [1, "b", null]) {
          id @skip(if: $skip) name: title ... on Node { __typename } next @check(expr: "x") { title }
        }
      }
      """, ["skip": true, "unknown": 1]
    ) { field in
      #expect(
        field.arguments.description
          == #"{"filter":{"and":[{"in":["COMEDY"],"limit":10}],"limit":10},"order":["DRAMA"],"ids":["1","b",null]}"#)
      let below = field.selection()
      #expect(below.map(\.responseName) == ["name", "__typename", "next"])
      #expect(below[2].directives == [GraphQLField.Directive(name: "check", arguments: ["expr": "x"])])
      #expect(below[2].selection().map(\.name) == ["title"])
      return .selected([["name": "Ran", "next": ["title": "Ikiru"]]])
    }
    #expect(
      Self.text(response) == #"{"data":{"movies":[{"name":"Ran","__typename":"Movie","next":{"title":"Ikiru"}}]}}"#)
  }

  @Test(
    arguments: [
      (
        ["f": ["and": [["in": ["DRAMA", "X"]]]]], #"$f.and[0].in[1]: There is no value "X" in the enumeration "Genre"."#
      ),
      (
        ["f": ["limit": 2_147_483_648]],
        "$f.limit: An Int is a whole number from -2147483648 to 2147483647, not 2147483648."
      ),
      (["f": ["limits": 1]], #"$f.limits: There is no such field in the type "Filter". Did you mean limit?"#),
      (["f": ["limit": .null]], "$f.limit: null is not a value of the type Int!."),
      (["f": "a"], #"$f: The type "Filter" wants an object, not "a"."#),
      ([:], "$f: The variable is missing. Give it a value of the type Filter!."),
      (["f": ["eq": 1]], "$f.eq: A String is a string, not 1."),
      (["f": ["eq": true]], "$f.eq: A String is a string, not true."),
    ] as [(JSONObject, String)])
  func `refuses variables with their paths`(variables: JSONObject, message: String) async throws {
    let response = try await Self.run("query($f: Filter!) { movies(filter: $f) { id } }", variables) { _ in .null }
    #expect(response.errors.map(\.sentences) == [message])
    #expect(response.data == .none)
    #expect(response.errors[0].locations.map(\.description) == ["q:1:7"])
  }

  @Test func `reports everything that is wrong with variables`() async throws {
    let response = try await Self.run(
      "query($f: Filter!, $n: Int) { movies(filter: $f) { id } echo(n: $n) }",
      ["f": ["eq": 1, "limit": "a"], "n": 1.5]
    ) { _ in .null }
    #expect(response.errors.count == 3)
  }

  @Test func `puts null where a field fails, and goes up where it cannot be null`() async throws {
    let response = try await Self.run(
      "{ a: movie { title next { next { title } } } b: movie { id need { id } } fails any { ... on Movie { id } } }"
    ) { field in
      switch field.responseName {
      case "a": return .value(["title": "t", "next": ["next": ["id": 1]]])
      case "b": return .value(["id": 1, "need": ["title": "x"]])
      case "fails": throw GraphQLError("Out of order.", extensions: ["code": "E1"])
      default: return .list([.failure(GraphQLError("Gone.")), .value(Self.movie)])
      }
    }
    #expect(
      Self.text(GraphQLResponse(data: response.data))
        == #"{"data":{"a":{"title":"t","next":{"next":null}},"b":null,"fails":null,"any":[null,{"id":"7"}]}}"#)
    #expect(
      response.errors.map(\.json.description) == [
        #"{"message":"Movie.title cannot be null, but has no value.","locations":[{"line":1,"column":34}],"path":["a","next","next","title"]}"#,
        #"{"message":"Movie.id cannot be null, but has no value.","locations":[{"line":1,"column":67}],"path":["b","need","id"]}"#,
        #"{"message":"Out of order.","locations":[{"line":1,"column":74}],"path":["fails"],"extensions":{"code":"E1"}}"#,
        #"{"message":"Gone.","locations":[{"line":1,"column":80}],"path":["any",0]}"#,
      ])
  }

  @Test func `loses all data with a root field that cannot be null, unless told otherwise`() async throws {
    let text = "mutation { one two three }"
    @Sendable func resolve(_ field: GraphQLField) throws -> GraphQLResult {
      if field.name == "two" { throw GraphQLError("No.") }
      return .value(1)
    }
    let whole = try await Self.run(text) { try resolve($0) }
    #expect(Self.text(whole).hasSuffix(#""path":["two"]}],"data":null}"#))
    let within = try await Self.run(text, execution: GraphQLExecution(rootFailure: .staysWithin)) { try resolve($0) }
    #expect(Self.text(within).hasSuffix(#""data":{"one":1,"two":null,"three":1}}"#))
  }

  @Test func `asks about fields with directives`() async throws {
    let execution = GraphQLExecution { field, value in
      if field.directives.contains(where: { $0.name == "redact" }) { return .omit }
      if value.isNull { throw GraphQLError("Denied: \(field.directives[0].arguments["expr"]?.stringValue ?? "")") }
      return .keep
    }
    let response = try await Self.run(
      "{ movie { title @redact id @check rating next @check(expr: \"n\") { id } } }", execution: execution
    ) {
      _ in .value(["title": "t", "id": "i"])
    }
    #expect(
      Self.text(response)
        == #"{"errors":[{"message":"Denied: n","locations":[{"line":1,"column":42}],"path":["movie","next"]}],"data":{"movie":{"id":"i","rating":null,"next":null}}}"#
    )
  }

  @Test func `puts null where a directive refuses, and goes up where the field cannot be null`() async throws {
    let execution = GraphQLExecution { field, _ in throw GraphQLError("No \(field.name).") }
    let response = try await Self.run(
      "{ a: movie { id title @check } b: movie { rating @check id } must @check }", execution: execution
    ) { field in .value(field.name == "must" ? 1 : Self.movie) }
    #expect(Self.text(GraphQLResponse(data: response.data)) == #"{"data":null}"#)
    #expect(response.errors.map(\.message) == ["No title.", "No rating.", "No must."])
    #expect(
      response.errors.map(\.path) == [
        [.name("a"), .name("title")], [.name("b"), .name("rating")], [.name("must")],
      ])
    let within = try await Self.run(
      "{ a: movie { id title @check } b: movie { rating @check id } }", execution: execution
    ) { _ in .value(Self.movie) }
    #expect(Self.text(GraphQLResponse(data: within.data)) == #"{"data":{"a":null,"b":{"rating":null,"id":"7"}}}"#)
  }

  @Test func `checks what resolvers give`() async throws {
    let response = try await Self.run("{ movie { genre rating tags size next { id } } echo }") { field in
      field.name == "echo" ? .value(["a"]) : .value(["genre": "HORROR", "rating": "high", "tags": "a", "next": 5])
    }
    #expect(
      response.errors.map(\.message) == [
        #""HORROR" is not a value of the enumeration "Genre"."#, #"A Float is a number, not "high"."#,
        #"The field "tags" is a list, but its value is none."#,
        #"The field "next" is a Movie, but its value is not an object."#,
        "A String is a string, not a list.",
      ])
  }

  @Test func `bounds its steps and its errors`() async throws {
    let many = JSONValue.array(Array(repeating: Self.movie, count: 1_000))
    let response = try await Self.run("{ movies { id title } }", limits: GraphQLLimits(steps: 100)) { _ in .value(many)
    }
    #expect(response.errors.map(\.message) == ["The response has more than 100 values."])
    let failures = GraphQLResult.list((0..<1_000).map { .failure(GraphQLError("\($0)")) })
    #expect(
      try await Self.run("{ any { __typename } }", limits: GraphQLLimits(errors: 5)) { _ in failures }.errors.count == 5
    )
  }

  @Test func `ends when its task is cancelled`() async throws {
    let task = Task {
      try await Self.run("{ a: echo b: echo }") { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return .null
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `chooses the operation`() async throws {
    let source = GraphQLSource("query A { echo } query B { b: echo }")
    let root = GraphQLClosure { field in .value(.string(field.responseName)) }
    let schema = try Self.schema()
    let chosen = try await GraphQLExecution().run(source, on: schema, operation: "B", root: root)
    #expect(Self.text(chosen) == #"{"data":{"b":"b"}}"#)
    let none = try await GraphQLExecution().run(source, on: schema, root: root)
    #expect(none.errors.map(\.message) == ["The document has several operations, and none was chosen."])
    let wrong = try await GraphQLExecution().run(source, on: schema, operation: "C", root: root)
    #expect(wrong.errors.map(\.code) == ["Operation"])
  }

  static func nested(_ open: String, _ middle: String, _ close: String, _ count: Int) -> String {
    String(repeating: open, count: count) + middle + String(repeating: close, count: count)
  }

  @Test(arguments: [
    "{ movie \(nested("{ next ", "{ title }", "}", 190)) }",
    "{ movie { ... on Movie \(nested("{ ... ", "{ title }", "}", 190)) } }",
    "{ movies(filter: \(nested("{and:", "{limit: 1}", "}", 190))) { title } }",
    "query($a: \(nested("[", "Filter", "]", 190))) { movies(filter: $a) { title } }",
    "query($f: Filter) { movies(filter: $f) { title } }",
  ])
  func `takes what is as deep as limits can be`(text: String) async throws {
    var (filter, movie): (JSONValue, JSONValue) = (["limit": 1], ["title": "t"])
    for _ in 0..<190 { (filter, movie) = (["and": filter], ["title": "t", "next": movie]) }
    let answer = movie
    let response = try await Self.run(text, ["f": filter], limits: GraphQLLimits(depth: 1_000)) { field in
      .value(field.name == "movie" ? answer : [answer])
    }
    let errors = response.errors.map(\.code)
    #expect(errors == [] || errors == ["VariablesInAllowedPosition"])
    let deeper = try await Self.run(text, ["f": filter], limits: GraphQLLimits(depth: 90)) { _ in .null }
    #expect(deeper.errors.first?.message.contains("deeper than 90 levels") == true)
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `has what is not skipped and is included, wherever that is said`(skip: Bool, include: Bool) async throws {
    let words = "@skip(if: $s) @include(if: $i)"
    let text = """
      query($s: Boolean!, $i: Boolean = false) {
        always: echo a: echo \(words) ...F \(words) ... on Query \(words) { c: echo } movie { id title \(words) }
      } fragment F on Query { b: echo }
      """
    let response = try await Self.run(text, ["s": .bool(skip), "i": .bool(include)]) { field in
      .value(field.name == "movie" ? Self.movie : .string("e"))
    }
    let data = try #require(response.json["data"]?.objectValue)
    let isThere = include && !skip
    #expect(data.map(\.key) == (isThere ? ["always", "a", "b", "c", "movie"] : ["always", "movie"]))
    #expect(data["movie"]?.objectValue?.map(\.key) == (isThere ? ["id", "title"] : ["id"]))
    // Where the value of the variable is its default.
    let other = try await Self.run(text, ["s": false]) { _ in .value("e") }
    #expect(other.json["data"]?.objectValue?["a"] == nil)
  }

  @Test func `has a fragment that was left out in one place, and is spread in another`() async throws {
    let text =
      "{ ...F @skip(if: true) b: echo ...F ...F movie { ...G @include(if: false) ...G } } "
      + "fragment F on Query { a: echo } fragment G on Node { id }"
    let response = try await Self.run(text) { field in .value(field.name == "movie" ? Self.movie : "e") }
    #expect(Self.text(response) == #"{"data":{"b":"e","a":"e","movie":{"id":"7"}}}"#)
  }

  @Test func `refuses null for what cannot be null, though it has a default`() async throws {
    let text = "query($n: Int) { movies(filter: {limit: $n}) { id } echo }"
    @Sendable func resolve(_ field: GraphQLField) -> GraphQLResult {
      field.name == "echo" ? .value("e") : .value([])
    }
    for variables in [[:], ["n": 3]] as [JSONObject] {
      let response = try await Self.run(text, variables) { resolve($0) }
      #expect(response.errors == [])
    }
    let asked = try await Self.run(text, ["n": .null], execution: GraphQLExecution(rootFailure: .staysWithin)) {
      resolve($0)
    }
    #expect(
      Self.text(asked)
        == #"{"errors":[{"message":"The argument \"filter\" is wrong: The variable $n cannot be null here.","#
        + #""locations":[{"line":1,"column":18}],"path":["movies"]}],"data":{"movies":null,"echo":"e"}}"#)
  }

  @Test func `has no operation to choose where there is none`() throws {
    let schema = try Self.schema()
    func message(_ text: String, _ name: String?) throws -> [String] {
      let document = try GraphQLParser.parse(GraphQLSource(text))
      do throws(GraphQLErrors) {
        return [try GraphQLRequest(document, schema, operation: name).operation.name?.text ?? "-"]
      } catch { return error.errors.map(\.sentences) }
    }
    #expect(try message("fragment F on Movie { id }", nil) == ["The document has no operation."])
    #expect(try message("fragment F on Movie { id }", "A") == ["The document has no operation \"A\"."])
    #expect(try message("{ echo }", nil) == ["-"] && message("query A { echo }", nil) == ["A"])
    #expect(try message("{ echo }", "A") == ["The document has no operation \"A\"."])
    #expect(try message("query Abc { echo }", "Abd") == ["The document has no operation \"Abd\". Did you mean Abc?"])
    #expect(
      try message("{ a: echo } { b: echo }", nil)
        == ["The document has several operations, and none was chosen. Name one of them."])
  }

  @Test func `of a subscription answers one event`() async throws {
    let response = try await Self.run("subscription { tick }") { _ in .value(3) }
    #expect(Self.text(response) == #"{"data":{"tick":3}}"#)
  }
}
