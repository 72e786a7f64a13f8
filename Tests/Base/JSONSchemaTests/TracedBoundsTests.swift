import ExtensionProtocol
import JSON
import JSONSchema
import Testing

private enum High: NumberBounds { static let range = 3...9 }
private enum Low: NumberBounds { static let range = -9...(-3) }

private enum Numbers {
  struct Members: Codable {
    @Bounded<Int, High> var a: Int
    @Bounded<Int, Low> var b: Int
    @Bounded<Double, Low> var c: Double
    @Bounded<UInt32, High> var d: UInt32
    @Bounded<UInt64?, High> var e: UInt64?
    @Bounded<[Int64], High> var f: [Int64]
    @Bounded<[String: Int]?, Low> var g: [String: Int]?
  }

  enum Keys: String, CodingKey { case a, b }

  /// Two numbers of one name, at two places.
  struct Places: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      _ = try container.nestedContainer(keyedBy: Keys.self, forKey: .a).decode(Bounded<Int, High>.self, forKey: .b)
      _ = try container.nestedContainer(keyedBy: Keys.self, forKey: .b).decode(Bounded<Int, Low>.self, forKey: .b)
    }
  }

  private static func number<Value: Decodable>(_ type: Value.Type, _ decoder: any Decoder) throws -> Value {
    try decoder.singleValueContainer().decode(Value.self)
  }

  private static func check(_ isAllowed: Bool, _ range: ClosedRange<Int>? = nil) throws {
    if isAllowed { return }
    throw DecodingError.dataCorrupted(
      .init(codingPath: [], debugDescription: "", underlyingError: range.map { OutOfBounds($0) }))
  }

  /// Refuses large numbers without telling its bounds.
  struct Small: Decodable {
    init(from decoder: any Decoder) throws { try check(number(Int.self, decoder) < 100) }
  }

  /// Refuses what its own bounds allow.
  struct Odd: Decodable {
    init(from decoder: any Decoder) throws { try check(number(Int.self, decoder) == 5, 3...9) }
  }

  /// Tells its bounds.
  struct Told: Decodable {
    init(from decoder: any Decoder) throws { try check((3...9).contains(number(Int.self, decoder)), 3...9) }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The bounds of a type's numbers` {
  private func schema(_ type: any Decodable.Type) throws -> JSONValue {
    let tracer = SchemaTracer()
    let schema = try tracer.schema(of: type)
    return try schema.reference.map { try #require(tracer.definitions[$0]).json } ?? schema.json
  }

  @Test func `are those at which its decoding fails, where zero is outside too`() throws {
    #expect(
      try schema(Numbers.Members.self) == [
        "type": "object",
        "properties": [
          "a": ["type": "integer", "minimum": 3, "maximum": 9], "b": ["type": "integer", "minimum": -9, "maximum": -3],
          "c": ["type": "number", "minimum": -9, "maximum": -3], "d": ["type": "integer", "minimum": 3, "maximum": 9],
          "e": ["type": ["integer", "null"], "minimum": 3, "maximum": 9],
          "f": ["type": "array", "items": ["type": "integer", "minimum": 3, "maximum": 9]],
          "g": [
            "type": ["object", "null"], "additionalProperties": ["type": "integer", "minimum": -9, "maximum": -3],
          ],
        ],
        "required": ["a", "b", "c", "d", "f"],
      ])
  }

  @Test func `are found by the way to a number`() throws {
    func object(_ minimum: Int64, _ maximum: Int64) -> JSONValue {
      [
        "type": "object",
        "properties": ["b": ["type": "integer", "minimum": .integer(minimum), "maximum": .integer(maximum)]],
        "required": ["b"],
      ]
    }
    #expect(
      try schema(Numbers.Places.self)
        == ["type": "object", "properties": ["a": object(3, 9), "b": object(-9, -3)], "required": ["a", "b"]])
  }

  @Test func `are told, or left out where they are not`() throws {
    #expect(try schema(Numbers.Told.self) == ["type": "integer", "minimum": 3, "maximum": 9])
    #expect(try schema(Numbers.Small.self) == ["type": "integer"])
  }

  @Test func `do not help where what they allow is refused`() {
    let error = #expect(throws: SchemaTracingError.self) { try SchemaTracer().schema(of: Numbers.Odd.self) }
    #expect(error?.description.contains("It cannot be decoded from the plainest values: ") == true)
  }
}
