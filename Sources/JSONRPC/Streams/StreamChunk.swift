/// A piece of a stream.
public enum StreamChunk: Sendable, Hashable {
  /// Bytes. Where one message of the sender ends and the next begins has no meaning.
  case bytes([UInt8])
  /// One value, as it was sent.
  case value(JSONValue)
}

/// What waits for the reader of a stream.
struct StreamBuffer {
  private struct Piece {
    var bytes: [UInt8]
    /// Instead of the bytes.
    var value: JSONValue?
    var cost: Int
  }

  private var pieces: [Piece] = []
  private var first = 0
  private static let joinedUpTo = 64 << 10

  var isEmpty: Bool { first == pieces.count }

  /// Small pieces of bytes are joined: a sender of single bytes makes no heap of arrays.
  mutating func append(_ chunk: StreamChunk, cost: Int) {
    switch chunk {
    case .value(let value): pieces.append(Piece(bytes: [], value: value, cost: cost))
    case .bytes(let bytes):
      let last = pieces.count - 1
      if last >= first, pieces[last].value == nil, pieces[last].bytes.count + bytes.count <= Self.joinedUpTo {
        pieces[last].bytes += bytes
        pieces[last].cost += cost
      } else {
        pieces.append(Piece(bytes: bytes, cost: cost))
      }
    }
  }

  mutating func take() -> (chunk: StreamChunk, cost: Int)? {
    guard first < pieces.count else { return nil }
    let taken = pieces[first]
    pieces[first] = Piece(bytes: [], cost: 0)
    first += 1
    if first == pieces.count || first >= 64 {
      pieces.removeFirst(first)
      first = 0
    }
    return (taken.value.map { .value($0) } ?? .bytes(taken.bytes), taken.cost)
  }
}
