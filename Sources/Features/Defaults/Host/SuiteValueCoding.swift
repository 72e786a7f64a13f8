import ExtensionProtocol
import PropertyList

/// The stored form of a value: a tag, and the bytes of the value. Numbers are little-endian; arrays and dictionaries hold
/// the stored forms of their elements, each behind its length.
enum SuiteValueCoding {
  private enum Tag: UInt8 {
    case no, yes, integer, real, date, string, data, array, dictionary
  }

  private static let depthLimit = 64

  static func encode(_ value: PropertyListValue) throws(ExtensionError) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(value, to: &bytes, depth: 0)
    return bytes
  }

  private static func append(
    _ value: PropertyListValue, to bytes: inout [UInt8], depth: Int
  ) throws(ExtensionError) {
    guard depth < depthLimit else {
      throw ExtensionError(.invalidParams, "The value cannot be stored: it is nested more than \(depthLimit) deep.")
    }
    switch value {
    case .bool(let truth): bytes.append(truth ? Tag.yes.rawValue : Tag.no.rawValue)
    case .integer(let number): append(.integer, number, to: &bytes)
    case .real(let number): append(.real, try bits(number), to: &bytes)
    case .date(let seconds): append(.date, try bits(seconds), to: &bytes)
    case .string(let text):
      bytes.append(Tag.string.rawValue)
      bytes.append(contentsOf: text.utf8)
    case .data(let data):
      bytes.append(Tag.data.rawValue)
      bytes.append(contentsOf: data)
    case .array(let elements):
      bytes.append(Tag.array.rawValue)
      for element in elements { try appendSized(element, to: &bytes, depth: depth + 1) }
    case .dictionary(let entries):
      bytes.append(Tag.dictionary.rawValue)
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        try appendSized(.string(key), to: &bytes, depth: depth + 1)
        try appendSized(value, to: &bytes, depth: depth + 1)
      }
    }
  }

  private static func append(_ tag: Tag, _ number: Int64, to bytes: inout [UInt8]) {
    bytes.append(tag.rawValue)
    bytes.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) })
  }

  private static func appendSized(
    _ value: PropertyListValue, to bytes: inout [UInt8], depth: Int
  ) throws(ExtensionError) {
    var part: [UInt8] = []
    try append(value, to: &part, depth: depth)
    bytes.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: part.count >> (8 * $0)) })
    bytes.append(contentsOf: part)
  }

  private static func bits(_ number: Double) throws(ExtensionError) -> Int64 {
    guard number.isFinite else {
      throw ExtensionError(.invalidParams, "The value cannot be stored: a number or a date must be finite.")
    }
    return Int64(bitPattern: number.bitPattern)
  }

  // MARK: Decoding

  /// - Throws: `storeFailed` for bytes that are no stored form.
  static func decode(_ bytes: [UInt8]) throws(ExtensionError) -> PropertyListValue {
    guard let value = value(bytes[...], depth: 0) else {
      throw ExtensionError(
        .storeFailed, "A stored value of \(bytes.count) bytes cannot be read.",
        recovery: "Write the key again, or remove it.")
    }
    return value
  }

  private static func value(_ bytes: ArraySlice<UInt8>, depth: Int) -> PropertyListValue? {
    guard depth < depthLimit, let tag = bytes.first.flatMap(Tag.init) else { return nil }
    let rest = bytes.dropFirst()
    switch tag {
    case .no, .yes: return rest.isEmpty ? .bool(tag == .yes) : nil
    case .integer: return number(rest).map { .integer($0) }
    case .real: return double(rest).map { .real($0) }
    case .date: return double(rest).map { .date($0) }
    case .string: return String(validating: rest, as: UTF8.self).map { .string($0) }
    case .data: return .data(Array(rest))
    case .array: return parts(rest, depth: depth + 1).map { .array($0) }
    case .dictionary: return parts(rest, depth: depth + 1).flatMap(dictionary)
    }
  }

  private static func double(_ bytes: ArraySlice<UInt8>) -> Double? {
    guard let bits = number(bytes) else { return nil }
    let number = Double(bitPattern: UInt64(bitPattern: bits))
    return number.isFinite ? number : nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    guard bytes.count == 8 else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
  }

  private static func parts(_ bytes: ArraySlice<UInt8>, depth: Int) -> [PropertyListValue]? {
    var rest = bytes
    var values: [PropertyListValue] = []
    while !rest.isEmpty {
      guard rest.count >= 4 else { return nil }
      let size = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard size <= rest.count, let value = value(rest.prefix(size), depth: depth) else { return nil }
      values.append(value)
      rest = rest.dropFirst(size)
    }
    return values
  }

  private static func dictionary(_ parts: [PropertyListValue]) -> PropertyListValue? {
    guard parts.count.isMultiple(of: 2) else { return nil }
    var entries: [String: PropertyListValue] = [:]
    for index in stride(from: 0, to: parts.count, by: 2) {
      guard case .string(let key) = parts[index] else { return nil }
      entries[key] = parts[index + 1]
    }
    return .dictionary(entries)
  }
}
