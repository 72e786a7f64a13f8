import Glibc

/// One value, member name or element of a tape.
struct TapeNode {
  enum Kind: UInt8 { case object, array, string, integer, fraction, yes, no, null }
  let kind: Kind
  var isEscaped = false
  /// The offset in the bytes; for a string without its quotes. For an object: the member at which the next search
  /// begins.
  var start: Int32
  /// In the bytes. Of an object or array: how many members or elements.
  var end: Int32 = 0
  /// The node after this value.
  var next: Int32
}

/// Makes the tape of one JSON text.
///
/// `@safe`, because: it owns its nodes alone until `take` gives them away, and `append` makes space first.
@safe
struct TapeBuilder: ~Copyable {
  private var nodes: UnsafeMutablePointer<TapeNode>
  private var count = 0
  private var capacity: Int

  /// - Parameter bytes: of the text; most texts need no more space than is guessed from it.
  init(forBytes bytes: Int) {
    capacity = bytes / 12 + 8
    unsafe nodes = Self.memory(capacity)
  }

  /// The tape of one value, which more text may follow.
  static func part(_ reader: inout JSONReader) throws(JSONError) -> UnsafeMutablePointer<TapeNode> {
    guard reader.end < Int32.max / 2 else { throw JSONError(.tooLarge, at: 0) }
    // How long the value is nobody knows, and there may be many of them.
    var builder = TapeBuilder(forBytes: 0)
    try builder.build(&reader)
    return unsafe builder.take()
  }

  /// The tape of everything that is left.
  static func tape(_ reader: inout JSONReader) throws(JSONError) -> UnsafeMutablePointer<TapeNode> {
    guard reader.end < Int32.max / 2 else { throw JSONError(.tooLarge, at: 0) }
    var builder = TapeBuilder(forBytes: reader.end)
    try builder.build(&reader)
    try reader.finish()
    return unsafe builder.take()
  }

  deinit { unsafe free(nodes) }

  @unsafe private static func memory(
    _ capacity: Int, growing old: UnsafeMutablePointer<TapeNode>? = nil
  ) -> UnsafeMutablePointer<TapeNode> {
    unsafe heapMemory(capacity * MemoryLayout<TapeNode>.stride, growing: old).assumingMemoryBound(to: TapeNode.self)
  }

  @unsafe private consuming func take() -> UnsafeMutablePointer<TapeNode> {
    let nodes = unsafe nodes
    discard self
    return unsafe nodes
  }

  @inline(__always)
  private mutating func append(_ node: TapeNode) {
    if count == capacity { grow() }
    unsafe (nodes + count).initialize(to: node)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    unsafe nodes = Self.memory(capacity * 2, growing: nodes)
    capacity *= 2
  }

  @inline(__always)
  private mutating func leaf(_ kind: TapeNode.Kind, _ start: Int, _ end: Int, isEscaped: Bool = false) {
    append(
      TapeNode(
        kind: kind, isEscaped: isEscaped, start: Int32(truncatingIfNeeded: start),
        end: Int32(truncatingIfNeeded: end), next: Int32(truncatingIfNeeded: count &+ 1)))
  }

  private mutating func build(_ reader: inout JSONReader) throws(JSONError) {
    let next = try reader.peek()
    let start = reader.at
    switch next {
    case 0x22:
      let span = try reader.stringSpan()
      leaf(.string, span.start, span.end, isEscaped: span.isEscaped)
    case 0x7B: try object(&reader)
    case 0x5B: try array(&reader)
    case 0x74:
      try reader.literal("true")
      leaf(.yes, start, reader.at)
    case 0x66:
      try reader.literal("false")
      leaf(.no, start, reader.at)
    case 0x6E:
      try reader.literal("null")
      leaf(.null, start, reader.at)
    default:
      let span = try reader.numberSpan()
      leaf(span.isInteger ? .integer : .fraction, span.start, span.end)
    }
  }

  private mutating func object(_ reader: inout JSONReader) throws(JSONError) {
    let own = count
    leaf(.object, own + 1, 0)
    var members: Int32 = 0
    var cursor = try reader.beginObject()
    while let name = try reader.nextName(&cursor) {
      leaf(.string, name.start, name.end, isEscaped: name.isEscaped)
      try build(&reader)
      members &+= 1
    }
    close(own, members)
  }

  private mutating func array(_ reader: inout JSONReader) throws(JSONError) {
    let own = count
    leaf(.array, reader.at, 0)
    var elements: Int32 = 0
    var cursor = try reader.beginArray()
    while try reader.nextElement(&cursor) {
      try build(&reader)
      elements &+= 1
    }
    close(own, elements)
  }

  @inline(__always)
  private func close(_ own: Int, _ members: Int32) {
    unsafe nodes[own].end = members
    unsafe nodes[own].next = Int32(truncatingIfNeeded: count)
  }
}
