public import ExtensionProtocol

extension FileProvider {
  /// `provider/writePlaceholder`, extension to host: writes the file that stands for a document, with the folders above it.
  public struct WritePlaceholder: RemoteMethod {
    /// The wire name; File Providers and the Document Pickers of their app call it.
    public static let method = "provider/writePlaceholder"

    /// The path of the written placeholder.
    public struct Result: Codable, Sendable, Equatable {
      /// Relative to the document storage; see ``DocumentPath/placeholder(of:)``.
      public var placeholderPath: String

      /// Creates an answer; the path is relative to the document storage.
      public init(placeholderPath: String) { self.placeholderPath = placeholderPath }
    }

    /// The document's path.
    public var path: String
    /// The metadata in the placeholder.
    public var metadata: Metadata

    /// Creates the params; the path is relative to the document storage.
    public init(path: String, metadata: Metadata) {
      self.path = path
      self.metadata = metadata
    }
  }

  /// `provider/coordinate`, extension to host: waits until a document may be used. Several may read it at one time, or
  /// one may change it. Documents are coordinated path by path: a folder's coordination is not that of what is in it.
  public struct Coordinate: RemoteMethod {
    /// The wire name; File Providers and the Document Pickers of their app call it. It waits while the document is
    /// provided, and fails with `deadlineExceeded` when others use the document for too long.
    public static let method = "provider/coordinate"
    /// The call ends by its own time limits: with the provider's error, or when others hold the document for too long.
    public static let serviceDeadline: Duration? = RequestDeadline.longest

    /// The options of a coordination.
    public struct Options: Codable, Sendable, Equatable {
      /// Reads name and size only: a placeholder will do.
      public var metadataOnly: Bool?
      /// Writes the whole document: its content so far is not wanted.
      public var replacing: Bool?

      /// Creates the options; `nil` is no.
      public init(metadataOnly: Bool? = nil, replacing: Bool? = nil) {
        self.metadataOnly = metadataOnly
        self.replacing = replacing
      }
    }

    /// The right to use the document.
    public struct Result: Codable, Sendable, Equatable {
      /// The token for ``Uncoordinate``. It becomes invalid when the caller's process exits.
      public var token: String
      /// The path that was asked for.
      public var path: String

      /// Answers with a token that ends the use, and with the path that was asked for.
      public init(token: String, path: String) {
        self.token = token
        self.path = path
      }
    }

    /// The document's path.
    public var path: String
    /// Reading waits for writers; everything else waits for readers too.
    public var intent: Intent
    /// `nil` reads or writes in full.
    public var options: Options?
    /// Who asks. Callers with the same one do not wait for each other; the provider's own one does not have it told of
    /// changes.
    public var purposeIdentifier: String?

    /// Creates the params.
    ///
    /// - Parameter purposeIdentifier: the purpose; `nil` for a process other than the provider, which is then told of
    ///   changes.
    public init(path: String, intent: Intent, options: Options? = nil, purposeIdentifier: String? = nil) {
      self.path = path
      self.intent = intent
      self.options = options
      self.purposeIdentifier = purposeIdentifier
    }
  }

  /// `provider/uncoordinate`, extension to host: the caller is done with the document.
  public struct Uncoordinate: RemoteMethod {
    /// Empty: others may use the document now.
    public typealias Result = Empty
    /// The wire name; File Providers and the Document Pickers of their app call it. A token of another process, or one
    /// that was given back before, changes nothing; a text that is none is refused with `invalidParams`.
    public static let method = "provider/uncoordinate"

    /// The one that ``Coordinate`` gave.
    public var token: String

    /// Gives back the token of one ``Coordinate``.
    public init(token: String) { self.token = token }
  }
}
