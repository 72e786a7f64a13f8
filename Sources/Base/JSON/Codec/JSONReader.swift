/// Reads JSON (RFC 8259) from raw bytes, strictly and without intermediate values.
///
/// It refuses what the grammar refuses, and also: invalid UTF-8, lone surrogates, a byte order mark, duplicate names in
/// one object, numbers that overflow a double, and nesting beyond a limit.
///
/// `@safe`, because: the reader never leaves `base ..< base + end`, every load is preceded by a comparison with `end`,
/// and the caller that creates a reader keeps the bytes alive for as long as the reader exists.
@safe
package struct JSONReader: ~Copyable {
  /// The first byte of the text.
  package let base: UnsafeRawPointer
  /// The length of the text in bytes.
  package let end: Int
  /// Bytes read so far.
  package var at = 0
  /// The number of arrays and objects around the current position.
  package var depth = 0
  /// The deepest permitted nesting.
  package let maximumDepth: Int
  /// Names of the objects that are open now, innermost last.
  package var names = NameStack()

  /// How many values, members' names among them, were made; those that are skipped do not count.
  var values = 0

  /// How deep arrays and objects may be nested when nothing else is said.
  package static let defaultMaximumDepth = 64

  /// - Parameter bytes: must outlive the reader.
  @unsafe package init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int = JSONReader.defaultMaximumDepth) {
    unsafe base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    end = bytes.count
    self.maximumDepth = maximumDepth
  }

  /// Returns the byte at an offset, which the caller has compared with ``end``.
  @inline(__always)
  package func byte(_ index: Int) -> UInt8 { unsafe base.load(fromByteOffset: index, as: UInt8.self) }

  @inline(__always)
  func word(_ index: Int) -> UInt64 { unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self) }

  @inline(__always)
  mutating func skipSpace() {
    while at < end {
      let byte = byte(at)
      if byte > 0x20 { return }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      at &+= 1
    }
  }

  /// The next byte that is no white space, not consumed.
  @inline(__always)
  package mutating func peek() throws(JSONError) -> UInt8 {
    skipSpace()
    guard at < end else { throw JSONError(.unexpectedEnd, at: at) }
    return byte(at)
  }

  /// Skips white space and reads exactly this byte.
  @inline(__always)
  package mutating func expect(_ wanted: UInt8) throws(JSONError) {
    guard try peek() == wanted else { throw fault(expecting: wanted) }
    at &+= 1
  }

  /// Consumes `wanted` when it is next.
  @inline(__always)
  package mutating func take(_ wanted: UInt8) throws(JSONError) -> Bool {
    guard try peek() == wanted else { return false }
    at &+= 1
    return true
  }

  @inline(never)
  func fault(expecting wanted: UInt8) -> JSONError {
    switch wanted {
    case 0x22: JSONError(.mismatch(expected: "a string"), at: at)
    case 0x7B: JSONError(.mismatch(expected: "an object"), at: at)
    case 0x5B: JSONError(.mismatch(expected: "an array"), at: at)
    default: JSONError(.unexpectedCharacter, at: at)
    }
  }

  /// Demands that only white space is left.
  package mutating func finish() throws(JSONError) {
    skipSpace()
    if at < end { throw JSONError(.trailingContent, at: at) }
  }

  /// A byte order mark is refused by name, as the usual culprit is an editor.
  package func refuseByteOrderMark() throws(JSONError) {
    if end >= 3, byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF { throw JSONError(.byteOrderMark, at: 0) }
  }

  /// Reads the byte that opens an array or object.
  ///
  /// - Throws: `tooDeep` beyond ``maximumDepth``.
  @inline(__always)
  package mutating func enter() throws(JSONError) {
    depth &+= 1
    if depth > maximumDepth { throw JSONError(.tooDeep(limit: maximumDepth), at: at) }
    at &+= 1
  }

  @inline(__always)
  mutating func leave() {
    depth &-= 1
    at &+= 1
  }
}
