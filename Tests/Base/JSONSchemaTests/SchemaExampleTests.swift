import JSON
import JSONSchema
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The plainest value of a schema` {
  private func example(_ schema: JSONValue, defs: JSONValue = [:]) throws -> JSONValue? {
    SchemaExample(try SchemaDefinitions(defs)).value(of: try JSONSchema(schema))
  }

  @Test(
    arguments: [
      (["type": "null"], .null), (["type": "boolean"], false), (["type": "integer"], 0), (["type": "number"], 0),
      (["type": "integer", "minimum": 3], 3), (["type": "integer", "maximum": -2], -2),
      (["type": "string"], "conformance"), (["type": "string", "maxLength": 3], "con"),
      (["type": "string", "minLength": 13], "conformanceee"), (["enum": ["b", "a"]], "b"), (["const": 7], 7),
      (["type": "array", "items": ["type": "integer"]], []),
      (["type": "array", "items": ["type": "integer"], "minItems": 2], [0, 0]),
      (
        [
          "type": "object", "required": ["a"],
          "properties": ["a": ["type": "boolean"], "b": ["type": "string"]],
        ], ["a": false]
      ),
      (["anyOf": [false, ["type": "integer"]]], 0), (["oneOf": [["type": "null"], ["type": "string"]]], .null),
      (
        [
          "type": "object", "required": ["id"], "properties": ["id": ["type": "integer"]],
          "oneOf": [["required": ["text"]], ["required": ["file"]]],
        ], ["id": 0, "text": "conformance"]
      ),
    ] as [(JSONValue, JSONValue)])
  func `has what has to be there, and nothing else`(schema: JSONValue, value: JSONValue) throws {
    #expect(try example(schema) == value)
  }

  @Test func `is none where nothing is allowed, or there is no end`() throws {
    #expect(try example(false) == nil)
    #expect(try example(["type": "object", "required": ["a"], "properties": ["a": false]]) == nil)
    let endless: JSONValue = [
      "Pair": [
        "type": "object", "required": ["left", "right"],
        "properties": ["left": ["$ref": "#/$defs/Pair"], "right": ["$ref": "#/$defs/Pair"]],
      ]
    ]
    #expect(try example(["$ref": "#/$defs/Pair"], defs: endless) == nil)
    #expect(try example(["$ref": "#/$defs/None"]) == nil)
  }

  @Test func `tells kinds, through references and alternatives`() throws {
    let examples = SchemaExample(try SchemaDefinitions(["Word": ["enum": ["a", 1]]]))
    func kinds(_ schema: JSONValue) throws -> Set<JSONSchema.Kind>? { examples.kinds(of: try JSONSchema(schema)) }
    #expect(try kinds(["$ref": "#/$defs/Word"]) == [.string, .integer])
    #expect(try kinds(["anyOf": [["type": "null"], ["type": ["object", "array"]]]]) == [.null, .object, .array])
    #expect(try kinds(true) == nil)
    #expect(try kinds(["anyOf": [["type": "null"], true]]) == nil)
  }
}
