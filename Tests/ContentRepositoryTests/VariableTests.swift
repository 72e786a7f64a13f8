import ContentRepository
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A variable of a path` {
  static let query = """
    query($int: Int = 9, $float: Float, $bool: Boolean, $text: String, $texts: [String], $mode: ArrayMode, $date: Date,
      $filter: CityModelFilter, $long: Long, $words: [Int!]) {
      a: cityList(limit: $int, sort: $text, filter: $filter, includeVariations: $bool) { items { name } }
      b: cityList(filter: {_logOp: OR, rating: {_expressions: {value: $float}}, stars: {_expressions: {value: $long}},
        founded: {_expressions: {value: $date}}, scores: {_expressions: {values: $words}},
        categories: {_expressions: {values: $texts, _apply: $mode}}}) { items { name } }
    }
    """

  /// The names that are found, or the message.
  static func run(_ variables: JSONObject, isText: Bool = true) async throws -> String {
    let state = try #require(Samples.state)
    let answer = await state.run(query, variables: variables, variablesAreText: isText, configuration: "demo")
    if let errors = answer["errors"] { return errors[0]?["message"]?.stringValue ?? "" }
    return ["a", "b"].map { field in
      (answer["data"]?[field]?["items"]?.arrayValue ?? []).map { $0["name"]?.stringValue ?? "" }.joined(separator: ",")
    }.joined(separator: " | ")
  }

  static let none = "Basel,Basel,Berlin,San Jose,Zürich"

  @Test(arguments: [
    (["int": "1"], "Basel | \(none)"), (["int": "null"], "\(none) | \(none)"),
    (["int": "1.5"], "$int: An Int is a whole number, not \"1.5\"."), (["int": ""], "$int: An Int is a whole number, not \"\"."),
    (["int": "99999999999999999999"], "$int: An Int is a whole number, not \"99999999999999999999\"."),
    (["int": "4294967296"], "$int: An Int is a whole number from -2147483648 to 2147483647, not 4294967296."),
    (["int": "1", "float": "4.25", "texts": "[]", "mode": "ALL"], "Basel | Basel"),
    (["float": "high"], "$float: A Float is a number, not \"high\"."), (["float": "inf"], "$float: A Float is a number, not \"inf\"."),
    (["int": "1", "text": "name DESC, _path", "bool": "true"], "Zürich | \(none)"),
    (["bool": "yes"], "$bool: A Boolean is true or false, not \"yes\"."),
    (["int": "1", "texts": #"["city:na"]"#], "Basel | San Jose"), (["int": "1", "texts": "city:na"], "Basel | San Jose"),
    (["int": "1", "words": "[1,2]", "texts": "-"], "Basel | Basel"),
    (["words": "[1,null]"], "$words[1]: null is no value of the type Int!."),
    (["mode": "SOME"], "$mode: There is no value \"SOME\" in the enumeration \"ArrayMode\"."),
    (["int": "1", "long": "9007199254740993", "texts": "-", "float": "0"], "Basel | Berlin"),
    (["int": "1", "date": "1237-10-28", "texts": "-", "float": "0"], "Basel | Berlin"),
    (["date": "soon"], "$date: A Date is a text such as \"2026-05-31\", not \"soon\"."),
    (["filter": #"{"name":{"_expressions":[{"value":"Berlin"}]}}"#], "Berlin | \(none)"),
    (["filter": "{"], "$filter: The type \"CityModelFilter\" wants an object, not \"{\"."),
    (["timestamp": "1", "int": "1"], "Basel | \(none)"),
  ] as [(JSONObject, String)])
  func `has the type that the query declares`(variables: JSONObject, result: String) async throws {
    let found = try await Self.run(variables)
    // What compares with nothing leaves those without a value.
    #expect(found == result || (result.hasSuffix(Self.none) && found.hasPrefix(result.prefix { $0 != "|" })), "\(found)")
  }

  @Test func `keeps its quotation marks when it is a text`() async throws {
    let state = try #require(Samples.state)
    let query = "query($n: String!) { cityList(filter: {name: {_expressions: {value: $n}}}) { items { name } } }"
    for (text, count) in [("Berlin", 1), ("\"Berlin\"", 0), ("null", 0), ("true", 0), ("1", 0)] {
      let answer = await state.run(query, variables: ["n": .string(text)], variablesAreText: true, configuration: "demo")
      #expect(answer["data"]?["cityList"]?["items"]?.arrayValue?.count == count, "\(answer)")
    }
  }

  @Test func `of a body has its own type already`() async throws {
    #expect(try await Self.run(["int": 1], isText: false).hasPrefix("Basel |"))
    #expect(try await Self.run(["int": "1"], isText: false) == "$int: An Int is a whole number, not \"1\".")
  }

  @Test func `is missing when it is required`() async throws {
    let query = "query($n: String!) { cityList(filter: {name: {_expressions: {value: $n}}}) { items { name } } }"
    let answer = try await Samples.answer(query, ["m": "x"])
    #expect(answer["errors"]?[0]?["message"] == "$n: The variable is missing. Give it a value of the type String!.")
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
