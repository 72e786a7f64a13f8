import JSONSchema

/// A number from a peer or a file that is checked when it is decoded, so that no computation with it can overflow.
///
/// Swift ends the process when arithmetic overflows, and a peer would choose the number. With bounds below 2^53 sums of
/// such numbers stay far from the ends of `Int`. A number outside of the bounds fails the decoding, as one of the wrong
/// type does: a call with it is refused with `invalidParams`, an answer with it is a `protocolViolation`, and a file
/// with it is damaged. It fails the encoding too, so that whatever is written can be read.
///
/// The member keeps its plain type. A number that the program itself assigns is checked when it is encoded.
@propertyWrapper
public struct Bounded<Value: BoundedNumber, Bounds: NumberBounds>: Codable, Sendable, Hashable {
  /// The number, or `nil` where the member may be absent.
  public var wrappedValue: Value

  /// Wraps a number that the program itself assigns, which is checked when it is encoded.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// - Throws: `DecodingError.dataCorrupted` when the number lies outside of the bounds.
  public init(from decoder: any Decoder) throws {
    try self.init(Value(from: decoder), at: decoder.codingPath)
  }

  fileprivate init(_ value: Value, at path: @autoclosure () -> [any CodingKey]) throws {
    guard value.isInside(Bounds.range) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: path(), debugDescription: Self.complaint(about: value),
          underlyingError: OutOfBounds(Bounds.range)))
    }
    wrappedValue = value
  }

  private static func complaint(about value: Value) -> String {
    "\(value) is not between \(Bounds.range.lowerBound) and \(Bounds.range.upperBound)."
  }

  /// Writes the plain number.
  ///
  /// - Throws: `EncodingError.invalidValue` when the number lies outside of the bounds.
  public func encode(to encoder: any Encoder) throws {
    try checked(at: encoder.codingPath).encode(to: encoder)
  }

  fileprivate func checked(at path: @autoclosure () -> [any CodingKey]) throws -> Value {
    guard wrappedValue.isInside(Bounds.range) else {
      throw EncodingError.invalidValue(
        wrappedValue,
        EncodingError.Context(codingPath: path(), debugDescription: Self.complaint(about: wrappedValue)))
    }
    return wrappedValue
  }
}

/// The least and the largest number of a ``Bounded`` member.
public protocol NumberBounds: Sendable {
  /// Both ends belong to it.
  static var range: ClosedRange<Int> { get }
}

/// The numbers that every reader of JSON reads exactly (RFC 8259, section 6): from -(2^53 - 1) to 2^53 - 1.
public enum ExactBounds: NumberBounds {
  /// The numbers that a double holds exactly.
  public static let range = -9_007_199_254_740_991...9_007_199_254_740_991
}

/// From 0 to 2^53 - 1.
public enum CountBounds: NumberBounds {
  /// The same as ``ExactBounds``, without the negative ones.
  public static let range = 0...9_007_199_254_740_991
}

/// From 0 to a million: lengths of something that is shown, in points or in cells of a terminal.
public enum LengthBounds: NumberBounds {
  /// More than any screen has.
  public static let range = 0...1_000_000
}

/// From 1970 to the end of the year 9999, in seconds.
public enum TimeBounds: NumberBounds {
  /// The times that every clock and calendar shows.
  public static let range = 0...253_402_300_799
}

/// A count, a size or a duration, with ``CountBounds``.
public typealias NonNegative<Value: BoundedNumber> = Bounded<Value, CountBounds>
/// Any number with ``ExactBounds``.
public typealias Exact<Value: BoundedNumber> = Bounded<Value, ExactBounds>
/// A width or a height, with ``LengthBounds``.
public typealias Length<Value: BoundedNumber> = Bounded<Value, LengthBounds>
/// A time in seconds since 1970, with ``TimeBounds``.
public typealias Timestamp<Value: BoundedNumber> = Bounded<Value, TimeBounds>

/// A number of a ``Bounded`` member, an optional one, or several.
public protocol BoundedNumber: Codable, Sendable, Hashable {
  /// Whether the number lies in a range; a missing one does.
  func isInside(_ range: ClosedRange<Int>) -> Bool
}

extension BinaryInteger {
  /// Whether the number lies in a range.
  public func isInside(_ range: ClosedRange<Int>) -> Bool { self >= range.lowerBound && self <= range.upperBound }
}

extension Int: BoundedNumber {}
extension Int64: BoundedNumber {}
extension UInt32: BoundedNumber {}
extension UInt64: BoundedNumber {}

extension Double: BoundedNumber {
  /// Whether the number lies in a range; one that is no number does not.
  public func isInside(_ range: ClosedRange<Int>) -> Bool {
    self >= Double(range.lowerBound) && self <= Double(range.upperBound)
  }
}

extension Optional: BoundedNumber where Wrapped: BoundedNumber {
  /// Whether there is no number, or it lies in a range.
  public func isInside(_ range: ClosedRange<Int>) -> Bool { self?.isInside(range) ?? true }
}

extension Array: BoundedNumber where Element: BoundedNumber {
  /// Whether every number lies in a range.
  public func isInside(_ range: ClosedRange<Int>) -> Bool { allSatisfy { $0.isInside(range) } }
}

extension Dictionary: BoundedNumber where Key == String, Value: BoundedNumber {
  /// Whether every number lies in a range.
  public func isInside(_ range: ClosedRange<Int>) -> Bool { values.allSatisfy { $0.isInside(range) } }
}

// The compiler's conformances to `Codable` find these by their type: a member that is missing stays missing, and no
// decoder is made for a single number.
extension KeyedDecodingContainer {
  /// Decodes a number that has to be there.
  public func decode<Value: BoundedNumber, Bounds: NumberBounds>(
    _ type: Bounded<Value, Bounds>.Type, forKey key: Key
  ) throws -> Bounded<Value, Bounds> {
    try Bounded(decode(Value.self, forKey: key), at: codingPath + [key])
  }

  /// Decodes a number that may be missing.
  public func decode<Value: BoundedNumber, Bounds: NumberBounds>(
    _ type: Bounded<Value?, Bounds>.Type, forKey key: Key
  ) throws -> Bounded<Value?, Bounds> {
    try Bounded(decodeIfPresent(Value.self, forKey: key), at: codingPath + [key])
  }
}

extension KeyedEncodingContainer {
  /// Encodes a number.
  public mutating func encode<Value: BoundedNumber, Bounds: NumberBounds>(
    _ value: Bounded<Value, Bounds>, forKey key: Key
  ) throws {
    try encode(value.checked(at: codingPath + [key]), forKey: key)
  }

  /// Encodes a number, or nothing.
  public mutating func encode<Value: BoundedNumber, Bounds: NumberBounds>(
    _ value: Bounded<Value?, Bounds>, forKey key: Key
  ) throws {
    try encodeIfPresent(value.checked(at: codingPath + [key]), forKey: key)
  }
}
