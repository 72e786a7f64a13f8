import GraphQL
import Testing

@testable import DataConnectCompiler

/// What the directives of operations are read as.
@Suite(.timeLimit(.minutes(1)))
struct `A rule of an operation` {
  private func operation(_ text: String) throws -> CompiledOperation {
    try #require(try Fixture.connector(text).operations.first)
  }

  /// A value as it stands in an operation.
  private func value(_ text: String) throws -> ValueNode {
    let document = try GraphQLParser.parse(GraphQLSource("{ a(b: \(text)) }"))
    guard case .field(let field) = try #require(document.operations.first?.selections.first) else {
      throw GraphQLErrors([])
    }
    return try #require(field.arguments["b"])
  }

  @Test(
    arguments: [
      ("level: PUBLIC", .level(.everybody)), ("level: USER_ANON", .level(.anybodyWithToken)),
      ("level: USER", .level(.user)), ("level: USER_EMAIL_VERIFIED", .level(.verifiedUser)),
      ("level: NO_ACCESS", .level(.nobody)), ("expr: \"true\"", .expression("true")),
      ("level: null, expr: \"true\"", .expression("true")), ("level: USER, expr: null", .level(.user)),
    ] as [(String, OperationAccess.Grant)])
  func `says who may call it`(text: String, grant: OperationAccess.Grant) throws {
    let plain = try operation("query Q @auth(\(text)) { films { id } }")
    #expect(plain.access == OperationAccess(grant: grant, insecureReason: nil))
    let reasoned = try operation("query Q @auth(\(text), insecureReason: \"r\") { films { id } }")
    #expect(reasoned.access == OperationAccess(grant: grant, insecureReason: "r"))
  }

  @Test func `lets nobody call what says nothing`() throws {
    let result = try Fixture.compile(operations: "query Q { films { id } }")
    #expect(
      result.connector?.operation("Q")?.access == OperationAccess(grant: .level(.nobody), insecureReason: nil))
    #expect(
      result.problems.map(\.description) == [
        "films.gql:1:7: warning: \"Q\" does not say who may call it, so that no client may. "
          + "Write @auth(level: USER), or what else fits; @auth(level: NO_ACCESS) if that is meant."
      ])
  }

  @Test func `is asked less of an administrator`() throws {
    func lines(_ text: String) throws -> [String] {
      ConnectorCompiler.compile(administrative: GraphQLSource(text, name: "q"), against: try Fixture.schema())
        .problems.map(\.description)
    }
    #expect(try lines("query Q { films { id } }") == [])
    #expect(
      try lines("{ films @check(expr: \" \") { id } }") == ["q:1:22: error: The expression is empty. Write one."])
    #expect(
      try lines("query @check(expr: \"\") { films { id } }") == ["q:1:20: error: The expression is empty. Write one."])
    #expect(
      try lines("query($e: String_Expr) { films(where: {title: {eq_expr: $e}}) { id } }") == [
        "q:1:11: error: No variable can have the type \"String_Expr\": a client does not decide it. "
          + "Write the value into the operation."
      ])
    #expect(
      try lines("mutation($d: Film_Data! @allow) { film_insert(data: $d) }") == [
        "q:1:25: error: @allow does not say which fields a client may write. Write fields: \"…\"."
      ])
  }

  @Test func `checks with usual words, which may be others`() throws {
    let operation = try operation(
      """
      mutation M @auth(level: USER) @check @check(expr: "a", message: "b", optional: true) @check(optional: false) {
        film_deleteMany(all: true)
      }
      """)
    #expect(operation.checks.map(\.expression) == ["!(this in [null, []])", "a", "!(this in [null, []])"])
    #expect(operation.checks.map(\.message) == ["permission denied", "b", "permission denied"])
    #expect(operation.checks.map(\.isOptional) == [false, true, false])
    #expect(operation.checks.map(\.position.offset) == [30, 37, 85])
    #expect(!operation.isTransaction && operation.retirement == nil && operation.refreshes == [])
  }

  @Test func `refreshes at both ends of what is possible`() throws {
    let operation = try operation(
      """
      query Q @auth(level: USER) @refresh(every: {seconds: 10}) @refresh(every: {hours: 1})
        @refresh(every: {minutes: 2, seconds: -60}) @refresh(onMutationExecuted: null) { films { id } }
      """)
    #expect(
      operation.refreshes == [
        .every(milliseconds: 10_000), .every(milliseconds: 3_600_000), .every(milliseconds: 60_000),
      ])
  }

  @Test func `refreshes after mutations by the names that they have`() throws {
    let operation = try operation(
      """
      query Q @auth(level: USER)
        @refresh(onMutationExecuted: [{operation: "drop"}, {operation: "Drop", condition: "true"}])
        @refresh(onMutationExecuted: {operation: "Drop", condition: null}) { films { id } }
      mutation Drop @auth(level: USER) { film_deleteMany(all: true) }
      """)
    #expect(
      operation.refreshes == [
        .mutation(name: "Drop", condition: nil), .mutation(name: "Drop", condition: "true"),
        .mutation(name: "Drop", condition: nil),
      ])
    #expect(RefreshRule.known("addA", among: ["AddA", "addA"]) == "addA")
    #expect(RefreshRule.known("AddA", among: ["x", "addA"]) == "addA")
    #expect(RefreshRule.known("adda", among: ["AddA", "addA"]) == nil && RefreshRule.known("a", among: []) == nil)
  }

  @Test(
    arguments: [
      ("{}", 0), ("{milliseconds: 7}", 7), ("{seconds: 1}", 1_000), ("{minutes: 1}", 60_000), ("{hours: 1}", 3_600_000),
      ("{days: 1}", 86_400_000), ("{weeks: 1}", 604_800_000), ("{days: 1, hours: -1}", 82_800_000),
      ("{days: 365}", 31_536_000_000), ("{days: -365}", -31_536_000_000), ("{milliseconds: 1000000000}", 1_000_000_000),
      ("{milliseconds: -1000000000}", -1_000_000_000), ("{days: 365, milliseconds: 1}", nil),
      ("{days: -365, milliseconds: -1}", nil), ("{milliseconds: 1000000001}", nil),
      ("{milliseconds: -1000000001}", nil), ("{milliseconds: 2147483648}", nil), ("{months: 1}", nil),
      ("{seconds: -2147483648}", nil), ("{seconds: 2147483648}", nil), ("{seconds: 99999999999999999999}", nil),
      ("{\(String(repeating: "weeks: 1000000000 ", count: 40))}", nil), ("{years: 1}", nil), ("{seconds: 1.0}", nil),
      ("{seconds: \"1\"}", nil), ("{seconds: 1, minutes: null}", nil),
      ("1", nil), ("null", nil), ("[{seconds: 1}]", nil),
    ] as [(String, Int?)])
  func `has times that are added up`(text: String, milliseconds: Int?) throws {
    #expect(try value(text).milliseconds == milliseconds)
  }

  @Test(arguments: [
    ("title", "title"), ("a b", "a b"), ("a,b,,c", "a b c"), (" \ta\r\rb\n", "a b"), ("a\r\nb", "a b"),
    ("a { b c } d", "a{b c} d"),
    ("a{b{c}}d", "a{b{c}} d"), ("a,{b}", "a{b}"), ("a a", "a a"), ("", ""), (" , ", ""), ("_a9", "_a9"),
    ("a { b } c { d }", "a{b} c{d}"),
  ])
  func `has fields that are allowed`(text: String, expected: String) {
    #expect(AllowedField.read(text).map(Self.shown) == expected)
  }

  @Test(arguments: [
    "{", "}", "{ a }", "a {", "a { b", "a } b", "a { }", "a { b } }", "a { b } { c }", "a { { b } }", "a-b", "9", "é",
    "a.b", "a\u{301}", "a { 9 }",
  ])
  func `has nothing else for fields`(text: String) { #expect(AllowedField.read(text) == nil) }

  @Test func `has fields fifteen levels deep, in ten thousand bytes`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "a{", count: depth) + "b" + String(repeating: "}", count: depth)
    }
    #expect(AllowedField.read(nested(15)).map(Self.shown) == nested(15))
    #expect(AllowedField.read(nested(16)) == nil)
    #expect(AllowedField.read(String(repeating: "a ", count: 5_000))?.count == 5_000)
    #expect(AllowedField.read(String(repeating: "a ", count: 5_000) + " ") == nil)
    #expect(AllowedField.read(String(repeating: "a", count: 200))?.count == 1)
    #expect(AllowedField.read(String(repeating: "a", count: 201)) == nil)
  }

  private static func shown(_ fields: [AllowedField]) -> String {
    fields.map { $0.fields.isEmpty ? $0.name : "\($0.name){\(shown($0.fields))}" }.joined(separator: " ")
  }

  @Test func `allows as many rows as it says`() throws {
    let operation = try operation(
      """
      mutation M(
        $a: [Film_Data!]! @allow(fields: "title", maxCount: 1)
        $b: [Film_Data!]! @allow(fields: "mood poster_on_film { seen }", maxCount: 2147483647)
        $c: Film_Data! @allow(fields: "title")
        $d: String! = "x" @retired
      ) @auth(level: USER) {
        film_insertMany(data: $a) more: film_insertMany(data: $b) film_insert(data: $c)
        film_deleteMany(where: {title: {eq: $d}})
      }
      """)
    #expect(operation.variables.map(\.allowed?.maxCount) == [1, 2_147_483_647, nil, nil])
    #expect(
      operation.variables.map { $0.allowed?.fields.map(Self.shown) } == [
        "title", "mood poster_on_film{seen}", "title", nil,
      ])
    #expect(operation.variables.map(\.isRequired) == [true, true, true, false])
    #expect(operation.variables.map { $0.retirement != nil } == [false, false, false, true])
    #expect(operation.variable("d")?.defaultValue?.kind == .string("x", isBlock: false))
    #expect(operation.variable("D") == nil && operation.variable("") == nil)
  }

  @Test func `is told by no name that there is not`() throws {
    let connector = try Fixture.connector(
      "query B @auth(level: USER) { films { id } } query A @auth(level: USER) @retired(reason: \"old\") { films { id } }"
    )
    #expect(connector.operations.map(\.name) == ["B", "A"])
    #expect(connector.operation("A")?.retirement?.reason == "old" && connector.operation("B")?.retirement == nil)
    #expect(connector.operation("a") == nil && connector.operation("") == nil)
  }
}
