/// The way in which messages are separated on a stream of bytes.
public enum Framing: String, Sendable, Hashable, Codable, CaseIterable {
  /// One message a line, ended by LF.
  case lines
  /// The base protocol of the Language Server Protocol: `Content-Length: N`, an empty line, N bytes.
  case contentLength = "content-length"
}

/// Why a stream cannot be divided into messages any more.
package enum FramingError: Error, Sendable, Hashable {
  /// A message is longer than the limit. Nothing of the announced size was allocated.
  case tooLarge(limit: Int)
  /// `Content-Length` is not a plain decimal number.
  case badLength(String)
  /// A header block has two lengths.
  case duplicateLength
  /// A header block does not end.
  case headerTooLong(limit: Int)
  case malformedHeader(String)
}

extension FramingError: CustomStringConvertible {
  /// One sentence for a log.
  package var description: String {
    switch self {
    case .tooLarge(let limit): "A message is longer than \(limit) bytes."
    case .badLength(let value): "Content-Length is \"\(value)\", which is not a length."
    case .duplicateLength: "A message has two Content-Length headers."
    case .headerTooLong(let limit): "The headers of a message are longer than \(limit) bytes."
    case .malformedHeader(let line): "\"\(line)\" is not a header line."
    }
  }
}

/// Bytes between messages that are no message: what a program printed where it must not.
package struct Noise: Sendable, Hashable {
  /// The number of bytes.
  package let count: Int
  /// The first of them, at most 120 bytes, with U+FFFD for what is not UTF-8.
  package let beginning: String

  /// Creates noise from its size in bytes and its first bytes.
  package init(count: Int, beginning: String) {
    self.count = count
    self.beginning = beginning
  }

  static let shown = 120
}
