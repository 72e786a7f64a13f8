/// A number of a file of the host's state, within bounds: a file with a number beyond them is damaged. What is computed
/// from such numbers can then neither overflow nor name a time that no clock shows.
///
/// Setting the property from code keeps what it is given: files are checked, when they are read and when they are written.
@propertyWrapper
public struct Recorded<Value: RecordedNumber>: Codable, Equatable, Hashable, Sendable {
  /// The number.
  public var wrappedValue: Value

  /// - Parameter wrappedValue: the number, which is not checked.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// - Throws: `DecodingError.dataCorrupted` for a number out of bounds.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = try container.decode(Value.self)
    guard wrappedValue.isWithinBounds else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(wrappedValue) is out of bounds")
    }
  }

  /// Encodes the number alone.
  ///
  /// - Throws: `EncodingError.invalidValue` for a number out of bounds: what is written can be read.
  public func encode(to encoder: any Encoder) throws {
    guard wrappedValue.isWithinBounds else {
      throw EncodingError.invalidValue(
        wrappedValue, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "It is out of bounds."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

/// What ``Recorded`` can hold: counts and times, one of them, none, or several.
public protocol RecordedNumber: Codable, Hashable, Sendable {
  /// Whether the value may stand in a file.
  var isWithinBounds: Bool { get }
}

/// A count, an amount or a number of milliseconds: 0 to 2⁴⁸.
extension Int64: RecordedNumber {
  /// The largest count that is kept.
  package static let largestCount: Int64 = 1 << 48

  /// Whether it is a count that is kept.
  public var isWithinBounds: Bool { (0...Self.largestCount).contains(self) }

  /// The sum of two counts; the largest count when that is more.
  func countingUp(_ other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? Self.largestCount : Swift.min(sum, Self.largestCount)
  }
}

/// As `Int64`.
extension Int: RecordedNumber {
  /// Whether it is a count that is kept.
  public var isWithinBounds: Bool { Int64(self).isWithinBounds }

  /// The next count; the largest count stays what it is.
  package var countedUp: Int { Int(Int64(self).countingUp(1)) }
}

/// A time in seconds since 1970, up to the end of the year 9999.
extension Double: RecordedNumber {
  /// Whether it is such a time.
  public var isWithinBounds: Bool { (0...253_402_300_799).contains(self) }
}

/// Absent, or within bounds.
extension Optional: RecordedNumber where Wrapped: RecordedNumber {
  /// Whether it is absent or within bounds.
  public var isWithinBounds: Bool { self?.isWithinBounds ?? true }
}

/// Each within bounds.
extension Array: RecordedNumber where Element: RecordedNumber {
  /// Whether all of them are within bounds.
  public var isWithinBounds: Bool { allSatisfy(\.isWithinBounds) }
}

extension KeyedDecodingContainer {
  /// A number that may be absent: what the compiler calls for a property with the wrapper, which demands a value otherwise.
  public func decode<Number>(_ type: Recorded<Number?>.Type, forKey key: Key) throws -> Recorded<Number?> {
    try decodeIfPresent(type, forKey: key) ?? Recorded(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  /// Leaves an absent number out, as the compiler does for a property without the wrapper.
  public mutating func encode<Number>(_ value: Recorded<Number?>, forKey key: Key) throws {
    if value.wrappedValue != nil { try encodeIfPresent(value, forKey: key) }
  }
}
