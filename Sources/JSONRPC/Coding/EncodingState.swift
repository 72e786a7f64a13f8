/// What all encoders of one value share: the writer, and the pieces that are written apart.
///
/// `Codable` may keep several nested containers open and fill them in any order. Values are streamed straight into the
/// writer; a nested container or super encoder writes apart, into a state of its own, and is spliced in at the end.
///
/// `@safe`, because: the writer outlives every encoder that streams into it (`encodeRoot` is synchronous, a piece owns
/// its own), and only this module touches it.
@safe
final class EncodingState {
  /// The container that was written whole last, to tell it from one that is still open.
  struct Whole {
    var start = -1
    var end = -1
  }

  let writer: UnsafeMutablePointer<JSONWriter>
  private let whole: UnsafeMutablePointer<Whole>
  private let ownsPointers: Bool
  var inserts: [(offset: Int, state: EncodingState)] = []

  private init(
    _ writer: UnsafeMutablePointer<JSONWriter>, _ whole: UnsafeMutablePointer<Whole>, owns: Bool
  ) {
    unsafe self.writer = writer
    unsafe self.whole = whole
    ownsPointers = owns
  }

  /// A state that writes apart.
  convenience init() {
    let writer = UnsafeMutablePointer<JSONWriter>.allocate(capacity: 1)
    unsafe writer.initialize(to: JSONWriter(capacity: 64))
    let whole = UnsafeMutablePointer<Whole>.allocate(capacity: 1)
    unsafe whole.initialize(to: Whole())
    unsafe self.init(writer, whole, owns: true)
  }

  deinit {
    if ownsPointers {
      unsafe writer.deinitialize(count: 1)
      unsafe writer.deallocate()
      unsafe whole.deallocate()
    }
  }

  static func encodeRoot<Value: Encodable>(_ value: Value, to writer: inout JSONWriter) throws {
    let start = writer.count
    var whole = Whole()
    try unsafe withUnsafeMutablePointer(to: &writer) { writer in
      try unsafe withUnsafeMutablePointer(to: &whole) { whole in
        let state = unsafe EncodingState(writer, whole, owns: false)
        try state.encode(value)
        if !state.inserts.isEmpty { state.splice(from: start) }
      }
    }
  }

  @inline(__always)
  var count: Int { unsafe writer.pointee.count }

  /// Writes one value that is complete when this returns.
  @inline(__always)
  func encode<Value: Encodable>(_ value: Value) throws {
    if Value.self == String.self {
      unsafe writer.pointee.string(reinterpret(value))
    } else if Value.self == JSONValue.self {
      try write(reinterpret(value) as JSONValue)
    } else if Value.self == [String].self {
      writeStrings(reinterpret(value))
    } else {
      let start = count
      try value.encode(to: StreamEncoder(state: self, start: start))
      close(start)
    }
  }

  /// Closes the container that the value opened; a value that wrote nothing is an empty object.
  @inline(__always)
  func close(_ start: Int) {
    if count == start {
      unsafe writer.pointee.raw("{}")
      return
    }
    let first = unsafe writer.pointee.buffer.load(fromByteOffset: start, as: UInt8.self)
    if first == 0x7B || first == 0x5B {
      // A value that was written whole (JSONValue, a single value) has closed itself.
      if !isClosed(start) { unsafe writer.pointee.byte(first == 0x7B ? 0x7D : 0x5D) }
    }
  }

  @inline(__always)
  private func isClosed(_ start: Int) -> Bool { unsafe whole.pointee.start == start && whole.pointee.end == count }

  func markWhole(from start: Int) {
    unsafe whole.pointee.start = start
    unsafe whole.pointee.end = count
  }

  func write(_ value: JSONValue) throws {
    unsafe writer.pointee.value(value)
    if unsafe writer.pointee.hasInvalidNumber { throw JSONCoding.nonFinite(value) }
  }

  private func writeStrings(_ strings: [String]) {
    unsafe writer.pointee.byte(0x5B)
    var isFirst = true
    for string in strings {
      if !isFirst { unsafe writer.pointee.byte(0x2C) }
      isFirst = false
      unsafe writer.pointee.string(string)
    }
    unsafe writer.pointee.byte(0x5D)
  }

  func write(_ value: Double) throws {
    unsafe writer.pointee.double(value)
    if unsafe writer.pointee.hasInvalidNumber { throw JSONCoding.nonFinite(value) }
  }

  /// Puts the pieces that were written apart into their places.
  private func splice(from start: Int) {
    let tail = unsafe [UInt8](UnsafeRawBufferPointer(start: writer.pointee.buffer + start, count: count - start))
    unsafe writer.pointee.truncate(to: start)
    var position = 0
    unsafe tail.withUnsafeBytes { tail in
      for insert in inserts {
        unsafe writer.pointee.bytes(UnsafeRawBufferPointer(rebasing: tail[position..<(insert.offset - start)]))
        position = insert.offset - start
        insert.state.finish()
        unsafe insert.state.writer.pointee.withBytes { unsafe writer.pointee.bytes($0) }
      }
      unsafe writer.pointee.bytes(UnsafeRawBufferPointer(rebasing: tail[position...]))
    }
  }

  /// Ends a state that was written apart: closes its container and splices its own pieces.
  private func finish() {
    close(0)
    if !inserts.isEmpty { splice(from: 0) }
  }
}

/// The value as the type that it is known to be: the caller has compared the metatypes.
@inline(__always)
func reinterpret<From, To>(_ value: From, as type: To.Type = To.self) -> To {
  unsafe withUnsafePointer(to: value) { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: To.self).pointee }
}
