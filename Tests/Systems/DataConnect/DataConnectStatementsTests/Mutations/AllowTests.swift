import DataConnectCompiler
import DataConnectStatements
import GraphQL
import JSON
import Testing

@Suite struct `A variable that holds rows` {
  @Test func `takes through a variable only what @allow says`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    let one = "($data: Movie_Data! @allow(fields: \"title reviews_on_movie { stars }\")) { movie_insert(data: $data) }"
    func refusal(_ text: String, _ data: JSONValue) throws -> String? {
      try QueriedDatabase.refusal(ofMutation: text, schema, ["data": data])
    }
    #expect(try refusal(one, ["title": "A", "reviews_on_movie": [["stars": 1]]]) == nil)
    #expect(try refusal(one, ["title": "A", "year": 1]) == "data.year: year must not be written through $data.")
    #expect(
      try refusal(one, ["reviews_on_movie": [["stars": 1], ["note": "x"]]])
        == "data.reviews_on_movie.1.note: note must not be written through $data.")
    #expect(
      try refusal(one, ["title_expr": "auth.uid"]) == "data.title_expr: title_expr must not be written through $data.")
    let many = "($data: [User_Data!]! @allow(fields: \"uid\", maxCount: 2)) { user_insertMany(data: $data) }"
    #expect(try refusal(many, [["uid": "a"], ["uid": "b"]]) == nil)
    #expect(
      try refusal(many, [["uid": "a"], ["uid": "b"], ["uid": "c"]])
        == "data: $data has 3 rows, and 2 at most are allowed.")
    #expect(try refusal(many, [["uid": "a"], ["name": "b"]]) == "data.1.name: name must not be written through $data.")
  }

  @Test func `is looked at beside others that are not there, and that nothing is said of`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    let text = """
      ($none: String, $a: Movie_Data @allow(fields: "title"), $b: [Movie_Data!] @allow(fields: "title", maxCount: 1),
        $c: Movie_Data! @allow(fields: "title slug")) { movie_insert(data: $c) }
      """
    let result = ConnectorCompiler.compile(
      [GraphQLSource("mutation M\(text.replacing(") {", with: ") @auth(level: PUBLIC) {"))", name: "m.gql")],
      against: schema)
    guard let operation = result.connector?.operation("M") else {
      Issue.record("\(result.problems.map(\.description))")
      return
    }
    func refusal(_ values: JSONObject) -> String? {
      do throws(StatementError) {
        try operation.checkAllowed(values)
        return nil
      } catch { return "\(error.path.joined(separator: ".")): \(error.message)" }
    }
    let wrong: JSONValue = ["year": 1]
    let words = "year must not be written through $"
    for before in [[:], ["none": "x"], ["a": .null, "b": .null], ["a": ["title": "A"], "b": []]] as [JSONObject] {
      var values = before
      values["c"] = ["slug": "s"]
      #expect(refusal(values) == nil)
      values["c"] = wrong
      #expect(refusal(values) == "c.year: \(words)c.")
    }
    #expect(refusal(["a": wrong, "c": [:]]) == "a.year: \(words)a.")
    #expect(refusal(["b": [wrong]]) == "b.0.year: \(words)b." && refusal(["b": wrong]) == "b.year: \(words)b.")
    #expect(refusal(["b": [["title": "A"]]]) == nil)
    #expect(refusal(["b": [[:], [:]]]) == "b: $b has 2 rows, and 1 at most are allowed.")
  }

  @Test func `evaluates no expression of a client`() throws {
    let schema = try QueriedDatabase.schema(Films.schema)
    let result = ConnectorCompiler.compile(
      [
        GraphQLSource(
          "mutation M($data: Movie_Data! @allow(fields: \"title\")) @auth(level: PUBLIC) { movie_insert(data: $data) }",
          name: "m.gql")
      ], against: schema)
    let field = try #require(result.connector?.operation("M")?.fields.first)
    for data in [
      ["title_expr": "auth.uid"], ["owner": ["uid": "u1"]], ["year_update": [["inc": 1]]],
      ["released_date": ["today": true]],
    ] as [JSONObject] {
      // As if nobody had asked what is allowed.
      let context = StatementContext(schema: schema, variables: ["data": .object(data)]) {
        text throws(StatementError) in
        text == "uuidV4()" ? "0123456789abcdef0123456789abcdef" : "2026-01-31T00:00:00Z"
      }
      let name = try #require(data.keys.first)
      #expect(
        throws: StatementError(
          "\(name) cannot be given through a variable: it belongs into the operation.", path: ["data"])
      ) { try StatementBuilder.mutation(field, context) }
    }
  }
}
