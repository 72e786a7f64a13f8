public import ExtensionProtocol

/// `item/…`: an extension loads the attachments of its own request.
public enum Items: ServiceContract {
  public static let name = "item"
  public static let methods: [any RemoteMethod.Type] = [Load.self]

  /// `item/load`: one representation of an attachment that did not travel inline.
  public struct Load: RemoteMethod {
    public static let method = "item/load"

    public struct Result: Codable, Sendable, Equatable {
      public var typeIdentifier: String
      /// Relative to the scratch directory: a copy that the extension may read until the request ends.
      public var path: String?
      /// The value, when it is small.
      public var inline: ItemProvider.Inline?
      public var suggestedName: String?

      public init(
        typeIdentifier: String, path: String? = nil, inline: ItemProvider.Inline? = nil, suggestedName: String? = nil
      ) {
        self.typeIdentifier = typeIdentifier
        self.path = path
        self.inline = inline
        self.suggestedName = suggestedName
      }
    }

    public var requestID: String
    public var itemID: String
    /// The type wanted; the first registered type that conforms to it is loaded.
    public var typeIdentifier: String

    public init(requestID: String, itemID: String, typeIdentifier: String) {
      self.requestID = requestID
      self.itemID = itemID
      self.typeIdentifier = typeIdentifier
    }
  }
}
