import Glibc

/// JSON text, checked completely and indexed once into a flat tape of nodes that the containers of `Codable` walk.
///
/// The bytes are borrowed: a tape lives for one `decodeRoot`. A decoder that a type keeps for later finds the tape
/// void, and gets an error.
///
/// `@safe`, because: nodes are only reached by indices that the tape itself made, and bytes by spans that were checked
/// when it was built; `isValid` guards against use after the bytes are gone.
@safe
final class TapeStorage {
  typealias Node = TapeNode

  let nodes: UnsafeMutablePointer<Node>
  let base: UnsafeRawPointer
  let end: Int

  init(_ reader: inout JSONReader) throws(JSONError) {
    unsafe nodes = try TapeBuilder.tape(&reader)
    unsafe base = reader.base
    end = reader.end
  }

  deinit { unsafe free(nodes) }

  /// Whether the bytes may still be read; false once decoding has ended. Kept in the first node, where the check is
  /// cheap.
  @inline(__always)
  var isValid: Bool { unsafe nodes[0].next >= 0 }

  /// How many nodes there are; only while the tape is valid.
  @inline(__always)
  var count: Int { Int(unsafe nodes[0].next) }

  func decodeRoot<Value: Decodable>(_ type: Value.Type) throws -> Value {
    defer { unsafe nodes[0].next = -1 }
    return try decode(type, 0)
  }
}
