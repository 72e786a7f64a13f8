import Synchronization

/// How the values of one type are read into memory and written from it, where a shape has the place.
///
/// `@unchecked Sendable`, because: it never changes.
@safe
class ShapeOperation: @unchecked Sendable {
  /// The types that the loops of reading and writing know themselves.
  enum Kind: UInt8 {
    case int, string, bool, double, strings, other
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// Reads a value into uninitialized memory. False, with nothing left there, when anything is not as expected.
  @unsafe func read(_ reader: inout JSONReader, _ memory: UnsafeMutableRawPointer) -> Bool { false }

  /// Writes a value.
  @unsafe func write(_ memory: UnsafeRawPointer, _ writer: inout JSONWriter) throws {}

  @unsafe func destroy(_ memory: UnsafeMutableRawPointer) {}

  /// The plan of a shape, which its owner keeps.
  var shapePlan: Unmanaged<ShapePlan>? { nil }

  /// Whether the value is left out when it is written.
  @unsafe func isAbsent(_ memory: UnsafeRawPointer) -> Bool { false }

  /// Fills the place of a member that the text does not have; false when there must be one.
  @unsafe func fillAbsent(_ memory: UnsafeMutableRawPointer) -> Bool { false }

  /// Reads a value by way of any decoder.
  @unsafe func decode(
    _ container: KeyedDecodingContainer<JSONKey>, _ key: JSONKey, _ memory: UnsafeMutableRawPointer
  ) throws {}

  /// Writes a value by way of any encoder.
  @unsafe func encode(
    _ memory: UnsafeRawPointer, _ container: inout KeyedEncodingContainer<JSONKey>, _ key: JSONKey
  ) throws {}

  /// The operation for a type.
  static func make<Value: Codable>(for type: Value.Type) -> ShapeOperation {
    if type == Int.self { return CodableOperation<Int>(.int) }
    if type == String.self { return CodableOperation<String>(.string) }
    if type == Bool.self { return CodableOperation<Bool>(.bool) }
    if type == Double.self { return CodableOperation<Double>(.double) }
    if type == [String].self { return CodableOperation<[String]>(.strings) }
    if type == JSONValue.self { return AnyValueOperation(.other) }
    if let integer = integer(for: type) { return integer }
    if let type = type as? any ShapeComposed.Type { return type.shapeOperation() }
    if let type = type as? any JSONShaped.Type { return shaped(type) }
    return CodableOperation<Value>(.other)
  }

  private static func shaped<Value: JSONShaped>(_ type: Value.Type) -> ShapeOperation { ShapedOperation<Value>(.other) }
}

/// A type whose operation is made of those of its parts.
protocol ShapeComposed {
  static func shapeOperation() -> ShapeOperation
}

/// Any type, by way of `Codable`.
@safe
class CodableOperation<Value: Codable>: ShapeOperation, @unchecked Sendable {
  @unsafe final func at(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value> {
    unsafe memory.assumingMemoryBound(to: Value.self)
  }

  @unsafe final func at(_ memory: UnsafeRawPointer) -> UnsafePointer<Value> {
    unsafe memory.assumingMemoryBound(to: Value.self)
  }

  @unsafe override func read(_ reader: inout JSONReader, _ memory: UnsafeMutableRawPointer) -> Bool {
    guard let tape = try? TapeStorage(valueOf: &reader) else { return false }
    reader.values &+= tape.values
    guard let value = try? tape.decodeRoot(Value.self) else { return false }
    unsafe at(memory).initialize(to: value)
    return true
  }

  @unsafe override func write(_ memory: UnsafeRawPointer, _ writer: inout JSONWriter) throws {
    try EncodingState.encodeRoot(unsafe at(memory).pointee, to: &writer)
  }

  @unsafe override func destroy(_ memory: UnsafeMutableRawPointer) { unsafe at(memory).deinitialize(count: 1) }

  @unsafe override func decode(
    _ container: KeyedDecodingContainer<JSONKey>, _ key: JSONKey, _ memory: UnsafeMutableRawPointer
  ) throws {
    unsafe at(memory).initialize(to: try container.decode(Value.self, forKey: key))
  }

  @unsafe override func encode(
    _ memory: UnsafeRawPointer, _ container: inout KeyedEncodingContainer<JSONKey>, _ key: JSONKey
  ) throws {
    try container.encode(unsafe at(memory).pointee, forKey: key)
  }
}

/// A value of any kind.
@safe
final class AnyValueOperation: CodableOperation<JSONValue>, @unchecked Sendable {
  @unsafe override func read(_ reader: inout JSONReader, _ memory: UnsafeMutableRawPointer) -> Bool {
    guard let value = try? reader.value() else { return false }
    unsafe at(memory).initialize(to: value)
    return true
  }

  @unsafe override func write(_ memory: UnsafeRawPointer, _ writer: inout JSONWriter) throws {
    unsafe writer.value(at(memory).pointee)
    if writer.hasInvalidNumber { throw JSONCoding.nonFinite(unsafe at(memory).pointee) }
  }
}

/// Another shape.
@safe
final class ShapedOperation<Value: JSONShaped>: CodableOperation<Value>, @unchecked Sendable {
  /// The plan, once it was asked for. Not before: a shape may be a part of itself, by way of an array.
  private let known = unsafe Atomic<UnsafeRawPointer?>(nil)

  deinit {
    if let plan = unsafe known.load(ordering: .relaxed) { unsafe Unmanaged<ShapePlan>.fromOpaque(plan).release() }
  }

  override var shapePlan: Unmanaged<ShapePlan>? { unsafe plan }

  @inline(__always)
  private var plan: Unmanaged<ShapePlan> {
    if let plan = unsafe known.load(ordering: .acquiring) { return unsafe Unmanaged.fromOpaque(plan) }
    return unsafe find()
  }

  @inline(never)
  private func find() -> Unmanaged<ShapePlan> {
    let plan = unsafe Unmanaged.passRetained(Value.jsonShape.plan)
    let (isFirst, other) = unsafe known.compareExchange(
      expected: nil, desired: UnsafeRawPointer(plan.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFirst, let other = unsafe other else { return unsafe plan }
    unsafe plan.release()
    return unsafe Unmanaged.fromOpaque(other)
  }

  @unsafe override func read(_ reader: inout JSONReader, _ memory: UnsafeMutableRawPointer) -> Bool {
    unsafe plan._withUnsafeGuaranteedRef { plan in
      guard unsafe reader.read(plan, memory) else { return false }
      unsafe plan.verify(at(memory).pointee)
      return true
    }
  }

  @unsafe override func write(_ memory: UnsafeRawPointer, _ writer: inout JSONWriter) throws {
    try unsafe plan._withUnsafeGuaranteedRef { try unsafe writer.write($0, memory) }
  }
}
