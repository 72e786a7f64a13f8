/// A password, a one-time code or a token that crosses the wire: a string that descriptions, dumps and recordings do not
/// show.
public struct SecretText: Codable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The text itself, for what has to send it.
  public let revealed: String

  /// Wraps a secret text.
  public init(_ text: String) { revealed = text }

  /// Wraps a text of a test or an example.
  public init(stringLiteral text: String) { revealed = text }

  /// Reads a plain string.
  public init(from decoder: any Decoder) throws { revealed = try decoder.singleValueContainer().decode(String.self) }

  /// Writes a plain string: what goes over the wire has to arrive. Recordings know it by the name of its member.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(revealed)
  }

  /// The mark that replaces the text.
  public var description: String { Secrets.mark }
  /// The mark that replaces the text.
  public var debugDescription: String { Secrets.mark }
  /// Nothing of the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
