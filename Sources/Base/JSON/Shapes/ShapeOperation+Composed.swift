extension Optional: ShapeComposed where Wrapped: Codable {
  static func shapeOperation() -> ShapeOperation { OptionalOperation<Wrapped>(.other) }
}

extension Array: ShapeComposed where Element: Codable {
  static func shapeOperation() -> ShapeOperation {
    let element = ShapeOperation.make(for: Element.self)
    // Elements that only `Codable` can read are read from one tape, not from one each.
    let isPlain = element.kind == .other && type(of: element) == CodableOperation<Element>.self
    return isPlain ? CodableOperation<[Element]>(.other) : ArrayOperation<Element>(element)
  }
}

/// A value or `nil`. Both begin at the same byte, so the value is read in place.
@safe
final class OptionalOperation<Wrapped: Codable>: CodableOperation<Wrapped?>, @unchecked Sendable {
  private let wrapped = ShapeOperation.make(for: Wrapped.self)

  @unsafe override func read(_ reader: inout JSONReader, _ memory: UnsafeMutableRawPointer) -> Bool {
    if let isNull = try? reader.takeNull(), isNull {
      reader.values &+= 1
      unsafe at(memory).initialize(to: nil)
      return true
    }
    guard unsafe reader.read(wrapped, memory) else { return false }
    let value = unsafe memory.assumingMemoryBound(to: Wrapped.self).move()
    unsafe at(memory).initialize(to: value)
    return true
  }

  @unsafe override func write(_ memory: UnsafeRawPointer, _ writer: inout JSONWriter) throws {
    guard let value = unsafe at(memory).pointee else { return writer.null() }
    try unsafe withUnsafePointer(to: value) { try unsafe writer.write(wrapped, UnsafeRawPointer($0)) }
  }

  @unsafe override func isAbsent(_ memory: UnsafeRawPointer) -> Bool { unsafe at(memory).pointee == nil }

  @unsafe override func fillAbsent(_ memory: UnsafeMutableRawPointer) -> Bool {
    unsafe at(memory).initialize(to: nil)
    return true
  }

  @unsafe override func decode(
    _ container: KeyedDecodingContainer<JSONKey>, _ key: JSONKey, _ memory: UnsafeMutableRawPointer
  ) throws {
    unsafe at(memory).initialize(to: try container.decodeIfPresent(Wrapped.self, forKey: key))
  }

  @unsafe override func encode(
    _ memory: UnsafeRawPointer, _ container: inout KeyedEncodingContainer<JSONKey>, _ key: JSONKey
  ) throws {
    try container.encodeIfPresent(unsafe at(memory).pointee, forKey: key)
  }
}

/// An array, whose elements are read into memory that grows, and moved once when their number is known.
@safe
final class ArrayOperation<Element: Codable>: CodableOperation<[Element]>, @unchecked Sendable {
  private let element: ShapeOperation

  init(_ element: ShapeOperation) {
    self.element = element
    super.init(.other)
  }

  @unsafe override func read(_ reader: inout JSONReader, _ memory: UnsafeMutableRawPointer) -> Bool {
    guard var cursor = try? reader.beginArray() else { return false }
    reader.values &+= 1
    var elements = ShapeElements<Element>()
    if let plan = unsafe element.shapePlan {
      guard unsafe plan._withUnsafeGuaranteedRef({ shapes($0, &reader, &cursor, &elements) }) else { return false }
    } else {
      while true {
        guard let isNext = try? reader.nextElement(&cursor) else { return false }
        guard isNext else { break }
        guard unsafe reader.read(element, elements.place(reader)) else { return false }
        elements.count &+= 1
      }
    }
    unsafe at(memory).initialize(to: elements.take())
    return true
  }

  /// Reads elements that are shapes, of which there may be many.
  private func shapes(
    _ plan: ShapePlan, _ reader: inout JSONReader, _ cursor: inout ElementCursor,
    _ elements: inout ShapeElements<Element>
  ) -> Bool {
    while true {
      guard let isNext = try? reader.nextElement(&cursor) else { return false }
      guard isNext else { return true }
      let place = unsafe elements.place(reader)
      guard unsafe reader.read(plan, place) else { return false }
      plan.verify(unsafe place.assumingMemoryBound(to: Element.self).pointee)
      elements.count &+= 1
    }
  }

  @unsafe override func write(_ memory: UnsafeRawPointer, _ writer: inout JSONWriter) throws {
    let start = writer.count
    try unsafe at(memory).pointee.withUnsafeBufferPointer { elements in
      guard let base = elements.baseAddress else { return }
      for index in 0..<elements.count {
        writer.byte(0x2C)
        do { try unsafe writer.write(element, UnsafeRawPointer(base + index)) } catch {
          throw prefixed(error, by: JSONKey(index: index))
        }
      }
    }
    writer.close(from: start, 0x5B)
  }
}

/// The elements of an array that is being read.
///
/// `@safe`, because: it owns its memory alone, and `count` elements of it are initialized.
@safe
private struct ShapeElements<Element>: ~Copyable {
  private var memory: UnsafeMutablePointer<Element>?
  private var capacity = 0
  var count = 0

  init() {}

  deinit {
    unsafe memory?.deinitialize(count: count)
    unsafe memory?.deallocate()
  }

  /// The uninitialized place of the next element.
  @inline(__always)
  @unsafe mutating func place(_ reader: borrowing JSONReader) -> UnsafeMutableRawPointer {
    if count == capacity { grow(reader.end &- reader.at) }
    return unsafe UnsafeMutableRawPointer(memory.unsafelyUnwrapped + count)
  }

  /// - Parameter rest: the bytes of text that are left.
  @inline(never)
  private mutating func grow(_ rest: Int) {
    // After a few elements there is space for as many as take as much memory as the text.
    capacity = capacity < 4 ? 4 : max(capacity * 2, rest / max(1, MemoryLayout<Element>.stride))
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    if let old = unsafe memory {
      unsafe larger.moveInitialize(from: old, count: count)
      unsafe old.deallocate()
    }
    unsafe memory = larger
  }

  mutating func take() -> [Element] {
    guard count > 0, let memory = unsafe memory else { return [] }
    let total = count
    count = 0
    return unsafe [Element](unsafeUninitializedCapacity: total) { target, initialized in
      unsafe target.baseAddress.unsafelyUnwrapped.moveInitialize(from: memory, count: total)
      initialized = total
    }
  }
}
