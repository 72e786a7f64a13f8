public import JSON
import Text

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
    /// What the piece takes in memory.
    var weight: Int
  }

  private var pieces: [Piece] = []
  private var first = 0
  private static let joinedUpTo = 64 << 10
  /// What waits takes so many bytes in memory.
  private(set) var weight = 0

  var isEmpty: Bool { first == pieces.count }

  /// Small pieces of bytes are joined: a sender of single bytes makes no heap of arrays.
  mutating func append(_ chunk: StreamChunk, cost: Int) {
    switch chunk {
    case .value(let value):
      let valueWeight = value.weight
      pieces.append(Piece(bytes: [], value: value, cost: cost, weight: valueWeight))
      weight += valueWeight
    case .bytes(let bytes):
      weight += bytes.count
      let last = pieces.count - 1
      if last >= first, pieces[last].value == nil, pieces[last].bytes.count + bytes.count <= Self.joinedUpTo {
        pieces[last].bytes += bytes
        pieces[last].cost += cost
        pieces[last].weight += bytes.count
      } else {
        pieces.append(Piece(bytes: bytes, cost: cost, weight: bytes.count))
      }
    }
  }

  mutating func take() -> (chunk: StreamChunk, cost: Int)? {
    guard first < pieces.count else { return nil }
    let taken = pieces[first]
    pieces[first] = Piece(bytes: [], cost: 0, weight: 0)
    weight -= taken.weight
    first += 1
    if first == pieces.count || first >= 64 {
      pieces.removeFirst(first)
      first = 0
    }
    return (taken.value.map { .value($0) } ?? .bytes(taken.bytes), taken.cost)
  }
}

// Base64 straight between bytes and JSON text: what a stream carries is large, and is copied once.

extension JSONWriter {
  /// A string of base64, with its quotes.
  @unsafe mutating func base64(_ bytes: UnsafeRawBufferPointer) {
    let length = Base64.length(of: bytes.count)
    byte(0x22)
    reserve(length + 1)
    unsafe Base64.encode(bytes, into: buffer + count)
    count += length
    byte(0x22)
  }
}

extension JSONReader {
  /// A string of base64, as bytes; `nil` when it is something else.
  mutating func base64() throws(JSONError) -> [UInt8]? {
    let span = try stringSpan()
    // Some writers escape the slash.
    if span.isEscaped {
      var text = unescaped(span)
      return text.withUTF8 { unsafe Base64.decode(UnsafeRawBufferPointer($0)) }
    }
    return unsafe Base64.decode(bytes(span.start, span.end))
  }
}
