import CEL
import DataConnectCompiler
import GraphQL
import JSON
import Testing
import Text
import Time

@testable import DataConnectEmulator

/// Which expressions of a connector are read, and where one is wrong; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `The expressions of a connector` {
  @Test(
    arguments: [
      ("auth.uid == 'a'", true, false, false), ("auth != null", true, true, false), ("auth", true, true, false),
      ("has(auth.uid)", true, false, false), ("auth['uid'] == 'a'", true, false, false),
      ("auth == null || auth.uid == 'a'", true, true, false), ("request.auth != null", true, true, false),
      ("request.auth.uid == 'a'", true, false, false), ("request['auth'] == null", true, true, false),
      ("request == null", true, false, false), ("request[vars.x] == 1", true, false, false),
      ("request.time == null", false, false, false), ("request.variables.auth == 1", false, false, false),
      ("vars.auth == 1", false, false, false), ("'auth' == 'auth'", false, false, false),
      ("this.auth == 1", false, false, false), ("response.a == 1", false, false, true),
      ("this.response == 1", false, false, false), ("response.auth == auth.uid", true, false, true),
    ])
  func `are known by what they ask for`(text: String, usesAuth: Bool, comparesAuth: Bool, usesResponse: Bool) throws {
    let expression = try Expression(text)
    #expect(expression.usesAuth == usesAuth)
    #expect(expression.comparesAuth == comparesAuth)
    #expect(expression.usesResponse == usesResponse)
  }

  private static let operations = """
    query Q($t: String!) @auth(expr: "vars.t == 'auth'") @check(expr: "vars.t == 'whole'")
      @refresh(onMutationExecuted: {operation: "M", condition: "vars.t == 'refresh'"}) {
      movies(where: {
        title: {eq_expr: "vars.t + 'field'"}, genre: {eq: DRAMA},
        _or: [{title: {eq_expr: "vars.t + 'list'"}}, {title: {eq: "vars.t + 'plain'"}}, {title: {eq: $t}}]
      }) {
        title @check(expr: "this == 'inner'")
        reviews_on_movie(where: {text: {eq_expr: "vars.t + 'deep'"}}) { text }
      }
      _select(sql: "SELECT $1", params: [{_expr: "vars.t + 'native'"}])
    }
    mutation M @auth(level: PUBLIC) { movie_insert(data: {title_expr: "vars.t + 'data'"}) }
    query F @auth(level: PUBLIC) { movies { ...Part } }
    fragment Part on Movie @check(expr: "this == 'fragment'") {
      title @check(expr: "this == 'part'")
      ... on Movie @check(expr: "this == 'inline'") { genre @check(expr: "this == 'last'") }
    }
    """
  private static let read = [
    "vars.t == 'auth'", "vars.t == 'whole'", "vars.t == 'refresh'", "vars.t + 'field'", "vars.t + 'list'",
    "this == 'inner'", "vars.t + 'deep'", "vars.t + 'native'", "vars.t + 'data'", "this == 'fragment'",
    "this == 'part'", "this == 'inline'", "this == 'last'",
  ]

  @Test func `are read of every mutation after which a query runs anew`() throws {
    let operations = """
      query Q @auth(level: PUBLIC) @refresh(onMutationExecuted: [
        {operation: "M", condition: "mutation.variables.x == 1"}, {operation: "N"},
        {operation: "N", condition: "mutation.variables.x =="}
      ]) { movies { title } }
      mutation M @auth(level: PUBLIC) { movie_insert(data: {title: "m"}) }
      mutation N @auth(level: PUBLIC) { movie_insert(data: {title: "n"}) }
      """
    let project = try PlainProject(operations)
    var table = ExpressionTable()
    table.add(project.connector)
    #expect(table["mutation.variables.x == 1"] != nil)
    #expect(table.problems.map(\.location?.line) == [3])
  }

  private static let project = Result { try PlainProject(operations) }

  @Test func `are read wherever one may stand, and where a text is none they are not`() throws {
    let project = try Self.project.get()
    var table = ExpressionTable()
    table.add(project.connector)
    for text in Self.read { #expect(table[text] != nil, "\(text)") }
    #expect(table["vars.t + 'plain'"] == nil && table["DRAMA"] == nil && table.problems == [])
    var defaults = ExpressionTable()
    defaults.add(project.schema)
    #expect(Set(defaults.expressions.keys) == ["uuidV4()", "request.time", "auth.uid"])
  }

  @Test func `of one operation are told by their texts`() throws {
    let connector = try Self.project.get().connector
    let query = ExpressionTable.texts(of: try #require(connector.operation("Q")))
    #expect(query == Set(Self.read[0..<8]))
    #expect(ExpressionTable.texts(of: try #require(connector.operation("M"))) == ["vars.t + 'data'"])
  }

  private func problems(_ operations: String) throws -> [CompilerProblem] {
    try PlainProject(operations).expressions.problems
  }

  @Test func `are wrong at their place inside of the quotes, unless there are escapes`() throws {
    let text = "auth.uid =="
    let offset: Int
    do throws(CELError) {
      _ = try CELProgram(text)
      Issue.record("It is right.")
      return
    } catch {
      offset = error.offset
    }
    for (start, end, column) in [("\"", "\"", 22 + offset), ("\"\"\"", "\"\"\"", 24 + offset)] {
      let found = try problems("query Q @auth(expr: \(start)\(text)\(end)) { movies { title } }")
      #expect(found.map(\.location) == [SourceLocation(file: "operations.gql", line: 1, column: column)])
      #expect(found.first?.message.hasPrefix("The expression is wrong: ") == true)
      #expect(found.first?.severity == .error && found.first?.code == "Expression")
    }
    let escaped = try problems(#"query Q @auth(expr: "auth\u002Euid ==") { movies { title } }"#)
    #expect(escaped.map(\.location) == [SourceLocation(file: "operations.gql", line: 1, column: 21)])
  }

  @Test func `have at most 16,384 bytes`() throws {
    var table = ExpressionTable()
    let longest = "'" + String(repeating: "é", count: 8_191) + "'"
    table.add(longest, at: .none, in: [])
    #expect(longest.utf8.count == ExpressionTable.limit && ExpressionTable.limit == 16_384)
    #expect(table[longest] != nil && table.problems == [])
    let longer = "'" + String(repeating: "é", count: 8_191) + "a'"
    table.add(longer, at: .none, in: [])
    #expect(table[longer] == nil)
    #expect(table.problems.map(\.message) == ["The expression is wrong: It has more than 16384 bytes."])
    #expect(table.problems.map(\.location) == [nil])
    // The same again is known already, and reported no more.
    table.add(longest, at: .none, in: [])
    #expect(table.expressions.count == 1 && table.problems.count == 1)
  }

  @Test func `decide what an operation depends on`() throws {
    let project = try PlainProject(
      """
      query Level @auth(level: USER) { movies { title } }
      query Own @auth(level: USER) { notes(where: {author: {eq_expr: "auth.uid"}}) { text } }
      query Plain($t: String!) @auth(level: USER) { notes(where: {text: {eq_expr: "vars.t"}}) { text } }
      mutation Steps @auth(level: USER) {
        a: note_insert(data: {text: "a"}) b: note_insert(data: {text_expr: "response.a.id"})
      }
      """)
    let known = try ["Level", "Own", "Plain", "Steps"].map { try project.operation($0) }
    #expect(known.map(\.usesAuth) == [false, true, false, false])
    #expect(known.map(\.usesResponse) == [false, false, false, true])
    #expect(known.map(\.isOpen) == [false, false, false, false])
    // What was not read may depend on anything.
    let unread = project.connector.operations.map { DeployedOperation($0, project.connector, ExpressionTable()) }
    #expect(unread.map(\.usesAuth) == [false, true, true, true])
    #expect(unread.map(\.usesResponse) == [false, false, false, false])
    let deployed = DeployedConnector(id: "c", project.connector, project.expressions)
    #expect(deployed.all.map(\.name) == ["Level", "Own", "Plain", "Steps"])
    #expect(deployed.operation("Own")?.name == "Own" && deployed.operation("own") == nil)
  }

  @Test func `are those of their own operations, though two differ in their bytes alone`() throws {
    let project = try PlainProject(
      """
      query One @auth(expr: "auth.uid == 'jos\u{E9}'") { movies { title } }
      query Other @auth(expr: "auth.uid == 'jose\u{301}'") { movies { title } }
      """)
    for (user, expected) in [("jos\u{E9}", [true, false]), ("jose\u{301}", [false, true])] {
      let caller = try PlainProject.user(user)
      let isIn = try ["One", "Other"].map { name in
        try project.operation(name).refusal(of: caller, project.scope(caller)) == nil
      }
      #expect(isIn == expected, "\(user)")
    }
  }

  @Test func `decide over what an administrator wrote only where it says so`() throws {
    let project = try PlainProject("query Level @auth(level: USER) { movies { title } }")
    func operation(_ text: String) throws -> DeployedOperation {
      let result = ConnectorCompiler.compile(administrative: GraphQLSource(text, name: "q"), against: project.schema)
      let connector = try #require(result.connector)
      return DeployedOperation(connector.operations[0], connector, ExpressionTable(), isAdministrative: true)
    }
    let open = try operation("{ movies { title } }")
    #expect(open.isOpen && open.refusal(of: .nobody, project.scope()) == nil)
    let closed = try operation("query Q @auth(level: USER) { movies { title } }")
    #expect(!closed.isOpen && closed.refusal(of: .nobody, project.scope())?.code == .unauthenticated)
    #expect(closed.refusal(of: .administrator, project.scope()) == nil)
    #expect(try closed.refusal(of: PlainProject.user("ann"), project.scope()) == nil)
  }
}

/// What the names of an expression stand for, the second time too.
@Suite(.timeLimit(.minutes(1)))
struct `The scope of an expression` {
  private func scope(_ caller: OperationCaller, cost: Int = 10_000, _ table: ExpressionTable = ExpressionTable())
    -> ExpressionScope
  {
    ExpressionScope(
      caller, variables: ["x": 3], operation: "Op", time: UnixTime(seconds: 1_000, nanoseconds: 0), table, cost: cost)
  }

  @Test func `knows nobody as null where it is asked for, and as somebody without a name elsewhere`() {
    for caller in [OperationCaller.nobody, .administrator] {
      let scope = scope(caller)
      for _ in 0..<2 {
        #expect(scope.holds("auth == null") && scope.holds("request.auth == null"))
        #expect(scope.holds("auth.uid == null") && scope.holds("request.auth.uid == null"))
        #expect(scope.holds("request.variables.x == 3 && vars.x == 3"))
        #expect(!scope.holds("auth != null && auth.uid == null"))
      }
    }
  }

  @Test func `lacks a user where the value would be that of one, and nobody is there`() throws {
    for text in ["auth.uid", "request.auth.uid", "auth.token.name"] {
      #expect(scope(.nobody).isMissingUser(for: text))
      #expect(!scope(.administrator).isMissingUser(for: text))
      #expect(try !scope(PlainProject.user("ann")).isMissingUser(for: text))
    }
    for text in ["auth", "auth == null", "vars.x", "request.time", "null", "auth.uid =="] {
      #expect(!scope(.nobody).isMissingUser(for: text))
    }
    var table = ExpressionTable()
    table.add("auth.uid", at: .none, in: [])
    #expect(scope(.nobody, table).isMissingUser(for: "auth.uid"))
  }

  @Test func `has the last value of a field, and further names before its own`() {
    let scope = scope(.nobody)
    #expect(!scope.holds("response.a == 1") && !scope.holds("has(response.a)"))
    scope.keep(1, as: "a")
    scope.keep(5, as: "b")
    #expect(scope.holds("response.a == 1 && response.b == 5"))
    scope.keep(2, as: "a")
    #expect(scope.holds("response.a == 2 && response.b == 5"))
    #expect(scope.holds("this == 7 && vars.x == 3", this: 7) && !scope.holds("this == 7"))
    #expect(scope.holds("this == null", this: .null))
    #expect(scope.holds("mutation == 1 && vars == 2", others: ["mutation": .int(1), "vars": .int(2)]))
    #expect(!scope.holds("mutation == 1") && scope.holds("vars.x == 3"))
  }

  @Test func `is of an expression that may cost so much`() throws {
    let text = "[1, 2, 3, 4, 5, 6, 7, 8].all(n, n < 9)"
    #expect(scope(.nobody).holds(text) && !scope(.nobody, cost: 5).holds(text))
    #expect(throws: CELError.self) { try scope(.nobody, cost: 5).evaluate(text) }
    #expect(throws: CELError.self) { try scope(.nobody).evaluate("vars.x ==") }
    #expect(try scope(.nobody).evaluate("vars.x + 1") == .int(4))
    #expect(try scope(.nobody).evaluate("request.time").json == "1970-01-01T00:16:40Z")
  }

  @Test func `tells a caller by the name and the claims`() throws {
    #expect(ExpressionScope.auth(.nobody).json == ["uid": .null, "token": .null])
    #expect(ExpressionScope.auth(.administrator).json == ["uid": .null, "token": .null])
    let ann = try PlainProject.user("ann", ["role": "admin"])
    #expect(ExpressionScope.auth(ann).json == ["uid": "ann", "token": ["role": "admin", "sub": "ann"]])
  }
}
