import JSON
import JSONSchema
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A check against a schema` {
  private func problems(_ schema: JSONValue, _ value: JSONValue, defs: JSONValue = [:]) throws -> [String] {
    let definitions = try SchemaDefinitions(defs)
    return SchemaCheck(try JSONSchema(schema), definitions).problems(of: value, at: SchemaPath("params"))
      .map(\.description)
  }

  @Test(
    arguments: [
      (["type": "string"], "a", true), (["type": "string"], 1, false), (["type": ["string", "null"]], .null, true),
      (["type": "integer"], 1.0, true), (["type": "integer"], 1.5, false), (["type": "number"], 3, true),
      (["minimum": 0, "maximum": 10], 10, true), (["minimum": 0], -0.5, false), (["maximum": 10], 10.5, false),
      (["minimum": 0], "text", true), (["maximum": 9_007_199_254_740_991], 9_007_199_254_740_992, false),
      (["enum": ["a", 1]], 1.0, true), (["const": ["a": [1]]], ["a": [1.0]], true), (["const": "a"], "b", false),
      (["minLength": 1, "maxLength": 2], "é", true), (["maxLength": 2], "abc", false), (["minLength": 1], "", false),
      (["maxItems": 1], [1, 2], false), (["minItems": 1], [], false), (["items": ["type": "string"]], ["a", 1], false),
      (["required": ["a"]], [:], false), (["required": ["a"]], ["a": .null], true),
      (["properties": ["a": ["type": "string"]], "additionalProperties": false], ["b": 1], false),
      (["additionalProperties": ["type": "string"]], ["b": 1], false),
      (["anyOf": [["type": "string"], ["type": "null"]]], .null, true),
      (["oneOf": [["required": ["a"]], ["required": ["b"]]]], ["a": 1, "b": 2], false),
      (["oneOf": [["required": ["a"]], ["required": ["b"]]]], ["a": 1], true), (true, 1, true), (false, 1, false),
    ] as [(JSONValue, JSONValue, Bool)])
  func `knows what is allowed`(schema: JSONValue, value: JSONValue, isAllowed: Bool) throws {
    #expect(try problems(schema, value).isEmpty == isAllowed)
  }

  @Test func `names the place and what is wrong there`() throws {
    let schema: JSONValue = ["$ref": "#/$defs/Page"]
    let defs: JSONValue = [
      "Page": [
        "type": "object", "required": ["title"],
        "properties": ["title": ["type": "string"], "rows": ["type": "array", "items": ["$ref": "#/$defs/Page"]]],
      ]
    ]
    #expect(try problems(schema, ["title": "a", "rows": [["title": "b"]]], defs: defs).isEmpty)
    #expect(
      try problems(schema, ["rows": [["title": 1], 2]], defs: defs) == [
        "params.title: The member is missing.",
        "params.rows[0].title: The value is a number, not a string.",
        "params.rows[1]: The value is a number, not an object.",
      ])
    let view: JSONValue = ["anyOf": [["type": "string"], ["$ref": "#/$defs/Page"]]]
    #expect(try problems(view, ["rows": []], defs: defs) == ["params.title: The member is missing."])
    #expect(try problems(view, 1, defs: defs) == ["params: The value has none of the forms that are allowed."])
  }

  @Test func `ends where a schema does not`() throws {
    let circle: JSONValue = ["A": ["$ref": "#/$defs/B"], "B": ["$ref": "#/$defs/A"]]
    #expect(try problems(["$ref": "#/$defs/A"], 1, defs: circle).count == 1)
    let twins: JSONValue = ["A": ["anyOf": [["$ref": "#/$defs/A"], ["$ref": "#/$defs/A"]]]]
    #expect(!(try problems(["$ref": "#/$defs/A"], 1, defs: twins)).isEmpty)
  }

  @Test func `says little of much that is wrong`() throws {
    let value = JSONValue.array(Array(repeating: 1, count: 100_000))
    #expect(try problems(["items": ["type": "string"]], value).count == 20)
  }

  @Test(
    arguments: [
      (["pattern": "a"], "pattern", "keyword “pattern”"), (["type": "text"], "type", "“text” is not a type"),
      (["properties": ["a": ["allOf": []]]], "properties.a.allOf", "keyword “allOf”"),
      (["$ref": "https://example.com/a"], "$ref", "not to a definition"), (["items": 1], "items", "not a number"),
      (["minimum": "1"], "minimum", "not a number"), (["minLength": -1], "minLength", "not a length"),
      (["anyOf": []], "anyOf", "nothing is allowed"), (["minimum": 2, "maximum": 1], "", "least is more"),
      (["enum": [1], "const": 1], "", "not both"),
    ] as [(JSONValue, String, String)])
  func `is refused for a schema with something else`(schema: JSONValue, path: String, message: String) throws {
    let error = #expect(throws: SchemaError.self) { try JSONSchema(schema) }
    #expect(error?.path.description == path)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `is refused for schemas without measure`() throws {
    var deep: JSONValue = true
    for _ in 0..<100 { deep = ["items": deep] }
    #expect(throws: SchemaError.self) { try JSONSchema(deep) }
    let wide = JSONValue.array((0..<30_000).map { .integer($0) })
    #expect(throws: SchemaError.self) { try JSONSchema(["enum": wide]) }
    #expect(throws: SchemaError.self) { try SchemaDefinitions(["A": ["$ref": "#/$defs/B"]]) }
  }
}
