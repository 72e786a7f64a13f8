public import PropertyList

/// A value that a user shares or acts on (`NSExtensionItem`).
public struct ExtensionItem: Codable, Sendable, Equatable {
  /// The title, as plain text: formatting does not travel.
  public var attributedTitle: String?
  /// The text, as plain text: formatting does not travel.
  public var attributedContentText: String?
  /// A collection of media, not alternative formats of one thing.
  public var attachments: [ItemProvider]
  /// Further information of the host app about the item; activation rules can read it.
  public var userInfo: [String: PropertyListValue]?

  /// Creates an item; everything of it may be missing.
  public init(
    title: String? = nil, contentText: String? = nil, attachments: [ItemProvider] = [],
    userInfo: [String: PropertyListValue]? = nil
  ) {
    attributedTitle = title
    attributedContentText = contentText
    self.attachments = attachments
    self.userInfo = userInfo
  }

  /// Decodes an item; missing attachments are none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    attributedTitle = try container.decodeIfPresent(String.self, forKey: .attributedTitle)
    attributedContentText = try container.decodeIfPresent(String.self, forKey: .attributedContentText)
    attachments = try container.decodeIfPresent([ItemProvider].self, forKey: .attachments) ?? []
    userInfo = try container.decodeIfPresent([String: PropertyListValue].self, forKey: .userInfo)
  }
}
