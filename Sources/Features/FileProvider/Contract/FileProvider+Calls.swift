public import ExtensionProtocol

extension FileProvider {
  /// `provider/writePlaceholder`, extension to host: writes the file that stands for a document, with the folders above it.
  public struct WritePlaceholder: RemoteMethod {
    public static let method = "provider/writePlaceholder"

    public struct Result: Codable, Sendable, Equatable {
      /// Relative to the document storage; see ``DocumentPath/placeholder(of:)``.
      public var placeholderPath: String

      public init(placeholderPath: String) { self.placeholderPath = placeholderPath }
    }

    /// The document's path.
    public var path: String
    public var metadata: Metadata

    public init(path: String, metadata: Metadata) {
      self.path = path
      self.metadata = metadata
    }
  }

  /// `provider/coordinate`, extension to host: waits until a document may be used. Several may read it at one time, or
  /// one may change it. Documents are coordinated path by path: a folder's coordination is not that of what is in it.
  public struct Coordinate: RemoteMethod {
    public static let method = "provider/coordinate"
    /// Its own waits end it: with the provider's error, or when others use the document for too long.
    public static let serviceDeadline: Duration? = RequestDeadline.longest

    /// What the caller does without.
    public struct Options: Codable, Sendable, Equatable {
      /// Reads name and size only: a placeholder will do.
      public var metadataOnly: Bool?
      /// Writes the whole document: its content so far is not wanted.
      public var replacing: Bool?

      public init(metadataOnly: Bool? = nil, replacing: Bool? = nil) {
        self.metadataOnly = metadataOnly
        self.replacing = replacing
      }
    }

    public struct Result: Codable, Sendable, Equatable {
      /// For ``Uncoordinate``. It ends with the caller's process at the latest.
      public var token: String
      public var path: String

      public init(token: String, path: String) {
        self.token = token
        self.path = path
      }
    }

    public var path: String
    public var intent: Intent
    public var options: Options?
    /// Who asks. Callers with the same one do not wait for each other; the provider's own one does not have it told of
    /// changes.
    public var purposeIdentifier: String?

    public init(path: String, intent: Intent, options: Options? = nil, purposeIdentifier: String? = nil) {
      self.path = path
      self.intent = intent
      self.options = options
      self.purposeIdentifier = purposeIdentifier
    }
  }

  /// `provider/uncoordinate`, extension to host: the caller is done with the document.
  public struct Uncoordinate: RemoteMethod {
    public typealias Result = Empty
    public static let method = "provider/uncoordinate"

    public var token: String

    public init(token: String) { self.token = token }
  }
}
