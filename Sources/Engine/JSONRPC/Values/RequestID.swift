import JSON
import Text

/// The id of a request (JSON-RPC 2.0, section 4), kept exactly as the peer wrote it: `1` and `"1"` differ.
package enum RequestID: Hashable, Sendable {
  case number(Int64)
  /// At most 64 bytes.
  case string(String)

  /// The most bytes of an id that is a string.
  package static let maximumStringBytes = 64
}

extension RequestID {
  /// Strings are equal when their code points are, as in JSON: a peer's two spellings of an accent are two requests.
  package static func == (left: RequestID, right: RequestID) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasBytes(of: right)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .number(let number): hasher.combine(number)
    case .string(let string): hasher.combine(ExactText(string))
    }
  }
}

extension RequestID: CustomStringConvertible {
  /// The number, or the string in quotes.
  package var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .string(let string): "\"\(string)\""
    }
  }
}

extension RequestID: Codable {
  /// Decodes a number or a string.
  ///
  /// - Throws: `DecodingError` for any other value.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Encodes the number or the string.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    }
  }
}
