import Foundation
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A binary property list` {
  private static var sample: [String: Any] {
    [
      "string": "plain", "unicode": "Grüße 日本 👍", "integer": 300, "negative": -7, "large": Int64.max, "real": 2.5,
      "yes": true, "no": false, "data": Data([1, 2, 3]), "date": Date(timeIntervalSince1970: 1_000_000_000),
      "array": [1, "two", [3]] as [Any], "nested": ["key": ["deep": "value"]],
      "long": Array(repeating: "element", count: 40),
    ]
  }

  private static func binary(_ value: Any) throws -> [UInt8] {
    [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
  }

  private func parse(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyListValue {
    try BinaryPropertyList.parse(bytes, limits: .manifest).value
  }

  @Test func `is read as Foundation wrote it`() throws {
    let value = try parse(Self.binary(Self.sample))
    let expected: PropertyListValue = [
      "string": "plain", "unicode": "Grüße 日本 👍", "integer": 300, "negative": -7, "large": .integer(.max),
      "real": 2.5, "yes": true, "no": false, "data": .data([1, 2, 3]), "date": .date(1_000_000_000),
      "array": [1, "two", [3]], "nested": ["key": ["deep": "value"]],
      "long": .array(Array(repeating: "element", count: 40)),
    ]
    #expect(value == expected)
  }

  @Test func `fails at a depth, not on the stack`() throws {
    var nested: Any = "x"
    for _ in 0..<32 { nested = [nested] }
    let deepest = try Self.binary(nested)
    #expect(throws: Never.self) { try parse(deepest) }
    let tooDeep = try Self.binary([nested])
    let error = #expect(throws: PropertyListError.self) { try parse(tooDeep) }
    #expect(error?.message == "Values are nested more than 32 deep.")
  }

  @Test func `that refers to itself ends with an error`() throws {
    // One array whose only element is itself.
    let bytes = Array("bplist00".utf8) + [0xA1, 0x00, 0x08] + trailer(objects: 1, top: 0, table: 10)
    #expect(throws: PropertyListError.self) { try parse(bytes) }
  }

  @Test func `that unfolds without end is cut off`() throws {
    // Thirty arrays, each holding the next one four times.
    var objects: [UInt8] = []
    var offsets: [UInt8] = []
    for index in 0..<30 {
      offsets.append(UInt8(8 + objects.count))
      let next = UInt8(min(index + 1, 30))
      objects += [0xA4, next, next, next, next]
    }
    offsets.append(UInt8(8 + objects.count))
    objects.append(0x09)
    let bytes = Array("bplist00".utf8) + objects + offsets + trailer(objects: 31, top: 0, table: 8 + objects.count)
    let error = #expect(throws: PropertyListError.self) { try parse(bytes) }
    #expect(error?.message == "The file holds more than 50000 values.")
  }

  /// An array of so many references to one object.
  private func array(of count: Int, _ object: [UInt8]) -> [UInt8] {
    func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
    let first = [0xAF, 0x11] + two(count) + Array(repeatElement([0, 1] as [UInt8], count: count).joined())
    let table = 8 + first.count + object.count
    func four(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    var end = trailer(objects: 2, top: 0, table: table)
    (end[6], end[7]) = (4, 2)
    return Array("bplist00".utf8) + first + object + four(8) + four(8 + first.count) + end
  }

  /// Once 5.6 GiB and half a minute: 49,000 strings of 115 KB, each made anew from a file of 218 KB.
  @Test(arguments: [0x5F, 0x4F, 0x7F] as [UInt8])
  func `that uses one long string many times is cut off`(marker: UInt8) throws {
    let long = [marker, 0x12, 0, 1, 0xC0, 0] + [UInt8](repeating: 0x61, count: 0x1C000)
    let error = #expect(throws: PropertyListError.self) { try parse(array(of: 49_000, long)) }
    #expect(error?.message == "The strings and the data in the file unfold to more than 1024 KiB.")
    #expect(try parse(array(of: 9, long)).arrayValue?.count == 9)
  }

  @Test func `that uses a short string many times is read`() throws {
    let values = try parse(array(of: 20_000, [0x53, 0x61, 0x62, 0x63])).arrayValue
    #expect(values?.count == 20_000 && values?.last == "abc")
  }

  @Test func `that uses one long key many times is cut off`() throws {
    let key = [0x5F, 0x12, 0, 1, 0xC0, 0] + [UInt8](repeating: 0x61, count: 0x1C000)
    // Object 0 is an array of 200 times object 1, a dictionary with the long key.
    let list = [0xAF, 0x10, 200] + [UInt8](repeating: 1, count: 200)
    let offsets = [8, 8 + list.count, 11 + list.count, 11 + list.count + key.count]
    let table = 12 + list.count + key.count
    var end = trailer(objects: 4, top: 0, table: table)
    end[6] = 4
    let four = offsets.flatMap { offset in (0..<4).reversed().map { UInt8(truncatingIfNeeded: offset >> ($0 * 8)) } }
    let bytes = Array("bplist00".utf8) + list + [0xD1, 2, 3] + key + [0x09] + four + end
    let error = #expect(throws: PropertyListError.self) { try parse(bytes) }
    #expect(error?.message.contains("unfold to more than") == true)
  }

  private func trailer(objects: Int, top: Int, table: Int) -> [UInt8] {
    func eight(_ number: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    return [0, 0, 0, 0, 0, 0, 1, 1] + eight(objects) + eight(top) + eight(table)
  }

  @Test func `is refused when it is too large`() {
    let bytes = Array("bplist00".utf8) + [UInt8](repeating: 0, count: 256 * 1024)
    let error = #expect(throws: PropertyListError.self) { try parse(bytes) }
    #expect(error?.message == "The file is larger than 256 KiB.")
  }

  @Test func `cut anywhere is refused`() throws {
    let whole = try Self.binary(Self.sample)
    for length in 0..<whole.count {
      #expect(throws: PropertyListError.self) { try parse(Array(whole.prefix(length))) }
    }
  }

  @Test func `damaged anywhere gives a value or an error`() throws {
    let whole = try Self.binary(Self.sample)
    for index in whole.indices {
      for change: UInt8 in [0x01, 0x80, 0xFF] {
        var bytes = whole
        bytes[index] ^= change
        _ = try? parse(bytes)
      }
    }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      var bytes = whole
      for _ in 0..<8 { bytes[Int.random(in: 8..<bytes.count, using: &generator)] = .random(in: 0...255) }
      _ = try? parse(bytes)
    }
  }
}
