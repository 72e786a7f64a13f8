public import ExtensionHosting

/// Whether an extension takes what a user wants to share or act on, and why.
public struct ExtensionMatch: Sendable {
  /// The extension.
  public let entry: RegistryEntry
  /// Whether its activation rule takes the items.
  public let isOffered: Bool
  /// A sentence for every attachment, then what decided.
  public let explanation: [String]
}
