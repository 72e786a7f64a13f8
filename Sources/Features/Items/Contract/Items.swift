public import ExtensionProtocol

/// `item/…`: an extension loads the attachments of its own request.
public enum Items: ServiceContract {
  public static let name = "item"
  public static let methods: [any RemoteMethod.Type] = [Load.self, HasConforming.self]
  public static let access = [
    Allowlist.Row("item/*", nil, nil, "An extension loads the items of its own requests.")
  ]

  /// How an attachment is to be loaded (`NSItemProvider`).
  public enum Representation: String, Codable, Sendable {
    /// The bytes.
    case data
    /// A copy as a file.
    case file
    /// The file itself where that can be, else a copy; the answer says which.
    case inPlace
    /// The value in the type asked for, made from another type when it has to be.
    case item
    /// A small picture of the value.
    case preview
  }

  /// Wishes that a provider may follow.
  public struct Options: Codable, Sendable, Equatable {
    public struct Size: Codable, Sendable, Equatable {
      public var width: Double
      public var height: Double

      public init(width: Double, height: Double) {
        self.width = width
        self.height = height
      }
    }

    /// `NSItemProviderPreferredImageSizeKey`: in pixels.
    public var preferredImageSize: Size?

    public init(preferredImageSize: Size? = nil) { self.preferredImageSize = preferredImageSize }
  }

  /// `item/load`: one representation of an attachment that did not travel inline.
  public struct Load: RemoteMethod {
    public static let method = "item/load"

    public struct Result: Codable, Sendable, Equatable {
      /// The registered type that was loaded.
      public var typeIdentifier: String
      /// Relative to the scratch directory: a copy that the extension may read until the request ends.
      public var path: String?
      /// The value, when it is small.
      public var inline: ItemProvider.Inline?
      /// Whether the path is the file itself, not a copy; only for `inPlace`.
      public var isInPlace: Bool?
      public var suggestedName: String?

      public init(
        typeIdentifier: String, path: String? = nil, inline: ItemProvider.Inline? = nil, isInPlace: Bool? = nil,
        suggestedName: String? = nil
      ) {
        self.typeIdentifier = typeIdentifier
        self.path = path
        self.inline = inline
        self.isInPlace = isInPlace
        self.suggestedName = suggestedName
      }
    }

    public var requestID: String
    public var itemID: String
    /// The type wanted; the first registered type that conforms to it is loaded.
    public var typeIdentifier: String
    /// `data` when absent.
    public var representation: Representation?
    public var options: Options?

    public init(
      requestID: String, itemID: String, typeIdentifier: String, representation: Representation? = nil,
      options: Options? = nil
    ) {
      self.requestID = requestID
      self.itemID = itemID
      self.typeIdentifier = typeIdentifier
      self.representation = representation
      self.options = options
    }
  }

  /// `item/hasConforming`: whether an attachment has a registered type that conforms to another.
  public struct HasConforming: RemoteMethod {
    public static let method = "item/hasConforming"

    public struct Result: Codable, Sendable, Equatable {
      public var value: Bool
      public init(value: Bool) { self.value = value }
    }

    public var requestID: String
    public var itemID: String
    public var typeIdentifier: String

    public init(requestID: String, itemID: String, typeIdentifier: String) {
      self.requestID = requestID
      self.itemID = itemID
      self.typeIdentifier = typeIdentifier
    }
  }

  /// `item/provide`, host to extension: one representation of an attachment that the extension returned without its
  /// value.
  public struct Provide: RemoteMethod {
    public static let method = "item/provide"

    public struct Result: Codable, Sendable, Equatable {
      /// What the value is: bytes, a file, a property list, an address or a text.
      public enum Kind: String, Codable, Sendable { case data, file, plist, url, text }

      public var kind: Kind
      public var typeIdentifier: String
      /// Text as it is, bytes as base64; absent for a file.
      public var value: String?
      /// Relative to the scratch directory.
      public var path: String?

      public init(kind: Kind, typeIdentifier: String, value: String? = nil, path: String? = nil) {
        self.kind = kind
        self.typeIdentifier = typeIdentifier
        self.value = value
        self.path = path
      }
    }

    public var requestID: String
    public var itemID: String
    public var typeIdentifier: String
    public var options: Options?

    public init(requestID: String, itemID: String, typeIdentifier: String, options: Options? = nil) {
      self.requestID = requestID
      self.itemID = itemID
      self.typeIdentifier = typeIdentifier
      self.options = options
    }
  }
}
