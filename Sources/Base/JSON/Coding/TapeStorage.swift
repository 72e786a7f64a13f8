import Glibc

/// JSON text, and the flat tape of nodes that the containers of `Codable` walk, into which it is checked and indexed when
/// a type asks for the first one. A shape is read from the text itself, and needs no tape.
///
/// The bytes are borrowed: a tape lives for one `decodeRoot`. A decoder that a type keeps for later finds the tape
/// void, and gets an error.
///
/// `@safe`, because: nodes are only reached by indices that the tape itself made, and bytes by spans that were checked
/// when it was built; `prepare` guards against use before that, and after the bytes are gone.
@safe
final class TapeStorage {
  typealias Node = TapeNode

  private enum State: UInt8 {
    /// Nothing has been read.
    case unread
    /// The whole text has been read and checked, without a tape.
    case read
    case taped
    /// The text is no JSON.
    case broken
    /// Decoding has ended, and the bytes may be gone.
    case over
  }

  private(set) var nodes: UnsafeMutablePointer<Node>?
  let base: UnsafeRawPointer
  let end: Int
  private let maximumDepth: Int
  private var state: State
  private var failure: JSONError?
  /// How many values, members' names among them, the text is made of, once it was read.
  private(set) var values = 0

  /// The storage of a whole text.
  @unsafe init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int) throws(JSONError) {
    let reader = unsafe JSONReader(bytes, maximumDepth: maximumDepth)
    try reader.refuseByteOrderMark()
    unsafe nodes = nil
    unsafe base = reader.base
    end = reader.end
    self.maximumDepth = maximumDepth
    state = .unread
  }

  /// The tape of the reader's next value.
  init(valueOf reader: inout JSONReader) throws(JSONError) {
    let made = unsafe try TapeBuilder.part(&reader)
    unsafe nodes = made
    unsafe base = reader.base
    end = reader.end
    maximumDepth = .max
    state = .taped
    values = Int(unsafe made[0].next)
  }

  deinit { unsafe free(nodes) }

  /// Keeps the place in an object where the next search of a member begins.
  @inline(__always)
  func beginSearch(in index: Int, at place: Int32) { unsafe nodes.unsafelyUnwrapped[index].start = place }

  /// Makes the tape where it is not made yet.
  ///
  /// - Throws: `JSONError` for a text that is no JSON; `DecodingError` once decoding has ended.
  @inline(__always)
  func prepare() throws { if state != .taped { try make() } }

  @inline(never)
  private func make() throws {
    if state == .over { throw corrupted("A decoder was used after its decoding had ended.") }
    if let failure { throw failure }
    var reader = unsafe JSONReader(UnsafeRawBufferPointer(start: base, count: end), maximumDepth: maximumDepth)
    do throws(JSONError) {
      let made = unsafe try TapeBuilder.tape(&reader)
      unsafe nodes = made
      values = Int(unsafe made[0].next)
      state = .taped
    } catch {
      failure = error
      state = .broken
      throw error
    }
  }

  /// Decodes the whole text. What is no JSON is said first, whatever the type does with the decoder.
  ///
  /// - Throws: `JSONError` or what the type throws.
  func decodeRoot<Value: Decodable>(_ type: Value.Type) throws -> Value {
    defer { state = .over }
    let value: Value
    do { value = try decodeWhole(type) } catch {
      try check()
      throw error
    }
    try check()
    return value
  }

  @inline(__always)
  private func check() throws {
    if state == .unread { try prepare() }
    if let failure { throw failure }
  }

  private func decodeWhole<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == JSONValue.self, let value = direct({ try? $0.value() }) { return reinterpret(value) }
    if type == String.self || type == [String].self || type == JSONValue.self {
      try prepare()
      return try decode(type, 0)
    }
    if end >= ShapeArrays.least { return try decodeLarge(type) }
    return try decodeValue(type, 0)
  }

  @inline(never)
  private func decodeLarge<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let value = direct({ ShapeArrays.read(type, &$0) }) { return value }
    return try decodeValue(type, 0)
  }

  /// A value that is read from the whole text; `nil` when the text is not as expected, or was read before.
  func direct<Value>(_ body: (inout JSONReader) -> Value?) -> Value? {
    guard state == .unread else { return nil }
    var reader = unsafe JSONReader(UnsafeRawBufferPointer(start: base, count: end), maximumDepth: maximumDepth)
    guard let value = body(&reader), (try? reader.finish()) != nil else { return nil }
    state = .read
    values = reader.values
    return value
  }
}
