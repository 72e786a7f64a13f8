/// The state that all encoders of one value share: the writer, and the pieces that are written apart.
///
/// `Codable` may keep several nested containers open and fill them in any order. Values are streamed straight into the
/// writer. A nested container or super encoder writes into a piece of its own, which is spliced in at the end.
///
/// The handle is a bare pointer, as it is copied with every container: counting references to it took a tenth of the
/// time of encoding.
///
/// `@safe`, because: the memory lives until `encodeRoot` returns (the root state on its stack, that of a piece in the
/// piece, which the owner of the piece keeps), and encoding has ended by then.
@safe
struct EncodingState {
  /// The container that was written whole last, to tell it from one that is still open.
  struct Whole {
    var start = -1
    var end = -1
  }

  /// `@safe`, because: only this file touches it, and the writer outlives it.
  @safe
  struct Storage {
    let writer: UnsafeMutablePointer<JSONWriter>
    var whole = Whole()
    var inserts: [(offset: Int, piece: EncodingPiece)] = []

    @unsafe init(_ writer: UnsafeMutablePointer<JSONWriter>) { unsafe self.writer = writer }
  }

  private let storage: UnsafeMutablePointer<Storage>

  @unsafe init(_ storage: UnsafeMutablePointer<Storage>) { unsafe self.storage = storage }

  static func encodeRoot<Value: Encodable>(_ value: Value, to writer: inout JSONWriter) throws {
    let start = writer.count
    try unsafe withUnsafeMutablePointer(to: &writer) { writer in
      var storage = unsafe Storage(writer)
      try unsafe withUnsafeMutablePointer(to: &storage) { storage in
        let state = unsafe EncodingState(storage)
        try state.encode(value)
        if unsafe !storage.pointee.inserts.isEmpty { state.splice(from: start) }
      }
    }
  }

  @inline(__always)
  @unsafe var writer: UnsafeMutablePointer<JSONWriter> { unsafe storage.pointee.writer }

  @inline(__always)
  var count: Int { unsafe writer.pointee.count }

  /// A place here for a value that is written apart.
  func apart() -> EncodingState {
    let piece = EncodingPiece()
    unsafe storage.pointee.inserts.append((count, piece))
    return piece.state
  }

  /// Whether something behind an offset is written apart.
  func hasPiece(behind offset: Int) -> Bool { unsafe storage.pointee.inserts.last.map { $0.offset > offset } ?? false }

  /// Writes one value that is complete when this returns.
  @inline(__always)
  func encode<Value: Encodable>(_ value: Value) throws {
    if Value.self == String.self {
      unsafe writer.pointee.string(reinterpret(value))
    } else if Value.self == JSONValue.self {
      try write(reinterpret(value) as JSONValue)
    } else if Value.self == [String].self {
      unsafe writer.pointee.strings(reinterpret(value))
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
  private func isClosed(_ start: Int) -> Bool {
    unsafe storage.pointee.whole.start == start && storage.pointee.whole.end == count
  }

  func markWhole(from start: Int) {
    unsafe storage.pointee.whole = Whole(start: start, end: count)
  }

  func write(_ value: JSONValue) throws {
    unsafe writer.pointee.value(value)
    if unsafe writer.pointee.hasInvalidNumber { throw JSONCoding.nonFinite(value) }
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
      for insert in unsafe storage.pointee.inserts {
        unsafe writer.pointee.bytes(UnsafeRawBufferPointer(rebasing: tail[position..<(insert.offset - start)]))
        position = insert.offset - start
        let state = insert.piece.state
        state.finish()
        unsafe state.writer.pointee.withBytes { unsafe writer.pointee.bytes($0) }
      }
      unsafe writer.pointee.bytes(UnsafeRawBufferPointer(rebasing: tail[position...]))
    }
  }

  /// Ends a state that was written apart: closes its container and splices its own pieces.
  private func finish() {
    close(0)
    if unsafe !storage.pointee.inserts.isEmpty { splice(from: 0) }
  }
}

/// What one nested container or super encoder has written.
///
/// `@safe`, because: it owns its writer and its storage alone.
@safe
final class EncodingPiece {
  private let writer = UnsafeMutablePointer<JSONWriter>.allocate(capacity: 1)
  private let storage = UnsafeMutablePointer<EncodingState.Storage>.allocate(capacity: 1)

  init() {
    unsafe writer.initialize(to: JSONWriter(capacity: 64))
    unsafe storage.initialize(to: EncodingState.Storage(writer))
  }

  deinit {
    unsafe storage.deinitialize(count: 1)
    unsafe storage.deallocate()
    unsafe writer.deinitialize(count: 1)
    unsafe writer.deallocate()
  }

  var state: EncodingState { unsafe EncodingState(storage) }
}

/// The value as the type that it is known to be: the caller has compared the metatypes.
@inline(__always)
func reinterpret<From, To>(_ value: From, as type: To.Type = To.self) -> To {
  unsafe withUnsafePointer(to: value) { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: To.self).pointee }
}
