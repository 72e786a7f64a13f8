import Text
import JSON
package import JSONRPC
import PropertyList

/// What went through a stream. Where one message of the sender ended and the next began has no meaning.
package struct StreamContents: Sendable, Equatable {
  /// Bytes and values in turn; no two pieces of bytes are neighbours.
  package private(set) var chunks: [StreamChunk] = []
  /// Bytes, and one for each value.
  package private(set) var size = 0
  /// What the sender broke it off with.
  package var error: ErrorObject?
  /// Whether the receiver gave it up: how much still came then is chance.
  package var isDropped = false

  /// Creates empty contents.
  package init() {}

  /// Appends a chunk; adjacent pieces of bytes are joined.
  package mutating func append(_ chunk: StreamChunk) {
    guard case .bytes(let more) = chunk else {
      size += 1
      return chunks.append(chunk)
    }
    size += more.count
    guard case .bytes(var bytes)? = chunks.last else { return chunks.append(chunk) }
    // The array is taken out while it grows, so that it is not copied.
    chunks[chunks.count - 1] = .bytes([])
    bytes += more
    chunks[chunks.count - 1] = .bytes(bytes)
  }

  /// As much of it as the other has, when that one was given up; all else.
  func cut(like other: StreamContents) -> StreamContents {
    guard other.isDropped else { return self }
    var result = StreamContents()
    result.isDropped = true
    for chunk in chunks where result.size < other.size {
      guard case .bytes(let bytes) = chunk else {
        result.append(chunk)
        continue
      }
      result.append(.bytes(Array(bytes.prefix(other.size - result.size))))
    }
    return result
  }

  /// For comparing and showing: text where it is text. Of an error its code and message count.
  var value: JSONValue {
    var object: JSONObject = ["chunks": .array(chunks.map(Self.value))]
    if let error, !isDropped {
      object["error"] = ["code": .integer(Int64(error.code)), "message": .string(error.message)]
    }
    return .object(object)
  }

  private static func value(of chunk: StreamChunk) -> JSONValue {
    switch chunk {
    case .value(let value): ["value": value]
    case .bytes(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) {
        ["text": .string(text)]
      } else {
        ["base64": .string(Base64.encode(bytes))]
      }
    }
  }

  /// Returns the parts of two long texts around the first place at which they differ.
  static func excerpts(_ one: JSONValue?, _ other: JSONValue?) -> (JSONValue?, JSONValue?) {
    guard case .string(let first)? = one, case .string(let second)? = other,
      max(first.utf8.count, second.utf8.count) > excerpt
    else { return (one, other) }
    let same = zip(first.utf8, second.utf8).prefix { $0 == $1 }.count
    // Both are the same up to here. No character is cut.
    let start = first.prefix(utf8: max(0, same - excerpt / 4)).utf8.count
    func cut(_ text: String) -> JSONValue {
      let rest = Substring(text.utf8.dropFirst(start))
      let part = rest.prefix(utf8: excerpt)
      return .string("\(start > 0 ? "…" : "")\(part)\(rest.utf8.count > part.utf8.count ? "…" : "")")
    }
    return (cut(first), cut(second))
  }

  private static let excerpt = 160
}
