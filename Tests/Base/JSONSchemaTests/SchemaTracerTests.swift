import ExtensionProtocol
import JSON
import JSONSchema
import PropertyList
import Testing

/// Types of every form that methods have.
enum Sample {
  enum Colour: String, Codable, CaseIterable { case red, green }
  enum Level: Int, Codable, CaseIterable { case low = 1, high = 9 }
  enum Closed: String, Codable { case one }
  struct Empty: Codable {}

  struct Page: Codable {
    var title: String
    var subtitle: String?
    var colour: Colour
    var level: Level?
    @NonNegative<Int> var size: Int
    @Length<Double?> var width: Double?
    @Exact<[Int]?> var offsets: [Int]?
    var plain: Int
    var children: [Page]
    var names: [String: [Colour]]
    var data: JSONValue
    var more: JSONObject?
    var stored: PropertyListValue?
    var small: UInt8?
  }

  /// Two types in one object, as an answer with a context has them.
  struct Merged: Codable {
    var session: String
    var inner: Inner
    struct Inner: Codable { var text: String? }
    enum Keys: String, CodingKey { case session }

    init(from decoder: any Decoder) throws {
      session = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .session)
      inner = try Inner(from: decoder)
    }
    func encode(to encoder: any Encoder) throws {}
  }

  /// What is not there has a value all the same.
  struct Lenient: Codable {
    var words: [String]
    var nested: Bool
    enum Keys: String, CodingKey { case words, nested, flag }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      words = try container.decodeIfPresent([String].self, forKey: .words) ?? []
      nested = try container.nestedContainer(keyedBy: Keys.self, forKey: .nested).decode(Bool.self, forKey: .flag)
    }
    func encode(to encoder: any Encoder) throws {}
  }

  /// Told by what is in it.
  struct Union: Codable {
    enum Keys: String, CodingKey { case text }
    init(from decoder: any Decoder) throws {
      guard try !decoder.container(keyedBy: Keys.self).allKeys.isEmpty else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "It is empty."))
      }
    }
    func encode(to encoder: any Encoder) throws {}
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A schema of a type` {
  private func definition(_ type: any Decodable.Type, _ name: String) throws -> JSONValue {
    let tracer = SchemaTracer()
    #expect(try tracer.schema(of: type) == .reference(name))
    return try #require(tracer.definitions[name]).json
  }

  @Test func `has what its decoding asks for`() throws {
    let schema = try definition(Sample.Page.self, "Sample.Page")
    let properties = try #require(schema["properties"])
    #expect(schema["type"] == "object")
    #expect(schema["required"] == ["title", "colour", "size", "plain", "children", "names", "data"])
    #expect(properties["title"] == ["type": "string"])
    #expect(properties["subtitle"] == ["type": ["string", "null"]])
    #expect(properties["colour"] == ["$ref": "#/$defs/Sample.Colour"])
    #expect(properties["level"] == ["anyOf": [["$ref": "#/$defs/Sample.Level"], ["type": "null"]]])
    #expect(properties["children"] == ["type": "array", "items": ["$ref": "#/$defs/Sample.Page"]])
    #expect(properties["plain"] == ["type": "integer"])
    #expect(properties["data"] == [:])
    #expect(properties["more"] == ["type": ["object", "null"]])
    #expect(
      properties["names"] == [
        "type": "object",
        "additionalProperties": ["type": "array", "items": ["$ref": "#/$defs/Sample.Colour"]],
      ])
    #expect(properties["small"] == ["type": ["integer", "null"], "minimum": 0, "maximum": 255])
  }

  @Test func `has the bounds of its numbers`() throws {
    let properties = try #require(try definition(Sample.Page.self, "Sample.Page")["properties"])
    #expect(properties["size"] == ["type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991])
    #expect(properties["width"] == ["type": ["number", "null"], "minimum": 0, "maximum": 1_000_000])
    #expect(
      properties["offsets"] == [
        "type": ["array", "null"],
        "items": ["type": "integer", "minimum": -9_007_199_254_740_991, "maximum": 9_007_199_254_740_991],
      ])
  }

  @Test func `lists the cases of enumerations`() throws {
    #expect(try definition(Sample.Colour.self, "Sample.Colour") == ["type": "string", "enum": ["red", "green"]])
    #expect(try definition(Sample.Level.self, "Sample.Level") == ["type": "integer", "enum": [1, 9]])
  }

  @Test func `has the members of all that is decoded from one object`() throws {
    #expect(
      try definition(Sample.Merged.self, "Sample.Merged") == [
        "type": "object", "properties": ["session": ["type": "string"], "text": ["type": ["string", "null"]]],
        "required": ["session"],
      ])
    #expect(
      try definition(Sample.Lenient.self, "Sample.Lenient") == [
        "type": "object",
        "properties": [
          "words": ["type": ["array", "null"], "items": ["type": "string"]],
          "nested": ["type": "object", "properties": ["flag": ["type": "boolean"]], "required": ["flag"]],
        ],
        "required": ["nested"],
      ])
  }

  @Test func `without members is that of an object`() throws {
    #expect(try SchemaTracer().schema(of: Sample.Empty.self) == .kind(.object))
  }

  @Test func `says that it cannot be told, and what to do`() throws {
    let types: [any Decodable.Type] = [Sample.Closed.self, Sample.Union.self, [Int: String].self]
    for type in types {
      let error = #expect(throws: SchemaTracingError.self) { try SchemaTracer().schema(of: type) }
      #expect(error?.description.contains("SchemaDescribing") == true)
    }
  }

  @Test func `may stand under another name`() throws {
    let tracer = SchemaTracer()
    try tracer.define("a.params", as: Sample.Merged.self)
    try tracer.define("b.params", as: Sample.Merged.self)
    try tracer.define("c.params", as: [Sample.Merged].self)
    #expect(tracer.definitions["a.params"]?.members.map(\.name) == ["session", "text"])
    #expect(tracer.definitions["b.params"] == .reference("a.params"))
    #expect(tracer.definitions["c.params"] == .array(of: .reference("a.params")))
  }

  @Test func `is read as it was written`() throws {
    let tracer = SchemaTracer()
    _ = try tracer.schema(of: Sample.Page.self)
    #expect(try SchemaDefinitions(tracer.definitions.json) == tracer.definitions)
  }
}
