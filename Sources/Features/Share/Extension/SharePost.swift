public import Contracts

/// What a user posts: the text of the compose field, the items that were shared, and what was chosen.
public struct SharePost: Sendable {
  public var contentText: String
  public var items: [ExtensionItem]
  /// What the user chose, by the id of the configuration item; an item that nobody touched has the value that the
  /// extension gave it.
  public var configuration: [String: String]

  public init(contentText: String, items: [ExtensionItem], configuration: [String: String] = [:]) {
    self.contentText = contentText
    self.items = items
    self.configuration = configuration
  }
}
