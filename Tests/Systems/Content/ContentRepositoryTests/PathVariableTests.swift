import GraphQL
import JSON
import Testing

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `The text of a variable` {
  /// The values of texts for an operation that declares variables.
  private static func values(_ declared: String, _ given: JSONObject) throws -> JSONObject {
    let endpoint = try #require(Samples.state?.endpoint("demo"))
    let document = GraphQLParser.read([GraphQLSource("query(\(declared)) { __typename }")]).document
    return VariableText.values(given, try #require(document.operations.first), endpoint.schema)
  }

  @Test(
    arguments: [
      ("String", "null", "null"), ("String!", "1", "1"), ("ID", "5", "5"), ("Int", "5", 5), ("Int!", "-5", -5),
      ("Int", "null", .null), ("Int", "x", "x"), ("Int", "", ""), ("Int", "1.0", "1.0"),
      ("Long", "-9223372036854775808", .integer(.min)), ("Long", "9223372036854775808", "9223372036854775808"),
      ("Float", "5", 5), ("Float", "5.5", 5.5), ("Float", "-1e2", -100.0), ("Float", "nan", "nan"),
      ("Float", "inf", "inf"), ("Float", "null", .null), ("Boolean", "true", true), ("Boolean", "false", false),
      ("Boolean", "True", "True"), ("Boolean", "null", .null), ("Boolean", "1", "1"),
      ("Json", "{\"a\": [1]}", ["a": [1]]),
      ("Json", "x", "x"), ("Json", "null", .null), ("Json", "5", 5), ("[Int]", "null", .null), ("[Int]", "5", [5]),
      ("[Int!]!", "[1, \"a\", null]", [1, "a", .null]), ("[Int]", "{}", ["{}"]), ("[Int]", "[1", ["[1"]),
      ("[String]", "null", .null), ("[String]", "[]", []), ("[[Int]]", "5", [[5]]),
      ("CityModelFilter", "{\"_logOp\": \"OR\"}", ["_logOp": "OR"]), ("CityModelFilter", "null", .null),
      ("CityModelFilter", "{", "{"), ("LogOp", "OR", "OR"), ("LogOp", "null", .null), ("LogOp", "{}", "{}"),
      ("Calendar", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"), ("Date", "5", "5"), ("None", "[1]", "[1]"),
    ] as [(String, String, JSONValue)])
  func `becomes a value of its type`(type: String, text: String, value: JSONValue) throws {
    #expect(try Self.values("$v: \(type)", ["v": .string(text)]) == ["v": value])
  }

  @Test func `counts when it is declared`() throws {
    let found = try Self.values("$a: Int, $b: Int, $c: Int, $d: String", ["e": "1", "c": "3", "a": "1", "b": 2.5])
    #expect(found == ["a": 1, "b": 2.5, "c": 3] && found.keys == ["a", "b", "c"])
    #expect(try Self.values("$a: Int", [:]) == [:])
    #expect(try Self.values("$a: String", ["a": .null]) == ["a": .null])
  }

  @Test func `has the type that the chosen operation declares`() async throws {
    let state = try #require(Samples.state)
    let query = """
      query A($v: String) { cityList(sort: $v) { items { name } } }
      query B($v: Int) { cityList(limit: $v) { items { name } } }
      """
    for (name, count) in [("A", 5), ("B", 2)] {
      let answer = await state.run(
        query, variables: ["v": .string(name == "A" ? "name" : "2")], variablesAreText: true, operationName: name,
        configuration: "demo")
      #expect(answer["errors"] == nil && answer["data"]?["cityList"]?["items"]?.arrayValue?.count == count)
    }
  }
}
