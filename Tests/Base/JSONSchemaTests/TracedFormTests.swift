import JSON
import JSONSchema
import Testing

/// Types whose decoding asks for one thing each.
private enum Form {
  /// Every plain value, there and perhaps there.
  struct Plain: Decodable {
    var b: Bool, s: String, d: Double, f: Float, i: Int, i8: Int8, i16: Int16, i32: Int32, i64: Int64
    var u: UInt, u8: UInt8, u16: UInt16, u32: UInt32, u64: UInt64
  }

  struct Absent: Decodable {
    var b: Bool?, s: String?, d: Double?, f: Float?, i: Int?, i8: Int8?, i16: Int16?, i32: Int32?, i64: Int64?
    var u: UInt?, u8: UInt8?, u16: UInt16?, u32: UInt32?, u64: UInt64?
  }

  enum Octet: UInt8, Decodable, CaseIterable { case low = 1, high = 200 }

  /// Decodes what it is told to.
  struct Told<Step: FormStep>: Decodable {
    init(from decoder: any Decoder) throws { try Step.take(decoder) }
  }

  enum Keys: String, CodingKey { case a, b }

  enum Contains: FormStep {
    static func take(_ decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      guard !container.contains(.a), try container.decodeNil(forKey: .b) else { throw FormIsOther() }
    }
  }

  enum Nested: FormStep {
    static func take(_ decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      var elements = try container.nestedUnkeyedContainer(forKey: .a)
      while !elements.isAtEnd { _ = try elements.decode(String.self) }
      guard elements.count == 1, elements.currentIndex == 1 else { throw FormIsOther() }
      _ = try container.superDecoder(forKey: .b).singleValueContainer().decode(Bool.self)
      _ = try container.superDecoder().container(keyedBy: Keys.self).decode(Int8.self, forKey: .a)
    }
  }

  enum NoValue: FormStep { static func take(_ decoder: any Decoder) throws { _ = try decoder.singleValueContainer() } }
  enum NoElement: FormStep { static func take(_ decoder: any Decoder) throws { _ = try decoder.unkeyedContainer() } }

  enum Value: FormStep {
    static func take(_ decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard !container.decodeNil() else { throw FormIsOther() }
      _ = try container.decode([Bool].self)
    }
  }

  enum SameElements: FormStep {
    static func take(_ decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      guard try !elements.decodeNil() else { throw FormIsOther() }
      for _ in 0..<2 { _ = try elements.decode(UInt8.self) }
    }
  }

  enum OtherElements: FormStep {
    static func take(_ decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      _ = try elements.decode(UInt8.self)
      _ = try elements.decode(String.self)
    }
  }

  enum TwoForms: FormStep {
    static func take(_ decoder: any Decoder) throws {
      _ = try decoder.container(keyedBy: Keys.self)
      _ = try decoder.singleValueContainer()
    }
  }

  enum ByHand: FormStep {
    static func take(_ decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      _ = try elements.nestedContainer(keyedBy: Keys.self)
    }
  }

  enum ListByHand: FormStep {
    static func take(_ decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      _ = try elements.nestedUnkeyedContainer()
    }
  }

  /// Contains itself, always.
  final class Endless: Decodable { let next: Endless }
  /// Contains itself, perhaps.
  final class Chain: Decodable { let next: Chain? }

  /// Decoded from texts alone, though its example is a number.
  struct Lying: Decodable, SchemaDescribing {
    static func schema(_ tracer: SchemaTracer) -> JSONSchema { .kind(.string) }
    static let schemaExample: JSONValue = 1
    init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(String.self) }
  }

  /// Has a description, and so a name.
  struct Described: Decodable, SchemaDescribing {
    static func schema(_ tracer: SchemaTracer) -> JSONSchema {
      var schema = JSONSchema.kind(.string)
      schema.summary = "A text."
      return schema
    }
    static let schemaExample: JSONValue = "a"
    init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(String.self) }
  }
}

private protocol FormStep { static func take(_ decoder: any Decoder) throws }
private struct FormIsOther: Error {}

struct TracedPair<Value: Decodable>: Decodable { var one: Value }

private func firstTwin() -> any Decodable.Type {
  struct Twin: Decodable { var one: Int }
  return Twin.self
}

private func secondTwin() -> any Decodable.Type {
  struct Twin: Decodable { var two: Int }
  return Twin.self
}

@Suite(.timeLimit(.minutes(1))) struct `The form that a type is decoded from` {
  private func schema(_ type: any Decodable.Type) throws -> JSONValue {
    let tracer = SchemaTracer()
    let schema = try tracer.schema(of: type)
    return try schema.reference.map { try #require(tracer.definitions[$0]).json } ?? schema.json
  }

  private static let plain: JSONValue = [
    "b": ["type": "boolean"], "s": ["type": "string"], "d": ["type": "number"], "f": ["type": "number"],
    "i": ["type": "integer"], "i8": ["type": "integer", "minimum": -128, "maximum": 127],
    "i16": ["type": "integer", "minimum": -32_768, "maximum": 32_767],
    "i32": ["type": "integer", "minimum": -2_147_483_648, "maximum": 2_147_483_647], "i64": ["type": "integer"],
    "u": ["type": "integer", "minimum": 0], "u8": ["type": "integer", "minimum": 0, "maximum": 255],
    "u16": ["type": "integer", "minimum": 0, "maximum": 65_535],
    "u32": ["type": "integer", "minimum": 0, "maximum": 4_294_967_295], "u64": ["type": "integer", "minimum": 0],
  ]

  @Test func `shows every plain value with the bounds of its type`() throws {
    let found = try schema(Form.Plain.self)
    #expect(found["properties"] == Self.plain)
    let names = try #require(Self.plain.objectValue).map { JSONValue.string($0.key) }
    #expect(found["required"] == .array(names))
  }

  @Test func `shows what may be missing, which may be null too`() throws {
    let found = try schema(Form.Absent.self)
    #expect(found["required"] == nil)
    let members = try #require(found["properties"]?.objectValue)
    #expect(members.count == 14)
    for (name, schema) in try #require(Self.plain.objectValue) {
      var own = try #require(schema.objectValue)
      own["type"] = .array([try #require(own["type"]), "null"])
      #expect(members[name] == .object(own), "\(name)")
    }
  }

  @Test func `shows what is only looked for, and what is asked to be null`() throws {
    #expect(
      try schema(Form.Told<Form.Contains>.self)
        == ["type": "object", "properties": ["a": [:], "b": [:]], "required": ["b"]])
  }

  @Test func `shows what is nested in it`() throws {
    #expect(
      try schema(Form.Told<Form.Nested>.self) == [
        "type": "object",
        "properties": [
          "a": ["type": "array", "items": ["type": "string"]], "b": ["type": "boolean"],
          "super": [
            "type": "object", "properties": ["a": ["type": "integer", "minimum": -128, "maximum": 127]],
            "required": ["a"],
          ],
        ],
        "required": ["a", "b", "super"],
      ])
  }

  @Test func `is anything, or any array, where nothing of it is asked`() throws {
    #expect(try schema(Form.Told<Form.NoValue>.self) == [:])
    #expect(try schema(Form.Told<Form.NoElement>.self) == ["type": "array"])
    #expect(try schema(Form.Told<Form.Value>.self) == ["type": "array", "items": ["type": "boolean"]])
    #expect(
      try schema(Form.Told<Form.SameElements>.self)
        == ["type": "array", "items": ["type": "integer", "minimum": 0, "maximum": 255]])
    #expect(try schema(Set<String>.self) == ["type": "array", "items": ["type": "string"]])
    #expect(try schema(Int?.self) == ["type": ["integer", "null"]])
  }

  @Test func `has the cases of an enumeration in place of the bounds of its numbers`() throws {
    #expect(try schema(Form.Octet.self) == ["type": "integer", "enum": [1, 200]])
  }

  @Test func `is not guessed where it cannot be told`() {
    let unclear: [(any Decodable.Type, String)] = [
      (Form.Told<Form.OtherElements>.self, "Its elements are of several types."),
      (Form.Told<Form.TwoForms>.self, "It is decoded from values of several forms."),
      (Form.Told<Form.ByHand>.self, "Its elements are decoded by hand."),
      (Form.Told<Form.ListByHand>.self, "Its elements are decoded by hand."),
      (Form.Endless.self, "It contains itself without an end."), ([Int: Bool].self, "Its keys are not strings."),
      (Form.Lying.self, "It is not decoded from its example: "),
    ]
    for (type, reason) in unclear {
      let tracer = SchemaTracer()
      let error = #expect(throws: SchemaTracingError.self) { try tracer.schema(of: type) }
      #expect(error?.description.contains(reason) == true, "\(type): \(error?.description ?? "")")
      // A type that failed is no longer being traced.
      let again = #expect(throws: SchemaTracingError.self) { try tracer.schema(of: type) }
      #expect(again?.description.contains(reason) == true, "\(type): \(again?.description ?? "")")
    }
  }

  @Test func `refers to itself where it may end`() throws {
    let tracer = SchemaTracer()
    let reference = try tracer.schema(of: Form.Chain.self)
    let name = try #require(reference.reference)
    #expect(
      tracer.definitions[name]
        == .object([.init("next", .any(of: [reference, .kind(.null)]))]))
  }

  @Test func `has a name where there is something to describe`() throws {
    let tracer = SchemaTracer()
    let reference = try tracer.schema(of: Form.Described.self)
    #expect(
      tracer.definitions[try #require(reference.reference)]?.json == ["description": "A text.", "type": "string"])
    #expect(try tracer.schema(of: Form.Described.self) == reference && tracer.definitions.named.count == 1)
    tracer.define("other", .kind(.null))
    #expect(tracer.definitions["other"] == .kind(.null) && tracer.definitions.named.count == 2)
  }

  @Test func `has the name of its type, with what is no name's replaced and a number for a second one`() throws {
    let tracer = SchemaTracer()
    #expect(try tracer.schema(of: TracedPair<Int>.self) == .reference("TracedPair_Swift.Int_"))
    let first = try #require(try tracer.schema(of: firstTwin()).reference)
    #expect(try tracer.schema(of: secondTwin()) == .reference(first + "2"))
    #expect(try tracer.schema(of: firstTwin()) == .reference(first))
    #expect(tracer.definitions[first]?.members.map(\.name) == ["one"])
    #expect(tracer.definitions[first + "2"]?.members.map(\.name) == ["two"])
  }
}
