import JSON
import Testing

@testable import GraphQL

/// The scalars of every schema: what they take, at their bounds, and what they give.
@Suite(.timeLimit(.minutes(1))) struct `A scalar of GraphQL` {
  private func taken(_ name: String, _ value: JSONValue) throws -> JSONValue? {
    let scalar = try #require(GraphQLScalar.builtIn[name])
    func result(_ body: (JSONValue) throws(GraphQLError) -> JSONValue) -> JSONValue? {
      do throws(GraphQLError) { return try body(value) } catch {
        #expect(!error.message.isEmpty)
        return nil
      }
    }
    let input = result(scalar.input)
    #expect(input == result(scalar.output))
    return input
  }

  @Test(
    arguments: [
      ("Int", 2_147_483_647, 2_147_483_647), ("Int", 2_147_483_648, nil), ("Int", -2_147_483_648, -2_147_483_648),
      ("Int", -2_147_483_649, nil), ("Int", 1.5, nil), ("Int", "1", nil), ("Int", true, nil),
      ("Int", .unsigned(.max), nil), ("Int", .null, nil), ("Float", 1, 1), ("Float", 1.5, 1.5), ("Float", "1", nil),
      ("Float", .double(.infinity), nil), ("Float", .double(.nan), nil), ("Float", false, nil),
      ("Float", .double(.greatestFiniteMagnitude), .double(.greatestFiniteMagnitude)), ("String", "", ""),
      ("String", 1, nil), ("String", .null, nil), ("Boolean", false, false), ("Boolean", true, true),
      ("Boolean", 0, nil), ("Boolean", "true", nil), ("ID", "a", "a"), ("ID", 7, "7"), ("ID", -7, "-7"),
      ("ID", .unsigned(.max), "18446744073709551615"), ("ID", 1.5, nil), ("ID", true, nil), ("ID", .null, nil),
    ] as [(String, JSONValue, JSONValue?)])
  func `takes and gives its own values`(name: String, value: JSONValue, expected: JSONValue?) throws {
    #expect(try taken(name, value) == expected, "\(name) \(value)")
  }

  @Test func `of a document is a value of its type, a name or a number of any length`() throws {
    func value(_ text: String, _ name: String) throws -> JSONValue? {
      let kind = try `A parser of GraphQL`.value(text)
      let schema = try GraphQLSchema([GraphQLSource("scalar Any type Query { a: Any }")])
      return try? InputCoercion.scalar(ValueNode(kind: kind, position: .none), name, schema, variables: nil)
    }
    let digits = "123456789012345678901234567890"
    #expect(try value(digits, "ID") == .string(digits) && value("a", "ID") == nil)
    #expect(try value("18446744073709551615", "Any") == .unsigned(.max))
    #expect(try value("9223372036854775807", "Any") == .integer(.max))
    #expect(try value("-9223372036854775807", "Any") == .integer(-9_223_372_036_854_775_807))
    #expect(try value("18446744073709551616", "Any") == .double(18_446_744_073_709_551_616))
    #expect(
      try value("a", "Any") == "a" && value("a", "String") == nil && value("[a, {b: 1}]", "Any") == ["a", ["b": 1]])
    #expect(try value("1e309", "Any") == nil && value("[1e309]", "Any") == nil && value("1e308", "Any") == 1e308)
    #expect(try value("$a", "Any") == .null && value("[$a]", "Any") == .null)
  }

  @Test func `of one's own gets a name as well`() throws {
    let upper = GraphQLScalar(
      input: { value throws(GraphQLError) in .string((value.stringValue ?? "").uppercased()) },
      output: { value throws(GraphQLError) in value })
    let schema = try GraphQLSchema(
      [GraphQLSource("scalar Upper type Query { a(b: Upper): Int }")], scalars: ["Upper": upper])
    let request = try GraphQLRequest(try GraphQLParser.parse(GraphQLSource("{ a(b: word) }")), schema)
    #expect(request.rootFields.map(\.arguments) == [["b": "WORD"]])
  }
}
