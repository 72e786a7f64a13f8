import GraphQL
import JSON
import Testing

/// What an execution does at its bounds: of lists, errors, directives, depth and the end of its task.
@Suite(.timeLimit(.minutes(1))) struct `An execution at its bounds` {
  @Test func `puts in fragments of no type, and tells resolvers of no directive that selects`() async throws {
    let text =
      "{ ... { a: echo @skip(if: false) @check(expr: \"y\") @include(if: true) } ... @include(if: true) { b: echo } }"
    let response = try await `An execution`.run(text) { field in
      let check = GraphQLField.Directive(name: "check", arguments: ["expr": "y"])
      #expect(field.directives == (field.responseName == "a" ? [check] : []))
      return .value("e")
    }
    #expect(`An execution`.text(response) == #"{"data":{"a":"e","b":"e"}}"#)
  }

  @Test(arguments: [(255, false), (256, true)])
  func `looks at each 256th element of a list whether its task was cancelled`(count: Int, ends: Bool) async {
    let task = Task {
      try await `An execution`.run("{ movies { title } }") { _ in
        .list(
          (0..<count).map { index in
            .object(
              GraphQLClosure { _ in
                if index == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                return .value("t")
              })
          })
      }
    }
    switch await task.result {
    case .success(let response): #expect(!ends && response.errors == [])
    case .failure(let error): #expect(ends && error is CancellationError)
    }
  }

  @Test func `tells of a resolver that was cancelled alone, and ends with its own task`() async throws {
    let response = try await `An execution`.run("{ echo }") { _ in throw CancellationError() }
    #expect(response.errors.map(\.message) == ["CancellationError()"])
    #expect(response.errors.map(\.path) == [[.name("echo")]])
    let task = Task {
      try await `An execution`.run("{ echo }") { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        throw CancellationError()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  private struct LongError: Error, CustomStringConvertible {
    let description = "a" + String(repeating: "é", count: 999) + "z"
  }

  @Test func `tells 1,000 characters of an error, and eight places of a field`() async throws {
    let text = "{ " + String(repeating: "fails ", count: 9) + "}"
    let response = try await `An execution`.run(text) { _ in throw LongError() }
    #expect(response.errors.map(\.message) == ["a" + String(repeating: "é", count: 999)])
    #expect(response.errors.map { $0.locations.map(\.column) } == [(0..<8).map { 3 + 6 * $0 }])
  }

  /// An object whose every field is a list of lists of such objects.
  private struct Nested: GraphQLObject {
    func resolve(_ field: GraphQLField) -> GraphQLResult { .list([.list([.object(Nested())])]) }
  }

  @Test(arguments: [("one", 0), ("list", 1)]) func `nests 400 names and places of lists`(root: String, errors: Int)
    async throws
  {
    let schema = try GraphQLSchema([GraphQLSource("type Query { one: T list: [T] } type T { n: [[T]] }")])
    // Each level is a name and two places, 399 together; the field at the root is one or two.
    let text = "{ \(root) " + `An execution`.nested("{ n ", "{ __typename }", "}", 133) + " }"
    let response = try await GraphQLExecution().run(
      GraphQLSource(text), on: schema, limits: GraphQLLimits(depth: 200),
      root: GraphQLClosure { field in field.name == "one" ? .object(Nested()) : .list([.object(Nested())]) })
    #expect(response.errors.map(\.message) == [String](repeating: "The response is nested too deeply.", count: errors))
    #expect(response.errors.map { $0.path?.count } == [Int?](repeating: 401, count: errors))
  }

  @Test(
    arguments: [
      ("{ a(d: 1, b: {n: 2}, c: [1]) }", nil), ("{ a }", "The argument \"d\" is missing."),
      ("{ a(d: null) }", "The argument \"d\" is wrong: This value cannot be null here."),
      ("{ a(d: 1, b: {}) }", "The argument \"b\" is wrong: The field \"n\" of the type \"In\" is missing."),
      ("{ a(d: 1, b: 5) }", "The argument \"b\" is wrong: The type \"In\" wants an object, not 5."),
      (
        "query($x: Int) { a(d: 1, c: [$x]) }",
        "The argument \"c\" is wrong: An element of the list cannot be null here."
      ),
    ] as [(String, String?)])
  func `refuses the arguments of a document that nobody checked`(text: String, message: String?) throws {
    let schema = try GraphQLSchema([
      GraphQLSource("type Query { a(b: In, c: [Int!], d: Int!): Int } input In { n: Int! }")
    ])
    let request = try GraphQLRequest(try GraphQLParser.parse(GraphQLSource(text)), schema)
    #expect(request.rootFields.map(\.fault?.message) == [message])
  }
}
