import JSON
import JSONSchema
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An example at the bounds of its schema` {
  private func example(_ schema: JSONValue, defs: JSONValue = [:]) throws -> JSONValue? {
    SchemaExample(try SchemaDefinitions(defs)).value(of: try JSONSchema(schema))
  }

  @Test(
    arguments: [
      (["type": "integer", "minimum": 0], 0), (["type": "integer", "minimum": 1], 1),
      (["type": "integer", "minimum": -1], 0), (["type": "integer", "maximum": 0], 0),
      (["type": "number", "maximum": -0.5], -0.5), (["type": "number", "minimum": 0.5], 0.5),
      (["type": "integer", "maximum": 1], 0), (["type": "integer", "minimum": 2, "maximum": 9], 2),
      (["type": "integer", "minimum": -9, "maximum": -2], -2),
      (["type": "string", "maxLength": 0], ""), (["type": "string", "maxLength": 11], "conformance"),
      (["type": "string", "minLength": 11], "conformance"), (["type": "string", "minLength": 12], "conformancee"),
      (["type": "string", "minLength": 2, "maxLength": 2], "co"), (["minLength": 12], "conformancee"),
      (true, "conformance"), (["type": ["null", "string"]], .null), (["type": ["string", "null"]], "conformance"),
      (["type": "array", "minItems": 0], []), (["type": "array", "minItems": 1], ["conformance"]),
      (["type": "object", "properties": ["a": ["type": "null"]]], [:]), (["properties": ["a": ["type": "null"]]], [:]),
      (["required": ["a", "b"], "properties": ["b": ["type": "null"]]], ["a": "conformance", "b": .null]),
      (["anyOf": [["type": "null"]], "oneOf": [true]], .null), (["oneOf": [false, ["const": 2]]], 2),
      (
        ["type": "object", "required": ["a"], "anyOf": [["required": ["b"], "properties": ["b": ["const": 1]]]]],
        ["a": "conformance", "b": 1]
      ),
      (["anyOf": [["type": "object", "required": ["b"]]], "required": ["b"]], ["b": "conformance"]),
    ] as [(JSONValue, JSONValue)])
  func `is as near to nothing as it may`(schema: JSONValue, value: JSONValue) throws {
    #expect(try example(schema) == value)
  }

  @Test(
    arguments: [
      ["enum": []], ["type": "string", "enum": [1]], ["type": "integer", "anyOf": [false]],
      ["type": "integer", "minimum": 0.5, "maximum": 0.75], ["anyOf": [false, false]],
      ["type": "array", "minItems": 1, "items": false], ["type": "object", "required": ["a"], "oneOf": [true, true]],
    ] as [JSONValue])
  func `is none where the plainest one is not allowed`(schema: JSONValue) throws {
    #expect(try example(schema) == nil)
  }

  @Test func `has at most ten thousand elements and 65536 letters`() throws {
    #expect(try example(["type": "array", "minItems": 10_000, "items": ["type": "null"]])?.arrayValue?.count == 10_000)
    #expect(try example(["type": "array", "minItems": 10_001, "items": ["type": "null"]]) == nil)
    #expect(try example(["type": "string", "minLength": 65_536])?.stringValue?.utf8.count == 65_536)
    #expect(try example(["type": "string", "minLength": 65_537]) == nil)
  }

  @Test func `is at most 32 references deep`() {
    func example(_ depth: Int) -> JSONValue? {
      var named = ["D\(depth)": JSONSchema.kind(.null)]
      for step in 1..<depth { named["D\(step)"] = .reference("D\(step + 1)") }
      return SchemaExample(SchemaDefinitions(named)).value(of: .reference("D1"))
    }
    #expect(example(32) == .null)
    #expect(example(33) == nil)
  }

  @Test func `has as many levels of arrays and objects`() {
    func example(_ depth: Int, _ around: (JSONSchema) -> JSONSchema) -> JSONValue? {
      SchemaExample(SchemaDefinitions()).value(of: (0..<depth).reduce(.kind(.null)) { inner, _ in around(inner) })
    }
    let forms: [(JSONSchema) -> JSONSchema] = [
      { inner in
        var array = JSONSchema.array(of: inner)
        array.minItems = 1
        return array
      }, { .object([.init("a", $0)], required: ["a"]) }, { .any(of: [$0]) },
    ]
    for form in forms { #expect(example(32, form) != nil && example(33, form) == nil) }
  }

  @Test func `is of no known kind where it is nested more than 32 deep`() throws {
    let examples = SchemaExample(SchemaDefinitions())
    for (depth, kinds) in [(0, [.null]), (32, [.null]), (33, nil), (34, nil)] as [(Int, Set<JSONSchema.Kind>?)] {
      var schema: JSONValue = ["type": "null"]
      for _ in 0..<depth { schema = ["anyOf": [schema]] }
      #expect(examples.kinds(of: try JSONSchema(schema)) == kinds, "\(depth)")
    }
  }

  @Test(
    arguments: [
      (["enum": [.null, true, 1, 1.5, "a", [], [:]]], [.null, .boolean, .integer, .number, .string, .array, .object]),
      (["enum": [.unsigned(.max), -1]], [.integer]), (["type": "string", "enum": [1]], [.string]),
      (["oneOf": [["type": "null"], ["const": "a"]]], [.null, .string]), (["$ref": "#/$defs/A"], [.array]),
      (["anyOf": [["$ref": "#/$defs/A"]], "oneOf": [["type": "null"]]], [.array]), (["minimum": 1], nil),
      (["oneOf": [true]], nil), (["properties": ["a": ["type": "null"]]], nil), (["enum": []], []),
    ] as [(JSONValue, Set<JSONSchema.Kind>?)])
  func `is of the kinds that are allowed`(schema: JSONValue, kinds: Set<JSONSchema.Kind>?) throws {
    let examples = SchemaExample(try SchemaDefinitions(["A": ["type": "array"]]))
    #expect(examples.kinds(of: try JSONSchema(schema)) == kinds)
    #expect(examples.kinds(of: .reference("B")) == nil)
  }

  @Test func `is looked for in 10,000 steps`() {
    func choices(_ count: Int) -> JSONSchema {
      var nothing = JSONSchema.anything
      nothing.isNothing = true
      return .any(of: Array(repeating: nothing, count: count - 1) + [.kind(.null)])
    }
    let examples = SchemaExample(SchemaDefinitions())
    // The first step is the schema itself.
    #expect(examples.value(of: choices(9_999)) == .null && examples.value(of: choices(10_000)) == nil)
    let numbers = JSONSchema.any(of: Array(repeating: .kind(.integer), count: 9_998) + [.kind(.null)])
    #expect(examples.kinds(of: numbers) == [.integer, .null])
    let more = JSONSchema.any(of: Array(repeating: .kind(.integer), count: 9_999) + [.kind(.null)])
    #expect(examples.kinds(of: more) == nil)
    // Each example has all steps for itself.
    #expect(examples.kinds(of: numbers) == [.integer, .null] && examples.value(of: choices(9_999)) == .null)
  }
}
