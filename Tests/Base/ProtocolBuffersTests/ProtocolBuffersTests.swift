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
}
