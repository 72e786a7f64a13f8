import DataConnectCompiler
import JSON
import Testing

@testable import DataConnectEmulator

/// Which row a lookup names before it is looked for, in each way to write its key; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `The row that a lookup names` {
  private static let schema = """
    enum Mood { DULL BRIGHT }
    type Movie @table { title: String! }
    type Seat @table(key: ["row", "number"]) { row: String! number: Int! }
    type Counter @table(key: "n") { n: Int64! text: String }
    type Flag @table(key: "isOn") { isOn: Boolean! text: String }
    type Day @table(key: "day") { day: Date! text: String }
    type Feeling @table(key: "mood") { mood: Mood! text: String }
    type Level @table(key: "x") { x: Float! text: String }
    type Moment @table(key: "at") { at: Timestamp! text: String }
    type User @table(key: "id") { id: String! text: String }
    """

  private static let operations = """
    query Q($id: UUID!, $row: String!, $number: Int!, $n: Int64!, $on: Boolean!, $day: Date!, $mood: Mood!,
      $x: Float!, $at: Timestamp!, $movie: Movie_Key!, $user: String!) @auth(level: PUBLIC) {
      byID: movie(id: $id) { title }
      byKey: movie(key: $movie) { title }
      inside: movie(key: {id: $id}) { title }
      seat(key: {row: $row, number: $number}) { row }
      counter(key: {n: $n}) { text }
      flag(key: {isOn: $on}) { text }
      day(key: {day: $day}) { text }
      feeling(key: {mood: $mood}) { text }
      level(key: {x: $x}) { text }
      moment(key: {at: $at}) { text }
      user(id: $user) { text }
      own: user(id_expr: "auth.uid") { text }
      ownKey: user(key: {id_expr: "auth.uid"}) { text }
      words: feeling(key: {mood: DULL}) { text }
      digits: counter(key: {n: 7}) { text }
      truth: flag(key: {isOn: true}) { text }
      text: seat(key: {row: "é", number: -1}) { row }
      first: movie(first: {where: {title: {eq: "a"}}}) { title }
      list: movies { title }
    }
    mutation M($id: UUID!) @auth(level: PUBLIC) { movie_delete(id: $id) }
    """

  private static let project = Result { try PlainProject(operations, schema: schema) }

  private func id(
    _ field: String, _ variables: JSONObject = [:], of operation: String = "Q",
    evaluate: (String) -> JSONValue? = { _ in nil }
  ) throws -> String? {
    let project = try Self.project.get()
    return LookupKey.entityID(
      try project.plan(operation, field), project.schema, variables: variables, evaluate)
  }

  private static let digits = "0123456789abcdef0123456789abcdef"

  @Test(arguments: [
    digits, "01234567-89ab-cdef-0123-456789abcdef", "01234567-89AB-CDEF-0123-456789ABCDEF",
    "urn:uuid:01234567-89ab-cdef-0123-456789abcdef", "URN:UUID:01234567-89AB-CDEF-0123-456789ABCDEF",
    "{01234567-89ab-cdef-0123-456789abcdef}",
  ])
  func `is the same for every spelling of a UUID, as an id, in a key, and in its place in one`(text: String) throws {
    let expected = EntityID.text("Movie", ["id": .string(Self.digits)])
    #expect(try id("byID", ["id": .string(text)]) == expected)
    #expect(try id("inside", ["id": .string(text)]) == expected)
    #expect(try id("byKey", ["movie": ["id": .string(text)]]) == expected)
  }

  @Test(
    arguments: [
      "", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0", "urn:uuid:", 7, .null, true,
    ] as [JSONValue])
  func `is none for what is no UUID`(value: JSONValue) throws {
    #expect(try id("byID", ["id": value]) == nil)
  }

  @Test(
    arguments: [
      ("seat", ["row": "a", "number": 7], "Seat", ["row": "a", "number": 7]),
      ("text", [:], "Seat", ["row": "é", "number": -1]), ("counter", ["n": 7], "Counter", ["n": "7"]),
      ("counter", ["n": "-9223372036854775808"], "Counter", ["n": "-9223372036854775808"]),
      ("counter", ["n": "007"], "Counter", ["n": "7"]), ("digits", [:], "Counter", ["n": "7"]),
      ("flag", ["on": false], "Flag", ["isOn": false]), ("truth", [:], "Flag", ["isOn": true]),
      ("day", ["day": "2026-01-31"], "Day", ["day": "2026-01-31"]),
      ("day", ["day": "2026-01-31T23:00:00Z"], "Day", ["day": "2026-01-31"]),
      ("feeling", ["mood": "BRIGHT"], "Feeling", ["mood": "BRIGHT"]), ("words", [:], "Feeling", ["mood": "DULL"]),
      ("user", ["user": ""], "User", ["id": ""]),
    ] as [(String, JSONObject, String, JSONObject)])
  func `has its columns as a response has them`(
    field: String, variables: JSONObject, table: String, key: JSONObject
  ) throws {
    #expect(try id(field, variables) == EntityID.text(table, key))
  }

  @Test(
    arguments: [
      ("seat", ["row": "a"]), ("seat", ["number": 7]), ("seat", ["row": 1, "number": 7]),
      ("seat", ["row": "a", "number": "7"]), ("counter", ["n": "x"]), ("counter", ["n": "9223372036854775808"]),
      ("counter", ["n": 1.5]), ("flag", ["on": 1]), ("flag", ["on": "true"]), ("day", ["day": 20_260_131]),
      ("feeling", ["mood": 1]), ("level", ["x": 1]), ("level", ["x": 1.5]), ("moment", ["at": "2026-01-31T00:00:00Z"]),
      ("byKey", ["movie": .null]), ("byKey", [:]), ("byKey", ["movie": "a"]), ("byKey", ["movie": [:]]), ("first", [:]),
      ("list", [:]), ("user", ["user": .null]), ("user", [:]),
    ] as [(String, JSONObject)])
  func `is not told where the key is not whole, of another type, or has several spellings`(
    field: String, variables: JSONObject
  ) throws {
    #expect(try id(field, variables) == nil)
  }

  @Test func `is not told of a mutation`() throws {
    #expect(try id("movie_delete", ["id": .string(Self.digits)], of: "M") == nil)
  }

  @Test func `is that of an expression, where there is one and it has a value`() throws {
    let ann = EntityID.text("User", ["id": "ann"])
    for field in ["own", "ownKey"] {
      var asked: [String] = []
      let found = try id(field) { text in
        asked.append(text)
        return "ann"
      }
      #expect(found == ann && asked == ["auth.uid"], "\(field)")
      #expect(try id(field) { _ in nil } == nil)
      #expect(try id(field) { _ in .null } == nil)
    }
    // What is given as a value needs none.
    #expect(try id("user", ["user": "ann"]) { _ in "bob" } == ann)
  }
}

/// What is asked for before anything is executed; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `An order to the engine` {
  private static let operations = """
    query Level($id: UUID!) @auth(level: USER) { movie(id: $id) { title } }
    query Claim($id: UUID!, $n: Int = 3) @auth(expr: "auth.uid == 'ann' && vars.n == 3") {
      movie(id: $id) { title } again: movie(id: $id) { title } movies(limit: $n) { title }
    }
    query Nothing @auth(level: PUBLIC) { movies { title } }
    mutation Rows($data: [Person_Data!]! @allow(fields: "name", maxCount: 1)) @auth(level: PUBLIC) {
      person_insertMany(data: $data)
    }
    """

  private static let project = Result { try PlainProject(operations) }

  private let engine = OperationEngine(limits: ExecutionLimits())
  private static let id = "0123456789abcdef0123456789abcdef"

  private func order(
    _ name: String, _ variables: JSONObject = [:], as caller: OperationCaller = .nobody, isReadOnly: Bool = false
  ) throws -> OperationEngine.Order {
    let project = try Self.project.get()
    return OperationEngine.Order(
      operation: try project.operation(name), deployment: try project.deployment(), caller: caller,
      variables: variables, isReadOnly: isReadOnly, tellsStatements: true)
  }

  private func refusal(_ order: OperationEngine.Order) -> RequestFailure? {
    do throws(RequestFailure) {
      _ = try engine.admitted(order)
      return nil
    } catch {
      return error
    }
  }

  @Test func `to read alone is none to write`() throws {
    let rows: JSONObject = ["data": [["name": "a"]]]
    let refused = try refusal(order("Rows", rows, isReadOnly: true))
    #expect(refused == RequestFailure(.permissionDenied, "Only queries are executed here."))
    #expect(try refusal(order("Rows", rows)) == nil)
    #expect(try refusal(order("Nothing", isReadOnly: true)) == nil)
  }

  @Test func `tells nobody of the variables who has no access by a level`() throws {
    #expect(try refusal(order("Level", ["other": 1]))?.code == .unauthenticated)
    #expect(try refusal(order("Level"))?.code == .unauthenticated)
    let ann = try PlainProject.user("ann")
    #expect(
      try refusal(order("Level", ["id": "x", "other": 1], as: ann))
        == RequestFailure(.invalidArgument, "Level has no variable $other."))
    #expect(try refusal(order("Level", as: ann))?.code == .invalidArgument)
    #expect(try refusal(order("Level", ["id": .string(Self.id)], as: ann)) == nil)
  }

  @Test func `is let in by an expression that knows the defaults of the variables`() throws {
    let (ann, bob) = (try PlainProject.user("ann"), try PlainProject.user("bob"))
    let id = JSONValue.string(Self.id)
    #expect(try refusal(order("Claim", ["id": id], as: ann)) == nil)
    #expect(try refusal(order("Claim", ["id": id, "n": 3], as: ann)) == nil)
    #expect(try refusal(order("Claim", ["id": id, "n": 4], as: ann))?.code == .permissionDenied)
    #expect(try refusal(order("Claim", ["id": id], as: bob))?.code == .permissionDenied)
    #expect(try refusal(order("Claim", ["id": id]))?.code == .unauthenticated)
    #expect(try refusal(order("Claim", ["id": id, "n": 4], as: .administrator)) == nil)
  }

  @Test func `goes on as it came, with the variables that nobody gave`() throws {
    let ann = try PlainProject.user("ann")
    let (admitted, scope) = try engine.admitted(order("Claim", ["id": .string(Self.id)], as: ann, isReadOnly: true))
    #expect(admitted.variables["n"] == 3 && admitted.variables.count == 2)
    #expect(admitted.caller == ann && admitted.isReadOnly && admitted.tellsStatements)
    #expect(admitted.operation.name == "Claim" && admitted.deployment.number == 1)
    #expect(scope.holds("vars.n == 3 && auth.uid == 'ann' && request.operationName == 'Claim'"))
  }

  @Test func `of rows is bounded for clients, and not for an administrator`() throws {
    let bad: [JSONValue] = [[["name": "a"], ["name": "b"]], [["name": "a", "id": .string(Self.id)]]]
    for data in bad {
      #expect(try refusal(order("Rows", ["data": data]))?.code == .invalidArgument)
      #expect(try refusal(order("Rows", ["data": data], as: PlainProject.user("ann")))?.code == .invalidArgument)
      #expect(try refusal(order("Rows", ["data": data], as: .administrator)) == nil)
    }
    #expect(try refusal(order("Rows", ["data": [["name": "a"]]])) == nil)
  }

  @Test func `watches the rows that its lookups name, each once`() throws {
    let ann = try PlainProject.user("ann")
    let row = EntityID.text("Movie", ["id": .string(Self.id)])
    #expect(try engine.watchedRows(order("Claim", ["id": .string(Self.id)], as: ann)) == [row])
    #expect(try engine.watchedRows(order("Nothing")) == [])
    #expect(throws: RequestFailure.self) { try engine.watchedRows(order("Level", ["id": .string(Self.id)])) }
  }
}
