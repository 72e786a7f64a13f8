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

  @Test func `holds as many values and as much text as it may, and no more`() throws {
    let bytes = try Self.binary(["aé", "bc", Data([1, 2])] as [Any])
    // An array of three values; the first has four bytes in UTF-16.
    for (depth, values, content, isRead) in [
      (1, 4, 8, true), (0, 4, 8, false), (1, 3, 8, false), (1, 4, 7, false),
    ] {
      let limits = PropertyListLimits(size: bytes.count, depth: depth, values: values, content: content)
      #expect(((try? BinaryPropertyList.parse(bytes, limits: limits)) != nil) == isRead, "\(limits)")
    }
    let small = PropertyListLimits(size: bytes.count - 1, depth: 1, values: 4)
    #expect(throws: PropertyListError.self) { try BinaryPropertyList.parse(bytes, limits: small) }
    #expect(PropertyListLimits(size: 3, depth: 1, values: 4).content == 12)
  }

  /// A file of objects that stand one after the other.
  private func file(_ objects: [UInt8]...) -> [UInt8] {
    var (all, offsets): ([UInt8], [UInt8]) = ([], [])
    for object in objects {
      offsets.append(UInt8(8 + all.count))
      all += object
    }
    return Array("bplist00".utf8) + all + offsets + trailer(objects: objects.count, top: 0, table: 8 + all.count)
  }

  @Test func `has numbers of every size`() throws {
    let all = { (count: Int) in [UInt8](repeating: 255, count: count) }
    let none = { (count: Int) in [UInt8](repeating: 0, count: count) }
    let values: [([UInt8], PropertyListValue)] = [
      ([0x10, 255], 255), ([0x11, 255, 255], 65_535), ([0x12] + all(4), .integer(4_294_967_295)), ([0x13] + all(8), -1),
      ([0x14] + all(16), -1), ([0x14] + none(16), 0), ([0x14] + none(8) + [127] + all(7), .integer(.max)),
      ([0x22, 0x3F, 0xC0, 0, 0], 1.5), ([0x23, 0xBF, 0xF8, 0, 0, 0, 0, 0, 0], -1.5), ([0x08], false), ([0x09], true),
      ([0x33] + none(8), .date(978_307_200)), ([0x50], ""), ([0x40], .data([])), ([0xA0], []), ([0xD0], [:]),
    ]
    for (object, value) in values { #expect(try parse(file(object)) == value, "\(object)") }
    let refused: [[UInt8]] = [
      [0x14] + none(7) + [1] + none(8), [0x14] + all(8) + [127] + all(7), [0x14] + none(8) + all(8), [0x15] + none(32),
      [0x00], [0x07], [0x0A], [0x21, 0, 0], [0x24] + none(16), [0x32, 0, 0, 0, 0], [0x33, 0x7F, 0xF0] + none(6),
      [0x51, 0x80], [0x71, 255], [0x61, 0xD8, 0], [0x80, 0], [0xA1, 1], [0x5F, 0x20, 0, 0], [0x5F, 0x14] + none(16),
    ]
    for object in refused { #expect(throws: PropertyListError.self, "\(object)") { try parse(file(object)) } }
  }

  @Test func `has each key once, and texts for keys`() throws {
    #expect(try parse(file([0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x62], [0x09])) == ["a": true, "b": true])
    let twice = #expect(throws: PropertyListError.self) {
      try parse(file([0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x61], [0x09]))
    }
    #expect(twice?.message == "The key occurs twice." && twice?.keyPath == PropertyListKeyPath("a"))
    for key in [[0x09], [0x41, 0x61], [0x80, 0x61]] as [[UInt8]] {
      let error = #expect(throws: PropertyListError.self) { try parse(file([0xD1, 1, 2], key, [0x09])) }
      #expect(error?.message == "A key of a dictionary is not a string.")
    }
  }

  @Test func `is the object that its trailer names, the first or another`() throws {
    let head = Array("bplist00".utf8) + [0x08, 0x09, 8, 9]
    for (top, value) in [(0, false), (1, true)] {
      #expect(try parse(head + trailer(objects: 2, top: top, table: 10)) == .bool(value))
    }
  }

  @Test func `has a trailer that leads to its objects only`() throws {
    let head = Array("bplist00".utf8) + [0x09]
    #expect(try parse(head + [8] + trailer(objects: 1, top: 0, table: 9)) == true)
    for (offset, objects, top, table) in [
      (7, 1, 0, 9), (9, 1, 0, 9), (8, 1, 1, 9), (8, 0, 0, 9), (8, 2, 0, 9), (8, 1, 0, 10), (8, 1, 0, 7),
    ] {
      let bytes = head + [UInt8(offset)] + trailer(objects: objects, top: top, table: table)
      #expect(throws: PropertyListError.self, "\(offset) \(objects) \(top) \(table)") { try parse(bytes) }
    }
    for (place, size) in [(6, 0), (6, 9), (7, 0), (7, 9)] as [(Int, UInt8)] {
      var end = trailer(objects: 1, top: 0, table: 9)
      end[place] = size
      #expect(throws: PropertyListError.self) { try parse(head + [8] + end) }
    }
  }
}
