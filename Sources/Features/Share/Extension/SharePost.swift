public import Contracts

/// What a user posts: the text of the compose field, the items that were shared, and what was chosen.
public struct SharePost: Sendable {
  /// The text as the user left it, the host's own included.
  public var contentText: String
  /// The items that the user shares, as the request has them.
  public var items: [ExtensionItem]
  /// What the user chose, by the id of the configuration item; an item that nobody touched has the value that the
  /// extension gave it.
  public var configuration: [String: String]

  /// Makes a post; tests call an extension with it.
  public init(contentText: String, items: [ExtensionItem], configuration: [String: String] = [:]) {
    self.contentText = contentText
    self.items = items
    self.configuration = configuration
  }
}
