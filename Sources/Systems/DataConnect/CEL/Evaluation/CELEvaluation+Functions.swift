import Pattern
import Time

extension CELEvaluation {
  /// - Parameter values: as many as the function takes.
  mutating func call(_ function: CELFunction, _ values: [CELValue], at offset: Int) throws(CELError) -> CELValue {
    guard let first = values.first else { return .string(Self.uuid()) }
    switch function {
    case .size: return .int(try size(first, at: offset))
    case .type: return .type(first.typeName)
    case .dyn: return first
    case .contains, .startsWith, .endsWith, .matches:
      guard case .string(let text) = first, case .string(let other) = values[1] else {
        throw CELError("\(function.rawValue)() takes texts.", at: offset)
      }
      try charge(text.utf8.count + other.utf8.count, at: offset)
      switch function {
      case .startsWith: return .bool(text.utf8.starts(with: other.utf8))
      case .endsWith: return .bool(text.utf8.reversed().starts(with: other.utf8.reversed()))
      case .contains: return .bool(Self.contains(Array(text.utf8), Array(other.utf8)))
      default: return .bool(try matches(text, other, at: offset))
      }
    case .uuidV4: return .string(Self.uuid())
    case .bool, .bytes, .double, .duration, .int, .string, .timestamp, .uint:
      if case .string(let text) = first { try charge(text.utf8.count, at: offset) }
      if case .bytes(let bytes) = first { try charge(bytes.count, at: offset) }
      guard let value = Self.converted(first, to: function) else {
        throw CELError("This \(first.typeName) is not a \(function.rawValue).", at: offset)
      }
      return value
    default:
      guard let value = Self.part(function, of: first) else {
        throw CELError("\(first.typeName) has no \(function.rawValue)().", at: offset)
      }
      return .int(value)
    }
  }

  private mutating func size(_ value: CELValue, at offset: Int) throws(CELError) -> Int64 {
    switch value {
    case .string(let text):
      try charge(text.utf8.count, at: offset)
      return Int64(text.unicodeScalars.count)
    case .bytes(let bytes): return Int64(bytes.count)
    case .list(let values): return Int64(values.count)
    case .map(let map): return Int64(map.count)
    default: throw CELError("\(value.typeName) has no size.", at: offset)
    }
  }

  /// Searches with the algorithm of Knuth, Morris and Pratt, in as many steps as both texts have bytes.
  private static func contains(_ text: [UInt8], _ wanted: [UInt8]) -> Bool {
    if wanted.isEmpty { return true }
    var (fallback, matched) = ([Int](repeating: 0, count: wanted.count), 0)
    for index in wanted.indices.dropFirst() {
      while matched > 0, wanted[index] != wanted[matched] { matched = fallback[matched - 1] }
      if wanted[index] == wanted[matched] { matched += 1 }
      fallback[index] = matched
    }
    matched = 0
    for byte in text {
      while matched > 0, byte != wanted[matched] { matched = fallback[matched - 1] }
      if byte == wanted[matched] { matched += 1 }
      if matched == wanted.count { return true }
    }
    return false
  }

  private mutating func matches(_ text: String, _ pattern: String, at offset: Int) throws(CELError) -> Bool {
    let compiled: RegularPattern
    do { compiled = try RegularPattern(pattern, .re2) } catch { throw CELError(error.message, at: offset) }
    let bytes = text.utf8.count
    try charge(compiled.size, at: offset)
    // Each byte is compared with every place of the pattern at most.
    let (steps, overflows) = bytes.multipliedReportingOverflow(by: compiled.size / 16 + 1)
    try charge(overflows ? .max : steps, at: offset)
    return compiled.matches(text)
  }

  /// A random one (RFC 9562), as 32 digits.
  private static func uuid() -> String {
    var random = SystemRandomNumberGenerator()
    let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// A part of a time in UTC, or of a duration; days and months from 0, but for `getDate`.
  private static func part(_ function: CELFunction, of value: CELValue) -> Int64? {
    if case .duration(let seconds, let nanoseconds) = value {
      switch function {
      case .getHours: return seconds / 3_600
      case .getMinutes: return seconds / 60
      case .getSeconds: return seconds
      case .getMilliseconds: return Int64(nanoseconds) / 1_000_000
      default: return nil
      }
    }
    guard case .timestamp(let seconds, let nanoseconds) = value else { return nil }
    let time = UnixTime(seconds: seconds)
    let day = time.day
    switch function {
    case .getFullYear: return Int64(day.year)
    case .getMonth: return Int64(day.month - 1)
    case .getDate: return Int64(day.day)
    case .getDayOfMonth: return Int64(day.day - 1)
    case .getDayOfWeek: return Int64(day.dayOfWeek)
    case .getDayOfYear: return Int64(day.dayOfYear)
    case .getHours: return Int64(time.secondOfDay / 3_600)
    case .getMinutes: return Int64(time.secondOfDay / 60 % 60)
    case .getSeconds: return Int64(time.secondOfDay % 60)
    case .getMilliseconds: return Int64(nanoseconds) / 1_000_000
    default: return nil
    }
  }
}
