/// A place in the host where an extension can appear, spelled as Apple spells its identifier
/// (`NSExtensionPointIdentifier`).
///
/// The points that a host knows are defined by ``ExtensionPointDefinition``; each feature declares its own as a static
/// property of this type.
public struct ExtensionPoint: RawRepresentable, Hashable, Sendable, Codable {
  /// The identifier, for example `com.apple.widget-extension`.
  public let rawValue: String

  /// Creates a point with any identifier; an ``ExtensionPointTable`` tells whether a host knows it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Any identifier, as ``init(rawValue:)`` takes it.
  public init(_ identifier: String) { rawValue = identifier }

  /// Not an extension point: the containing app speaks the same protocol under this name.
  public static let containingApp = ExtensionPoint(rawValue: "containing-app")

  /// Decodes the identifier, known or not.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes the identifier.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
