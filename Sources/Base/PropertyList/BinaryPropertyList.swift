/// Reads the binary form of a property list (`bplist00`): header, objects, a table of offsets, a trailer of 32 bytes.
///
/// Every offset, count and reference is checked before it is followed, and what is made is counted, so that no file can
/// crash the reader, keep it busy or take its memory.
package struct BinaryPropertyList {
  /// The bytes that a binary property list begins with.
  package static let magic = Array("bplist".utf8)

  private let bytes: [UInt8]
  private let limits: PropertyListLimits
  private let offsets: [Int]
  private let referenceSize: Int
  /// Objects end where the table of offsets begins.
  private let end: Int
  private var count = 0
  /// Bytes of strings, keys and data up to now.
  private var content = 0

  /// Parses a file.
  ///
  /// - Throws: ``PropertyListError`` with the key path of the value at fault.
  package static func parse(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) -> PropertyListNode
  {
    guard bytes.count <= limits.size else {
      throw PropertyListError("The file is larger than \(limits.size / 1024) KiB.")
    }
    let (header, top) = try trailer(bytes, limits)
    var reader = header
    return try reader.object(top, .root, depth: 0)
  }

  private static func trailer(
    _ bytes: [UInt8], _ limits: PropertyListLimits
  ) throws(PropertyListError) -> (BinaryPropertyList, top: Int) {
    guard bytes.count >= 40, bytes.starts(with: "bplist00".utf8) else {
      throw PropertyListError("The binary property list is truncated or of an unknown version.")
    }
    let trailer = bytes.suffix(26)
    let start = trailer.startIndex
    let offsetSize = Int(trailer[start])
    let referenceSize = Int(trailer[start + 1])
    let numbers = [2, 10, 18].map { unsigned(bytes[(start + $0)..<(start + $0 + 8)]) }
    let size = UInt64(bytes.count)
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, numbers[0] > 0, numbers[0] <= size, numbers[1] < numbers[0],
      8...(size - 32) ~= numbers[2], numbers[2] + numbers[0] * UInt64(offsetSize) <= size - 32
    else { throw PropertyListError("The trailer of the binary property list is damaged.") }
    let table = Int(numbers[2])
    var offsets: [Int] = []
    for index in 0..<Int(numbers[0]) {
      let position = table + index * offsetSize
      let offset = unsigned(bytes[position..<(position + offsetSize)])
      guard 8..<UInt64(table) ~= offset else {
        throw PropertyListError("The table of offsets of the binary property list is damaged.")
      }
      offsets.append(Int(offset))
    }
    let reader = BinaryPropertyList(
      bytes: bytes, limits: limits, offsets: offsets, referenceSize: referenceSize, end: table)
    return (reader, Int(numbers[1]))
  }

  private init(bytes: [UInt8], limits: PropertyListLimits, offsets: [Int], referenceSize: Int, end: Int) {
    self.bytes = bytes
    self.limits = limits
    self.offsets = offsets
    self.referenceSize = referenceSize
    self.end = end
  }

  /// A big-endian number of at most 8 bytes.
  private static func unsigned(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  // MARK: Budget

  /// Counts the bytes of a string or of data before they are made.
  private mutating func spend(_ bytes: Int, _ path: PropertyListKeyPath) throws(PropertyListError) {
    content += bytes
    guard content <= limits.content else {
      throw PropertyListError(
        "The strings and the data in the file unfold to more than \(limits.content / 1024) KiB.", keyPath: path)
    }
  }

  // MARK: Objects

  private mutating func object(
    _ index: Int, _ path: PropertyListKeyPath, depth: Int
  ) throws(PropertyListError) -> PropertyListNode {
    count += 1
    guard count <= limits.values else {
      throw PropertyListError("The file holds more than \(limits.values) values.", keyPath: path)
    }
    let offset = offsets[index]
    let marker = bytes[offset]
    let low = Int(marker & 15)
    switch marker >> 4 {
    case 0xA: return try array(offset, path, depth: depth)
    case 0xD: return try dictionary(offset, path, depth: depth)
    case 0x0 where low == 8 || low == 9: return scalar(.bool(low == 9))
    case 0x1 where low <= 4: return scalar(.integer(try integer(offset, low, path)))
    case 0x2 where low == 2:
      let bits = UInt32(Self.unsigned(try slice(offset + 1, 4, path)))
      return scalar(.real(Double(Float(bitPattern: bits))))
    case 0x2 where low == 3:
      return scalar(.real(Double(bitPattern: Self.unsigned(try slice(offset + 1, 8, path)))))
    case 0x3 where low == 3:
      let seconds = Double(bitPattern: Self.unsigned(try slice(offset + 1, 8, path)))
      guard seconds.isFinite else { throw PropertyListError("A date must be finite.", keyPath: path) }
      // Binary dates count from 2001-01-01.
      return scalar(.date(seconds + 978_307_200))
    case 0x4:
      let data = try run(offset, unit: 1, path)
      try spend(data.count, path)
      return scalar(.data(Array(data)))
    case 0x5, 0x6, 0x7: return scalar(.string(try string(offset, path)))
    default:
      let type = String(marker, radix: 16)
      throw PropertyListError("A value has the type 0x\(type), which manifests cannot hold.", keyPath: path)
    }
  }

  private func scalar(_ value: PropertyListValue) -> PropertyListNode { PropertyListNode(.scalar(value), line: nil) }

  private func integer(_ offset: Int, _ power: Int, _ path: PropertyListKeyPath) throws(PropertyListError) -> Int64 {
    let digits = try slice(offset + 1, 1 << power, path)
    // Numbers of 1, 2 and 4 bytes have no sign, those of 8 have one; of 16 bytes the upper half may only extend the
    // sign.
    let value = Int64(bitPattern: Self.unsigned(digits.suffix(8)))
    guard digits.dropLast(8).allSatisfy({ $0 == (value < 0 ? 0xFF : 0) }) else {
      throw PropertyListError("An integer does not fit 64 bits.", keyPath: path)
    }
    return value
  }

  private mutating func string(_ offset: Int, _ path: PropertyListKeyPath) throws(PropertyListError) -> String {
    let text: String?
    try spend(run(offset, unit: bytes[offset] >> 4 == 0x6 ? 2 : 1, path).count, path)
    switch bytes[offset] >> 4 {
    case 0x5:
      let letters = try run(offset, unit: 1, path)
      text = letters.allSatisfy { $0 < 0x80 } ? String(decoding: letters, as: UTF8.self) : nil
    case 0x7: text = String(validating: try run(offset, unit: 1, path), as: UTF8.self)
    default:
      let letters = try run(offset, unit: 2, path)
      let units = stride(from: letters.startIndex, to: letters.endIndex, by: 2).map { at in
        UInt16(letters[at]) << 8 | UInt16(letters[at + 1])
      }
      text = String(validating: units, as: UTF16.self)
    }
    guard let text else { throw PropertyListError("A string is not valid text.", keyPath: path) }
    return text
  }

  private mutating func array(
    _ offset: Int, _ path: PropertyListKeyPath, depth: Int
  ) throws(PropertyListError) -> PropertyListNode {
    try checkDepth(depth, path)
    var elements: [PropertyListNode] = []
    for (position, reference) in try references(run(offset, unit: referenceSize, path), path).enumerated() {
      elements.append(try object(reference, path.appending(position), depth: depth + 1))
    }
    return PropertyListNode(.array(elements), line: nil)
  }

  private mutating func dictionary(
    _ offset: Int, _ path: PropertyListKeyPath, depth: Int
  ) throws(PropertyListError) -> PropertyListNode {
    try checkDepth(depth, path)
    let all = try references(run(offset, unit: 2 * referenceSize, path), path)
    let size = all.count / 2
    var entries: [PropertyListNode.Entry] = []
    var seen: Set<String> = []
    for position in 0..<size {
      let keyOffset = offsets[all[position]]
      guard 0x5...0x7 ~= bytes[keyOffset] >> 4 else {
        throw PropertyListError("A key of a dictionary is not a string.", keyPath: path)
      }
      let key = try string(keyOffset, path)
      let below = path.appending(key)
      guard seen.insert(key).inserted else { throw PropertyListError("The key occurs twice.", keyPath: below) }
      entries.append(.init(key, try object(all[size + position], below, depth: depth + 1)))
    }
    return PropertyListNode(.dictionary(entries), line: nil)
  }

  private func checkDepth(_ depth: Int, _ path: PropertyListKeyPath) throws(PropertyListError) {
    guard depth < limits.depth else {
      throw PropertyListError("Values are nested more than \(limits.depth) deep.", keyPath: path)
    }
  }

  // MARK: Bytes

  private func references(
    _ run: ArraySlice<UInt8>, _ path: PropertyListKeyPath
  ) throws(PropertyListError) -> [Int] {
    var found: [Int] = []
    for start in stride(from: run.startIndex, to: run.endIndex, by: referenceSize) {
      let reference = Self.unsigned(run[start..<(start + referenceSize)])
      guard reference < UInt64(offsets.count) else {
        throw PropertyListError("A reference of the binary property list leads nowhere.", keyPath: path)
      }
      found.append(Int(reference))
    }
    return found
  }

  /// The bytes of an object that begins with a marker and a count of units.
  private func run(
    _ offset: Int, unit: Int, _ path: PropertyListKeyPath
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    var start = offset + 1
    var length = UInt64(bytes[offset] & 15)
    if length == 15 {
      let marker = try slice(start, 1, path)[start]
      guard marker >> 4 == 1, marker & 15 <= 3 else {
        throw PropertyListError("A count of the binary property list is damaged.", keyPath: path)
      }
      let size = 1 << Int(marker & 15)
      length = Self.unsigned(try slice(start + 1, size, path))
      start += 1 + size
    }
    guard length <= UInt64(bytes.count) else {
      throw PropertyListError("The binary property list is truncated.", keyPath: path)
    }
    return try slice(start, Int(length) * unit, path)
  }

  private func slice(
    _ start: Int, _ length: Int, _ path: PropertyListKeyPath
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard start <= end, length <= end - start else {
      throw PropertyListError("The binary property list is truncated.", keyPath: path)
    }
    return bytes[start..<(start + length)]
  }
}
