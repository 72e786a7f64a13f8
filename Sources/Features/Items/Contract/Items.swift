public import ExtensionProtocol

/// `item/…`: loads the attachments of an extension's own requests.
public enum Items: ServiceContract {
  /// The prefix of the methods.
  public static let name = "item"
  /// The methods, open to every extension point for the items of its own open requests.
  public static let methods: [any RemoteMethod.Type] = [Load.self, HasConforming.self]
  /// Every extension point.
  public static let access = [
    Allowlist.Row("item/*", nil, nil, "An extension loads the items of its own requests.")
  ]

  /// The host loads what an extension returned without its value.
  public static let calls: [HostCall] = [.request(Provide.self, isOptional: true, transfers: [.fileOut("path")])]

  /// How an attachment is to be loaded (`NSItemProvider`).
  public enum Representation: String, Codable, Sendable, CaseIterable {
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
    /// A width and a height, in pixels.
    public struct Size: Codable, Sendable, Equatable {
      /// In pixels.
      @Length<Double> public var width: Double
      /// In pixels.
      @Length<Double> public var height: Double

      /// Creates a size, in pixels.
      public init(width: Double, height: Double) {
        self.width = width
        self.height = height
      }
    }

    /// `NSItemProviderPreferredImageSizeKey`: in pixels.
    public var preferredImageSize: Size?

    /// Creates the wishes; without any, the provider chooses.
    public init(preferredImageSize: Size? = nil) { self.preferredImageSize = preferredImageSize }
  }

  /// `item/load`: one representation of an attachment that did not travel inline.
  public struct Load: RemoteMethod {
    /// The wire name; extensions call it.
    public static let method = "item/load"

    /// The representation: a file of the scratch directory, or a value in the answer.
    public struct Result: Codable, Sendable, Equatable {
      /// The registered type that was loaded.
      public var typeIdentifier: String
      /// Relative to the scratch directory: a copy that the extension may read until the request ends.
      public var path: String?
      /// The value, if it is small.
      public var inline: ItemProvider.Inline?
      /// Whether the path is the file itself, not a copy; only for `inPlace`.
      public var isInPlace: Bool?
      /// A file name for people, as the host app gave it.
      public var suggestedName: String?

      /// Creates an answer, with a path or with an inline value, not both.
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

    /// The open request that the attachment belongs to.
    public var requestID: String
    /// The attachment.
    public var itemID: String
    /// The requested type; the first registered type that conforms to it is loaded.
    public var typeIdentifier: String
    /// `data` when absent.
    public var representation: Representation?
    /// The host's wishes, passed on to the process that creates the value.
    public var options: Options?

    /// Creates the params; without a representation the bytes are asked for.
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
    /// The wire name; extensions call it.
    public static let method = "item/hasConforming"

    /// Whether one of the registered types conforms.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether a registered type conforms to the one asked about, or is it.
      public var value: Bool
      /// Answers with yes or no; an attachment that is not there is `itemUnavailable`.
      public init(value: Bool) { self.value = value }
    }

    /// The open request that the attachment belongs to.
    public var requestID: String
    /// The attachment.
    public var itemID: String
    /// The type to conform to.
    public var typeIdentifier: String

    /// Asks about one attachment of an open request.
    public init(requestID: String, itemID: String, typeIdentifier: String) {
      self.requestID = requestID
      self.itemID = itemID
      self.typeIdentifier = typeIdentifier
    }
  }

  /// `item/provide`, host to extension: one representation of an attachment that the extension returned without its
  /// value.
  public struct Provide: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "item/provide"

    /// The value: a file of the scratch directory, or in the answer.
    public struct Result: Codable, Sendable, Equatable {
      /// The kinds of value: bytes, a file, a property list, an address or a text.
      public enum Kind: String, Codable, Sendable, CaseIterable { case data, file, plist, url, text }

      /// Says how `value` is to be read, and that there is none for a file.
      public var kind: Kind
      /// The uniform type identifier of the value.
      public var typeIdentifier: String
      /// The value: a text unchanged, bytes in base64; absent for a file.
      public var value: String?
      /// Relative to the scratch directory.
      public var path: String?

      /// Creates an answer; a file has a path, everything else a value.
      public init(kind: Kind, typeIdentifier: String, value: String? = nil, path: String? = nil) {
        self.kind = kind
        self.typeIdentifier = typeIdentifier
        self.value = value
        self.path = path
      }
    }

    /// The request that the attachment was returned for.
    public var requestID: String
    /// The attachment, as the extension named it.
    public var itemID: String
    /// The type that is wanted.
    public var typeIdentifier: String
    /// The host's wishes, which the extension may ignore.
    public var options: Options?

    /// Asks for one attachment that the extension returned; without options it chooses the size of a picture.
    public init(requestID: String, itemID: String, typeIdentifier: String, options: Options? = nil) {
      self.requestID = requestID
      self.itemID = itemID
      self.typeIdentifier = typeIdentifier
      self.options = options
    }
  }
}
