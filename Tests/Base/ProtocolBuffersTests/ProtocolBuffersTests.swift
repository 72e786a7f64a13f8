import JSON
import ProtocolBuffers
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The wire form of protocol buffers` {
  private static func fields(_ bytes: [UInt8]) throws(ProtobufError) -> [ProtobufField] {
    var (reader, found) = (ProtobufReader(bytes[...]), [ProtobufField]())
    while let field = try reader.next() { found.append(field) }
    return found
  }

  /// From the encoding guide of protobuf.dev.
  @Test func `is read as its guide says`() throws {
    #expect(try Self.fields([0x08, 0x96, 0x01]).first?.value == .varint(150))
    #expect(try Self.fields([0x12, 0x07] + "testing".utf8).first?.text() == "testing")
    #expect(try Self.fields([0x0D, 1, 0, 0, 0]).first?.value == .fixed32(1))
    #expect(try Self.fields([0x09, 1, 0, 0, 0, 0, 0, 0, 128]).first?.value == .fixed64(1 << 63 | 1))
    #expect(try Self.fields([]).isEmpty)
    let most = [UInt8](repeating: 255, count: 9) + [1]
    #expect(try Self.fields([0x08] + most).first?.value == .varint(.max))
  }

  @Test(
    arguments: [
      [0x08], [0x08, 0x80], [0x12, 0x02, 0x00], [0x12, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
      [0x0D, 1, 2, 3],
      [0x09, 1, 2, 3, 4, 5, 6, 7], [0x00, 0x00], [0x0B], [0x0C], [0x0E], [0x0F],
      [0x08] + [UInt8](repeating: 255, count: 9) + [2], [0x08] + [UInt8](repeating: 0x80, count: 11),
      [0xF8, 255, 255, 255, 255, 255, 255, 255, 255, 1],
    ] as [[UInt8]])
  func `is refused where it is cut or out of range`(bytes: [UInt8]) {
    #expect(throws: ProtobufError.self) { try Self.fields(bytes) }
  }

  private static func bytes(_ object: JSONObject) -> [UInt8] {
    var writer = ProtobufWriter()
    ProtobufStruct.write(object, to: &writer)
    return writer.bytes
  }

  @Test func `carries any JSON, whose whole numbers stay whole`() throws {
    let object: JSONObject = [
      "null": .null, "bool": true, "text": "ä\u{0}", "empty": "", "list": [1, [], ["a": -2.5]], "object": [:],
      "large": 9_007_199_254_740_992, "long": .string(String(repeating: "x", count: 100_000)),
    ]
    #expect(try ProtobufStruct.object(Self.bytes(object)[...]) == object)
    let huge = try ProtobufStruct.object(Self.bytes(["n": .unsigned(.max), "m": .double(1e300)])[...])
    #expect(huge["n"] == .double(18_446_744_073_709_551_616) && huge["m"] == .double(1e300))
  }

  @Test func `carries so many values, and so deep, and no more`() throws {
    var limits = ProtobufStruct.Limits()
    (limits.depth, limits.values) = (4, 5)
    let deep: JSONObject = ["a": [["b"]]]
    #expect(try ProtobufStruct.object(Self.bytes(["a": ["b"]])[...], limits: limits) == ["a": ["b"]])
    #expect(throws: ProtobufError.self) { try ProtobufStruct.object(Self.bytes(deep)[...], limits: limits) }
    let list = { (count: Int) -> JSONObject in ["a": .array((0..<count).map { JSONValue($0) })] }
    #expect(try ProtobufStruct.object(Self.bytes(list(4))[...], limits: limits) == list(4))
    #expect(throws: ProtobufError.self) { try ProtobufStruct.object(Self.bytes(list(5))[...], limits: limits) }
    // A message in a message in a message, without a stack that ends.
    var nested = JSONValue.null
    for _ in 0..<2_000 { nested = [nested] }
    #expect(throws: ProtobufError.self) { try ProtobufStruct.object(Self.bytes(["a": nested])[...]) }
  }

  @Test func `refuses numbers that JSON does not have, and texts that are none`() {
    for bits in [Double.nan, .infinity, -.infinity] {
      var writer = ProtobufWriter()
      writer.message(field: 1) { entry in
        entry.message(field: 2) { $0.double(bits, field: 2) }
        entry.text("a", field: 1)
      }
      #expect(throws: ProtobufError.self) { try ProtobufStruct.object(writer.bytes[...]) }
    }
    #expect(throws: ProtobufError.self) { try ProtobufStruct.object([0x0A, 0x03, 0x0A, 0x01, 0xFF]) }
    #expect(throws: ProtobufError.self) { try ProtobufStruct.object([0x08, 0x01]) }
  }

  @Test func `has field numbers up to the last of 29 bits`() throws {
    #expect(try Self.fields([0xF8, 0xFF, 0xFF, 0xFF, 0x0F, 1]).first?.number == 536_870_911)
    #expect(throws: ProtobufError.self) { try Self.fields([0x80, 0x80, 0x80, 0x80, 0x10, 1]) }
    #expect(try Self.fields([0x08, 1, 0x10, 2]).map(\.number) == [1, 2])
    let number = try #require(try Self.fields([0x08, 1]).first)
    #expect(throws: ProtobufError.self) { try number.bytes() }
    #expect(throws: ProtobufError.self) { try number.text() }
    #expect(try Self.fields([0x0D, 255, 255, 255, 255]).first?.value == .fixed32(.max))
    #expect(try Self.fields([0x12, 0]).first?.text() == "")
  }

  /// An object with one entry, "a", whose value has these bytes.
  private static func object(_ value: [UInt8]) throws(ProtobufError) -> JSONObject {
    let entry = [0x0A, 1, 0x61, 0x12, UInt8(value.count)] + value
    return try ProtobufStruct.object([0x0A, UInt8(entry.count)] + entry)
  }

  @Test func `have the last kind that a value names, and nothing without one`() throws {
    let values: [([UInt8], JSONValue)] = [
      ([], .null), ([0x08, 0], .null), ([0x20, 0], false), ([0x20, 2], true), ([0x1A, 1, 0x62], "b"), ([0x2A, 0], [:]),
      ([0x32, 0], []), ([0x08, 0, 0x20, 1], true), ([0x20, 1, 0x08, 0], .null), ([0x38, 1], .null),
      ([0x20, 1, 0x38, 1], true), ([0x32, 2, 0x0A, 0], [.null]), ([0x32, 2, 0x10, 0], []),
    ]
    for (bytes, value) in values { #expect(try Self.object(bytes) == ["a": value], "\(bytes)") }
    for bytes in [[0x0A, 0], [0x10, 1], [0x18, 1], [0x22, 0], [0x28, 1], [0x30, 1]] as [[UInt8]] {
      #expect(throws: ProtobufError.self, "\(bytes)") { try Self.object(bytes) }
    }
  }

  @Test func `have entries without a name or a value, of which the last of a name counts`() throws {
    #expect(try ProtobufStruct.object([0x0A, 3, 0x0A, 1, 0x61]) == ["a": .null])
    #expect(try ProtobufStruct.object([0x0A, 5, 0x0A, 1, 0x61, 0x18, 1]) == ["a": .null])
    #expect(try ProtobufStruct.object([0x0A, 0]) == ["": .null])
    #expect(try ProtobufStruct.object([0x12, 1, 0]) == [:])
    let entry = { (flag: UInt8) -> [UInt8] in [0x0A, 7, 0x0A, 1, 0x61, 0x12, 2, 0x20, flag] }
    #expect(try ProtobufStruct.object((entry(0) + entry(1))[...]) == ["a": true])
  }

  @Test func `have whole numbers up to 2 to the power of 53`() throws {
    let most = 9_007_199_254_740_992.0
    let numbers: [(Double, JSONValue)] = [
      (most, .integer(9_007_199_254_740_992)), (most + 2, .double(most + 2)), (-most, .integer(-9_007_199_254_740_992)),
      (-most - 2, .double(-most - 2)), (0.5, .double(0.5)), (-0.0, .integer(0)),
    ]
    for (number, value) in numbers {
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
      #expect(try Self.object([0x11] + bytes)["a"] == value, "\(number)")
    }
  }

  @Test func `are lists too, in their order`() throws {
    var writer = ProtobufWriter()
    ProtobufStruct.write([1, "b", .null], to: &writer)
    #expect(try Self.object([0x32, UInt8(writer.bytes.count)] + writer.bytes) == ["a": [1, "b", .null]])
    var numbers = ProtobufWriter()
    for value in [127, 128, 16_384] as [UInt64] { numbers.varint(value, field: 16) }
    #expect(
      try Self.fields(numbers.bytes).map(\.value) == [.varint(16_384), .varint(128), .varint(127)])
  }
}
