import DataConnectCompiler
import DataConnectStatements
import GraphQL
import JSON
import PostgreSQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Statements that are made once` {
  private static func field(_ operation: String) throws -> (CompiledField, CompiledSchema) {
    let schema = try QueriedDatabase.schema(Films.schema)
    let result = ConnectorCompiler.compile([GraphQLSource(operation, name: "o.gql")], against: schema)
    #expect(result.problems.map(\.description) == [])
    return (try #require(result.connector?.operation("O")?.fields.first), schema)
  }

  private static func context(
    _ schema: CompiledSchema, _ variables: JSONObject, user: JSONValue = "u1",
    limits: StatementLimits = StatementLimits()
  ) -> StatementContext {
    StatementContext(schema: schema, variables: variables, limits: limits) { text throws(StatementError) in
      if text == "auth.uid" { return user }
      throw StatementError("no value for \(text)")
    }
  }

  @Test("One text serves all values, and only the parameters differ")
  func oneText() throws {
    let (field, schema) = try Self.field(
      "query O($title: String!, $limit: Int) @auth(level: PUBLIC) { movies(where: {title: {startsWith: $title}}, limit: $limit) { id title } }"
    )
    let statements = FieldStatements(field, isMutation: false)
    let first = try statements.statement(Self.context(schema, ["title": "A", "limit": 3]))
    let second = try statements.statement(Self.context(schema, ["title": "5%", "limit": 20_000]))
    #expect(first.text == second.text)
    #expect(first.parameters == [.text("A%"), .text("3")])
    #expect(second.parameters == [.text("5\\%%"), .text("10000")])
    #expect(statements.keptTexts == 1)
  }

  @Test("What is set, null, true or false has a text of its own")
  func forms() throws {
    let (field, schema) = try Self.field(
      "query O($title: String, $tags: Boolean = false) @auth(level: PUBLIC) { movies(where: {title: {eq: $title}}) { id tags @include(if: $tags) } }"
    )
    let statements = FieldStatements(field, isMutation: false)
    var texts: Set<String> = []
    for title in [nil, .null, "A"] as [JSONValue?] {
      for tags in [true, false] as [JSONValue] {
        var variables: JSONObject = ["tags": tags]
        variables["title"] = title
        for _ in 0..<2 { texts.insert(try statements.statement(Self.context(schema, variables)).text) }
      }
    }
    #expect(texts.count == 6)
    #expect(statements.keptTexts == 6)
  }

  @Test("A text that depends on values is kept for none of them")
  func dependent() throws {
    let (field, schema) = try Self.field(
      "query O($order: OrderDirection!) @auth(level: PUBLIC) { movies(orderBy: [{title: $order}]) { id } }")
    let statements = FieldStatements(field, isMutation: false)
    let texts = try ["ASC", "DESC", "ASC"].map { order in
      try statements.statement(Self.context(schema, ["order": .string(order)])).text
    }
    #expect(texts[0] == texts[2])
    #expect(texts[1] != texts[0])
    #expect(statements.keptTexts == 0)
  }

  @Test("A key, a filter and the data of a row in a variable have one text for the same members")
  func objects() throws {
    let cases: [(String, [JSONValue], texts: Int)] = [
      (
        "query O($v: Movie_Key!) @auth(level: PUBLIC) { movie(key: $v) { id title } }",
        [["id": "01234567-89ab-cdef-0123-456789abcdef"], ["id": "11234567-89ab-cdef-0123-456789abcdef"]], 1
      ),
      (
        "query O($v: Movie_Filter!) @auth(level: PUBLIC) { movies(where: $v) { id } }",
        [
          ["title": ["eq": "A"]], ["title": ["eq": "B"]], ["title": ["ne": "B"]], ["title": ["eq": .null]],
          ["title": ["isNull": true]], ["title": ["isNull": false]], ["title": .null],
        ], 6
      ),
    ]
    for (operation, values, count) in cases {
      let (field, schema) = try Self.field(operation)
      let statements = FieldStatements(field, isMutation: false)
      for value in values + values {
        let context = Self.context(schema, ["v": value])
        #expect(try statements.statement(context) == StatementBuilder.query(field, context), "\(value)")
      }
      #expect(statements.keptTexts == count, "\(operation)")
    }
  }

  @Test("Of a deeper and of a wider object no text is kept")
  func largeObjects() throws {
    func kept(_ schema: String, _ operation: String, _ value: JSONValue) throws -> Int {
      let schema = try QueriedDatabase.schema(schema)
      let result = ConnectorCompiler.compile([GraphQLSource(operation, name: "o.gql")], against: schema)
      let field = try #require(result.connector?.operation("O")?.fields.first)
      let statements = FieldStatements(field, isMutation: false)
      let context = Self.context(schema, ["v": value])
      for _ in 0..<2 { #expect(try statements.statement(context) == StatementBuilder.query(field, context)) }
      return statements.keptTexts
    }
    let films = "query O($v: Movie_Filter!) @auth(level: PUBLIC) { movies(where: $v) { id } }"
    #expect(try kept(Films.schema, films, ["_not": ["title": ["eq": "A"]]]) == 1)
    #expect(try kept(Films.schema, films, ["_not": ["_not": ["title": ["eq": "A"]]]]) == 0)
    for (count, length, texts) in [(16, 3, 1), (17, 3, 0), (8, 64, 1), (8, 65, 0)] {
      // The digits, and as many letters before them.
      let names = (10..<10 + count).map { String(repeating: "c", count: length - 2) + "\($0)" }
      let schema = "type W @table { \(names.map { "\($0): String" }.joined(separator: " ")) }"
      let value = JSONValue.object(JSONObject(names.map { ($0, ["eq": "A"]) }))
      #expect(
        try kept(schema, "query O($v: W_Filter!) @auth(level: PUBLIC) { ws(where: $v) { id } }", value) == texts,
        "\(count) names of \(length) bytes")
    }
  }

  @Test("An expression is evaluated for each call, by the caller of that call")
  func expressions() throws {
    let (field, schema) = try Self.field(
      #"query O @auth(level: USER) { movies(where: {owner: {uid: {eq_expr: "auth.uid"}}}) { id } }"#)
    let statements = FieldStatements(field, isMutation: false)
    for user in ["u1", "u2", .null, "u1"] as [JSONValue] {
      let statement = try statements.statement(Self.context(schema, [:], user: user))
      #expect(statement.parameters == [user.stringValue.map { .text($0) } ?? .null])
    }
    #expect(statements.keptTexts == 1)
  }

  @Test("A kept text refuses what a new one refuses: wrong values, U+0000, and too many bytes")
  func refusals() throws {
    let (field, schema) = try Self.field(
      "query O($title: String!, $limit: Int) @auth(level: PUBLIC) { movies(where: {title: {eq: $title}}, limit: $limit) { id } }"
    )
    var limits = StatementLimits()
    limits.bytes = 2_000
    let statements = FieldStatements(field, isMutation: false)
    var most = 0
    // The longest text that a new statement takes.
    for count in 0..<2_000 {
      let context = Self.context(
        schema, ["title": .string(String(repeating: "x", count: count)), "limit": 1], limits: limits)
      if (try? StatementBuilder.query(field, context)) != nil { most = count }
    }
    #expect(most > 1_000)
    let cases: [(JSONObject, String?)] = [
      (["title": "A", "limit": 1], nil),
      (["title": "A", "limit": -1], "This has to be a number from 0 to 2147483647."),
      (["title": 3, "limit": 1], "This has to be a text."),
      (["title": "\0", "limit": 1], "A text has the character U+0000, which the database cannot hold."),
      (["title": .string(String(repeating: "x", count: most)), "limit": 1], nil),
      (
        ["title": .string(String(repeating: "x", count: most + 1)), "limit": 1],
        "The field makes a statement of more than 2000 bytes."
      ),
    ]
    for (variables, message) in cases {
      let result = Result { () throws(StatementError) in
        try statements.statement(Self.context(schema, variables, limits: limits))
      }
      if case .failure(let error) = result { #expect(error.message == message) } else { #expect(message == nil) }
    }
    #expect(statements.keptTexts == 1)
  }

  @Test("A client that sets ever other variables does not fill the memory")
  func bounded() throws {
    let names = (0..<6).map { "v\($0)" }
    let declared = names.map { "$\($0): String" }.joined(separator: ", ")
    let conditions = names.map { "{title: {eq: $\($0)}}" }.joined(separator: ", ")
    let (field, schema) = try Self.field(
      "query O(\(declared)) @auth(level: PUBLIC) { movies(where: {_or: [\(conditions)]}) { id } }")
    let statements = FieldStatements(field, isMutation: false)
    for bits in 0..<64 {
      let set = names.indices.filter { bits >> $0 & 1 == 1 }
      let variables = JSONObject(set.map { (names[$0], .string("\(bits)")) })
      let context = Self.context(schema, variables)
      #expect(try statements.statement(context) == StatementBuilder.query(field, context))
    }
    #expect(statements.keptTexts == 16)
  }
}
