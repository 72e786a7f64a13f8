/// JSON text, checked completely and indexed once into a flat tape of nodes that the containers of `Codable` walk.
///
/// The bytes are borrowed: a tape lives for one `decodeRoot`. A decoder that a type keeps for later finds the tape
/// emptied, and gets an error.
///
/// `@safe`, because: nodes are only reached by indices that the tape itself made, and bytes by spans that were checked
/// when it was built; `isValid` guards against use after the bytes are gone.
@safe
final class TapeStorage {
  struct Node {
    enum Kind: UInt8 { case object, array, string, integer, fraction, yes, no, null }
    var kind: Kind
    var isEscaped = false
    /// In the bytes; of a string without the quotes. Of an object: the member at which the next search begins.
    var start: Int32
    /// In the bytes. Of an object or array: how many members or elements.
    var end: Int32 = 0
    /// The node after this value.
    var next: Int32
  }

  private(set) var nodes: UnsafeMutablePointer<Node>
  private(set) var count = 0
  private var capacity: Int
  let base: UnsafeRawPointer
  let end: Int
  /// False when decoding is over and the bytes may be gone.
  private(set) var isValid = true

  init(_ reader: inout JSONReader) throws(JSONError) {
    guard reader.end < Int32.max / 2 else { throw JSONError(.tooLarge, at: 0) }
    unsafe base = reader.base
    end = reader.end
    capacity = reader.end / 12 + 8
    unsafe nodes = .allocate(capacity: capacity)
    try build(&reader)
    try reader.finish()
  }

  deinit { unsafe nodes.deallocate() }

  func decodeRoot<Value: Decodable>(_ type: Value.Type) throws -> Value {
    defer { isValid = false }
    return try decode(type, 0)
  }

  @inline(__always)
  private func append(_ node: Node) {
    if count == capacity {
      let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity * 2)
      unsafe larger.moveInitialize(from: nodes, count: count)
      unsafe nodes.deallocate()
      unsafe nodes = larger
      capacity *= 2
    }
    unsafe (nodes + count).initialize(to: node)
    count &+= 1
  }

  @inline(__always)
  private func appendLeaf(_ kind: Node.Kind, _ start: Int, _ end: Int, isEscaped: Bool = false) {
    append(
      Node(
        kind: kind, isEscaped: isEscaped, start: Int32(truncatingIfNeeded: start),
        end: Int32(truncatingIfNeeded: end), next: Int32(truncatingIfNeeded: count &+ 1)))
  }

  private func build(_ reader: inout JSONReader) throws(JSONError) {
    let own = count
    let next = try reader.peek()
    let start = reader.at
    switch next {
    case 0x7B:
      appendLeaf(.object, own + 1, 0)
      var members: Int32 = 0
      var cursor = try reader.beginObject()
      while let name = try reader.nextName(&cursor) {
        appendLeaf(.string, name.start, name.end, isEscaped: name.isEscaped)
        try build(&reader)
        members &+= 1
      }
      close(own, members)
    case 0x5B:
      appendLeaf(.array, start, 0)
      var elements: Int32 = 0
      var cursor = try reader.beginArray()
      while try reader.nextElement(&cursor) {
        try build(&reader)
        elements &+= 1
      }
      close(own, elements)
    case 0x22:
      let span = try reader.stringSpan()
      appendLeaf(.string, span.start, span.end, isEscaped: span.isEscaped)
    case 0x74:
      try reader.literal("true")
      appendLeaf(.yes, start, reader.at)
    case 0x66:
      try reader.literal("false")
      appendLeaf(.no, start, reader.at)
    case 0x6E:
      try reader.literal("null")
      appendLeaf(.null, start, reader.at)
    default:
      let span = try reader.numberSpan()
      appendLeaf(span.isInteger ? .integer : .fraction, span.start, span.end)
    }
  }

  @inline(__always)
  private func close(_ own: Int, _ members: Int32) {
    unsafe nodes[own].end = members
    unsafe nodes[own].next = Int32(truncatingIfNeeded: count)
  }
}
