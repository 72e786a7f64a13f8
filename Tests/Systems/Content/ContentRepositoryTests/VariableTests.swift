import ContentRepository
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A variable of a path` {
  /// The names that are found, or the message.
  static func run(_ type: String, _ use: String, _ value: JSONValue, isText: Bool = true) async throws -> String {
    let state = try #require(Samples.state)
    let query = "query($v: \(type)) { cityList(\(use)) { items { name } } }"
    let answer = await state.run(
      query, variables: ["v": value, "timestamp": "1"], variablesAreText: isText, configuration: "demo")
    if let errors = answer["errors"] { return errors[0]?["message"]?.stringValue ?? "" }
    let items = answer["data"]?["cityList"]?["items"]?.arrayValue ?? []
    return items.map { $0["name"]?.stringValue ?? "" }.joined(separator: ",")
  }

  @Test(arguments: [
    ("Int = 2", "limit: $v", "1", "Basel"), ("Int", "offset: 4, limit: $v", "null", "Zürich"),
    ("Int", "limit: $v", "1.5", "Variable 'v' has an invalid value: An Int is a whole number, not \"1.5\"."),
    ("Int", "limit: $v", "", "Variable 'v' has an invalid value: An Int is a whole number, not \"\"."),
    (
      "Int", "limit: $v", "99999999999999999999",
      "Variable 'v' has an invalid value: An Int is a whole number, not \"99999999999999999999\"."
    ),
    (
      "Int", "limit: $v", "4294967296",
      "Variable 'v' has an invalid value: An Int is a whole number from -2147483648 to 2147483647, not 4294967296."
    ),
    ("Float!", "filter: {rating: {_expressions: {value: $v}}}", "4.25", "Basel"),
    ("Float", "filter: {rating: {_expressions: {value: $v, _operator: LOWER}}}", "4.5", "Basel"),
    (
      "Float", "filter: {rating: {_expressions: {value: $v}}}", "high",
      "Variable 'v' has an invalid value: A Float is a number, not \"high\"."
    ),
    (
      "Float", "filter: {rating: {_expressions: {value: $v}}}", "inf",
      "Variable 'v' has an invalid value: A Float is a number, not \"inf\"."
    ),
    ("String", "limit: 1, sort: $v", "name DESC, _path", "Zürich"),
    ("Boolean", "includeVariations: $v, offset: 3, limit: 1", "true", "Berlin at night"),
    (
      "Boolean", "includeVariations: $v", "yes",
      "Variable 'v' has an invalid value: A Boolean is true or false, not \"yes\"."
    ),
    ("[String]", "filter: {categories: {_expressions: {values: $v}}}", #"["city:na"]"#, "San Jose"),
    ("[String]", "filter: {categories: {_expressions: {values: $v}}}", "city:na", "San Jose"),
    ("[Int!]", "filter: {scores: {_expressions: {values: $v}}}", "[1, 2]", "Basel"),
    (
      "[Int!]", "filter: {scores: {_expressions: {values: $v}}}", "[1,null]",
      "Variable 'v[1]' has an invalid value: null is not a value of the type Int!."
    ),
    (
      "ArrayMode", "filter: {categories: {_expressions: {value: \"city:emea\", _apply: $v}}}", "ALL", "Basel"
    ),
    (
      "ArrayMode", "filter: {categories: {_expressions: {value: \"city:emea\", _apply: $v}}}", "SOME",
      "Variable 'v' has an invalid value: There is no value \"SOME\" in the enumeration \"ArrayMode\"."
    ),
    ("Long", "filter: {stars: {_expressions: {value: $v}}}", "9007199254740993", "Berlin"),
    ("Date", "filter: {founded: {_expressions: {value: $v}}}", "1237-10-28", "Berlin"),
    (
      "Date", "filter: {founded: {_expressions: {value: $v}}}", "soon",
      "Variable 'v' has an invalid value: A Date is a text such as \"2026-05-31\", not \"soon\"."
    ),
    ("CityModelFilter", "filter: $v", #"{"name":{"_expressions":[{"value":"Berlin"}]}}"#, "Berlin"),
    (
      "CityModelFilter", "filter: $v", "{",
      "Variable 'v' has an invalid value: The type \"CityModelFilter\" wants an object, not \"{\"."
    ),
  ])
  func `has the type that the query declares`(type: String, use: String, text: String, result: String) async throws {
    #expect(try await Self.run(type, use, .string(text)) == result)
  }

  @Test func `keeps its quotation marks when it is a text`() async throws {
    let state = try #require(Samples.state)
    let query = "query($n: String!) { cityList(filter: {name: {_expressions: {value: $n}}}) { items { name } } }"
    for (text, count) in [("Berlin", 1), ("\"Berlin\"", 0), ("null", 0), ("true", 0), ("1", 0)] {
      let answer = await state.run(
        query, variables: ["n": .string(text)], variablesAreText: true, configuration: "demo")
      #expect(answer["data"]?["cityList"]?["items"]?.arrayValue?.count == count, "\(answer)")
    }
  }

  @Test func `of a body has its own type already`() async throws {
    #expect(try await Self.run("Int", "limit: $v", 1, isText: false) == "Basel")
    #expect(
      try await Self.run("Int", "limit: $v", "1", isText: false)
        == "Variable 'v' has an invalid value: An Int is a whole number, not \"1\".")
  }

  @Test func `is missing when it is required`() async throws {
    let query = "query($n: String!) { cityList(filter: {name: {_expressions: {value: $n}}}) { items { name } } }"
    let answer = try await Samples.answer(query, ["m": "x"])
    #expect(answer["errors"]?[0]?["message"] == "Variable 'n' has coerced Null value for NonNull type 'String!'")
    #expect(answer["errors"]?[0]?["extensions"]?["classification"] == "ValidationError")
  }

  @Test func `is declared with a type and a default`() throws {
    let state = try ContentRepository(root: nil).state
    let query = try #require(state.persistedQueries(configuration: "wknd-shared").first { $0.name == "adventures-all" })
    #expect(
      state.declaredVariables(of: query.text).map { "\($0.name): \($0.type) = \($0.defaultValue ?? "")" } == [
        "offset: Int = ", "limit: Int = ", "sort: String = ", "imageFormat: AssetTransformFormat = JPG",
        "imageWidth: Int = 1200", "imageQuality: Int = 80",
      ])
    #expect(state.declaredVariables(of: "no query").isEmpty)
  }
}
