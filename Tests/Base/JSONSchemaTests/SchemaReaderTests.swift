import JSON
import JSONSchema
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A schema that is read` {
  /// Every keyword that means something.
  private static let whole: JSONValue = [
    "description": "all", "type": ["object", "null"],
    "properties": [
      "a": ["const": 1], "b": ["enum": [1, 2]], "c": ["$ref": "#/$defs/x~1y~0z"], "d": false,
      "e": ["type": "string", "minLength": 0, "maxLength": 2],
    ],
    "required": ["b", "a"], "additionalProperties": ["type": "integer", "minimum": -1, "maximum": 2.5],
    "items": ["type": "array", "minItems": 3, "maxItems": 3], "anyOf": [["type": "null"], [:]], "oneOf": [[:]],
  ]

  @Test func `has all that was written, and is written the same`() throws {
    let schema = try JSONSchema(Self.whole)
    #expect(schema.summary == "all" && schema.kinds == [.object, .null] && schema.required == ["b", "a"])
    #expect(schema.members.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(schema.members.map(\.schema.values) == [[1], [1, 2], nil, nil, nil])
    #expect(schema.members.map(\.schema.isNothing) == [false, false, false, true, false])
    #expect(schema.members[2].schema == .reference("x/y~z"))
    #expect(schema.members[4].schema.minLength == 0 && schema.members[4].schema.maxLength == 2)
    #expect(schema.items.map(\.minItems) == [3] && schema.items.map(\.maxItems) == [3])
    guard case .values(let values) = schema.additional else { throw SchemaIsOther() }
    #expect(values.minimum == -1 && values.maximum == 2.5)
    #expect(schema.anyOf == [.kind(.null), .anything] && schema.oneOf == [.anything])
    #expect(schema.json == Self.whole)
    #expect(try SchemaDefinitions(["a": ["type": "null"]]).json == ["a": ["type": "null"]])
  }

  @Test func `leaves out what is not there`() {
    #expect(JSONSchema.anything.json == [:] && JSONSchema.kind(.null).json == ["type": "null"])
    #expect(JSONSchema.words([]).json == ["type": "string", "enum": []])
    #expect(JSONSchema.constant("a").json == ["type": "string", "const": "a"])
    #expect(JSONSchema.words(["a", "b"]).json == ["type": "string", "enum": ["a", "b"]])
    let object = JSONSchema.object([.init("a", .anything)])
    #expect(object.json == ["type": "object", "properties": ["a": [:]]])
    #expect(JSONSchema.dictionary(of: .kind(.null)).json["additionalProperties"] == ["type": "null"])
  }

  @Test(
    arguments: [
      (true, .anything), ([:], .anything), (false, .none), (["type": "null"], .values(.kind(.null))),
    ] as [(JSONValue, JSONSchema.Additional)])
  func `knows what else an object may have`(json: JSONValue, additional: JSONSchema.Additional) throws {
    #expect(try JSONSchema(["additionalProperties": json]).additional == additional)
  }

  @Test(arguments: ["$schema", "$id", "$comment", "$defs", "title", "default", "examples", "deprecated", "readOnly"])
  func `passes over what decides nothing`(keyword: String) throws {
    for keyword in [keyword, "writeOnly", "x-any"] {
      #expect(try JSONSchema(.object([keyword: ["type": 1]])) == .anything)
    }
    let error = #expect(throws: SchemaError.self) { try JSONSchema(.object(["not\(keyword)": true])) }
    #expect(error?.message == "This host does not know the keyword “not\(keyword)”.")
  }

  @Test(arguments: [
    ("#/$defs/a", "a"), ("#/$defs/~0~1", "~/"), ("#/$defs/~01", "~1"), ("#/$defs/é b", "é b"), ("#/$defs/", nil),
    ("#/$defs/a/b", nil), ("#/$defs/~2", nil), ("#/$defs/a~", nil), ("#/$defs", nil), ("#/definitions/a", nil),
    ("", nil),
  ])
  func `refers to names as pointers have them`(pointer: String, name: String?) throws {
    #expect((try? JSONSchema(["$ref": .string(pointer)]))?.reference == name)
    guard let name else { return }
    #expect(JSONSchema.reference(name).json == ["$ref": .string(pointer)])
  }

  @Test(
    arguments: [
      (["minimum": 1, "maximum": 1], true), (["minimum": 1.5, "maximum": 1], false), (["minimum": 2], true),
      (["maximum": -2], true), (["minLength": 2, "maxLength": 2], true), (["minLength": 3, "maxLength": 2], false),
      (["minItems": 2, "maxItems": 2], true), (["minItems": 3, "maxItems": 2], false), (["maxItems": 0], true),
      (["minLength": 5], true), (["minItems": 5], true), (["maxLength": 0], true),
      (["minLength": 1_099_511_627_776], true), (["minLength": 1_099_511_627_777], false), (["minItems": 1.0], true),
      (["minItems": 1.5], false), (["maxItems": -1], false), (["maxLength": "1"], false), (["maximum": .null], false),
      (["type": []], false), (["type": ["null"]], true), (["type": 1], false), (["type": ["null", 1]], false),
      (["oneOf": []], false), (["oneOf": [1]], false), (["oneOf": [:]], false), (["enum": []], true),
      (["enum": 1], false), (["required": ["a", 1]], false), (["required": [:]], false), (["properties": []], false),
      (["description": 1], false), (["$ref": 1], false), (["enum": [1]], true), (["const": .null], true),
      (["enum": [1], "const": .null], false), (.null, false), ([], false),
    ] as [(JSONValue, Bool)])
  func `has keywords of the right form alone`(json: JSONValue, isSchema: Bool) {
    #expect(((try? JSONSchema(json)) != nil) == isSchema)
  }

  @Test(
    arguments: [
      (["type": 1], "type", "The value is a number, not an array.", "Write an array."),
      (["required": [.null]], "required", "The value is null, not a string.", "Write a string."),
      (["maxItems": 0.5], "maxItems", "The value is a number, not a length.", "Write a length."),
      (["type": "int"], "type", "“int” is not a type.", "Use null, boolean, integer, number, string, array, object."),
      (["oneOf": [true, 1]], "oneOf[1]", "A schema is an object or a boolean, not a number.", nil),
      (
        ["properties": ["a.b": ["type": []]]], "properties[\"a.b\"].type", "The list is empty, so nothing is allowed.",
        nil
      ),
      (
        ["additionalProperties": ["minLength": 1, "maxLength": 0]], "additionalProperties",
        "The least is more than the most.", "Swap the two."
      ),
      (["$ref": "a"], "$ref", "A reference is not to a definition of this document.", "Write #/$defs/NAME."),
    ] as [(JSONValue, String, String, String?)])
  func `is refused with the place and what to do`(
    json: JSONValue, path: String, message: String, recovery: String?
  ) {
    let error = #expect(throws: SchemaError.self) { try JSONSchema(json) }
    #expect(error?.path.description == path && error?.message == message)
    #expect(error?.recovery == recovery ?? "Use the part of JSON Schema that this host knows.")
  }

  @Test(arguments: ["items", "additionalProperties"]) func `is at most 48 deep`(keyword: String) throws {
    func schema(_ depth: Int) -> JSONValue {
      (0..<depth).reduce(["type": "null"]) { inner, _ in .object([keyword: inner]) }
    }
    _ = try JSONSchema(schema(48))
    let error = #expect(throws: SchemaError.self) { try JSONSchema(schema(49)) }
    #expect(error?.message == "The schema is deeper than 48.")
    for deeper in [["properties": ["a": schema(48)]], ["anyOf": [schema(48)]]] as [JSONValue] {
      #expect(throws: SchemaError.self) { try JSONSchema(deeper) }
    }
  }

  @Test func `has at most 20000 values, in all definitions together`() throws {
    func words(_ count: Int) -> JSONValue { ["enum": .array((0..<count).map { .integer(Int64($0)) })] }
    // A schema and its keyword count, too.
    #expect(try JSONSchema(words(19_998)).values?.count == 19_998)
    let error = #expect(throws: SchemaError.self) { try JSONSchema(words(19_999)) }
    #expect(error?.message == "The schema is too large." && error?.path.description == "enum")
    #expect(try SchemaDefinitions(["a": words(9_998), "b": words(9_998)]).named.count == 2)
    #expect(throws: SchemaError.self) { try SchemaDefinitions(["a": words(9_998), "b": words(9_999)]) }
    let members = JSONValue.object(JSONObject((0..<19_998).map { ("m\($0)", true) }))
    #expect(try JSONSchema(["properties": members]).members.count == 19_998)
    #expect(throws: SchemaError.self) { try JSONSchema(["items": ["properties": members]]) }
  }

  @Test(
    arguments: [
      (["$ref": "#/$defs/B"], "A.$ref"), (["properties": ["x": ["$ref": "#/$defs/B"]]], "A.properties.$ref"),
      (["additionalProperties": ["$ref": "#/$defs/B"]], "A.additionalProperties.$ref"),
      (["items": ["$ref": "#/$defs/B"]], "A.items.$ref"), (["anyOf": [true, ["$ref": "#/$defs/B"]]], "A.anyOf.$ref"),
      (["oneOf": [["items": ["$ref": "#/$defs/B"]]]], "A.oneOf.items.$ref"),
    ] as [(JSONValue, String)])
  func `refers to definitions that are there`(json: JSONValue, path: String) throws {
    let error = #expect(throws: SchemaError.self) { try SchemaDefinitions(["A": json]) }
    #expect(error?.path.description == path && error?.message == "There is no definition of “B”.")
    #expect(try SchemaDefinitions(["A": json, "B": true]).named.count == 2)
  }

  @Test func `has definitions by name`() throws {
    let error = #expect(throws: SchemaError.self) { try SchemaDefinitions([true]) }
    #expect(error?.message == "$defs is an array, not an object.")
    var definitions = SchemaDefinitions()
    definitions["b"] = .kind(.null)
    definitions["a"] = .kind(.string)
    #expect(definitions["b"] == .kind(.null) && definitions["c"] == nil)
    #expect(definitions.json.objectValue.map { $0.map(\.key) } == ["a", "b"])
    definitions["b"] = nil
    #expect(definitions.json == ["a": ["type": "string"]])
  }
}

private struct SchemaIsOther: Error {}

@Suite(.timeLimit(.minutes(1))) struct `A schema that is changed` {
  @Test func `allows null, in its kinds where it can and beside it else`() {
    #expect(JSONSchema.anything.orNull == .anything)
    #expect(JSONSchema.kind(.string).orNull == .kind(.string, .null))
    #expect(JSONSchema.kind(.null, .string).orNull == .kind(.null, .string))
    let others: [JSONSchema] = [.words(["a"]), .reference("a"), .any(of: [.kind(.string)])]
    for schema in others { #expect(schema.orNull == .any(of: [schema, .kind(.null)])) }
    for keyPath in [\JSONSchema.anyOf, \.oneOf] as [WritableKeyPath<JSONSchema, [JSONSchema]>] {
      var schema = JSONSchema.kind(.object)
      schema[keyPath: keyPath] = [.kind(.object)]
      #expect(schema.orNull == .any(of: [schema, .kind(.null)]))
    }
    var referring = JSONSchema.kind(.object)
    referring.reference = "a"
    #expect(referring.orNull == .any(of: [referring, .kind(.null)]))
  }

  @Test func `has bounds where its numbers are`() {
    let bounds: JSONValue = ["minimum": -1, "maximum": 2]
    func bounded(_ schema: JSONSchema) -> JSONValue { schema.bounded(by: -1...2).json }
    #expect(bounded(.kind(.null, .integer)) == ["type": ["null", "integer"], "minimum": -1, "maximum": 2])
    #expect(bounded(.kind(.number))["minimum"] == bounds["minimum"])
    #expect(bounded(.kind(.string)) == ["type": "string"] && bounded(.anything) == [:])
    #expect(bounded(.array(of: .kind(.number)))["items"]?["maximum"] == 2)
    #expect(bounded(.dictionary(of: .array(of: .kind(.integer))))["additionalProperties"]?["items"]?["minimum"] == -1)
    #expect(bounded(.array(of: .kind(.number)))["maximum"] == nil)
  }
}
