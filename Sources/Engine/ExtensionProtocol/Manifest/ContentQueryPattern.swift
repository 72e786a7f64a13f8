import Text

/// One or all persisted queries of a configuration: `wknd-shared/adventures-all`, `wknd-shared/*`.
public struct ContentQueryPattern: Sendable, Hashable, CustomStringConvertible {
  /// The configuration that holds the query.
  public let configuration: String
  /// The name of the query; `nil` stands for all.
  public let query: String?

  /// Reads an entry of `Annex.Content`.
  ///
  /// - Returns: `nil` unless the text is two parts of letters, digits, `-` and `_`, the second of which may be `*`.
  public init?(_ text: String) {
    let parts = text.pathParts(keepsEmpty: true)
    guard parts.count == 2, Self.isName(parts[0]), parts[1] == "*" || Self.isName(parts[1]) else { return nil }
    configuration = String(parts[0])
    query = parts[1] == "*" ? nil : String(parts[1])
  }

  /// The entry as it is written in a manifest.
  public var description: String { "\(configuration)/\(query ?? "*")" }

  /// Whether a query is one of these.
  ///
  /// - Parameter path: `configuration/query`.
  public func allows(_ path: String) -> Bool {
    guard let query else { return path.hasPrefix("\(configuration)/") }
    return path == "\(configuration)/\(query)"
  }

  /// Whether a text is the path of one query: `configuration/query`.
  public static func isPath(_ text: String) -> Bool {
    guard let pattern = ContentQueryPattern(text) else { return false }
    return pattern.query != nil
  }

  private static func isName(_ part: Substring) -> Bool {
    !part.isEmpty && part.utf8.count <= 255
      && part.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == 0x2D || byte == 0x5F
      }
  }
}
