import Text

/// An entry of `Annex.DataConnect`: a connector of Data Connect, and whether an extension may write through it.
public struct DataConnectorEntry: Sendable, Hashable, CustomStringConvertible {
  /// The service, as `dataconnect.yaml` calls it.
  public let service: String
  /// The connector, as `connector.yaml` calls it.
  public let connector: String
  /// Whether only queries are asked for.
  public let isReadOnly: Bool

  /// The most entries of one manifest.
  public static let most = 64
  private static let readMark = ":read"

  /// Reads `service/connector`, with `:read` behind it for queries alone.
  ///
  /// - Returns: `nil` when the text has not two names of letters, digits, `-` and `_`.
  public init?(_ text: String) {
    isReadOnly = text.hasSuffix(Self.readMark)
    let parts = text.dropLast(isReadOnly ? Self.readMark.utf8.count : 0)
      .pathParts(keepsEmpty: true)
    guard parts.count == 2, parts.allSatisfy(Self.isName) else { return nil }
    service = String(parts[0])
    connector = String(parts[1])
  }

  /// The path of the connector: `service/connector`.
  public var path: String { "\(service)/\(connector)" }

  /// The entry as it is written in a manifest.
  public var description: String { path + (isReadOnly ? Self.readMark : "") }

  /// Whether a text can be the name of a service, of a connector, or of a location.
  public static func isName(_ part: some StringProtocol) -> Bool {
    (1...63).contains(part.utf8.count)
      && part.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x2D || byte == 0x5F
      }
  }
}
