/// A value that a user shares or acts on (`NSExtensionItem`).
public struct ExtensionItem: Codable, Sendable, Equatable {
  public var attributedTitle: String?
  public var attributedContentText: String?
  /// A collection of media, not alternative formats of one thing.
  public var attachments: [ItemProvider]

  public init(title: String? = nil, contentText: String? = nil, attachments: [ItemProvider] = []) {
    attributedTitle = title
    attributedContentText = contentText
    self.attachments = attachments
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    attributedTitle = try container.decodeIfPresent(String.self, forKey: .attributedTitle)
    attributedContentText = try container.decodeIfPresent(String.self, forKey: .attributedContentText)
    attachments = try container.decodeIfPresent([ItemProvider].self, forKey: .attachments) ?? []
  }
}
