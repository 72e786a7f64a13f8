public import ExtensionProtocol

/// `provider/…`: a File Provider extension keeps documents somewhere, and puts them on the disk when they are wanted. The
/// methods are those of `NSFileProviderExtension`; they come in any order, and none depends on another.
///
/// Paths are relative to the document storage, and never begin with it.
public enum FileProvider: ServiceContract {
  /// The prefix of the methods.
  public static let name = "provider"
  /// The methods that File Providers and the Document Pickers of their app may call.
  public static let methods: [any RemoteMethod.Type] = [WritePlaceholder.self, Coordinate.self, Uncoordinate.self]

  /// Where the documents of an app lie: a folder in the container of an app group, which the handshake grants under
  /// `directories.groups`.
  public struct Storage: Codable, Sendable, Hashable {
    /// Apple's name of the folder.
    public static let folder = "File Provider Storage"

    /// The app group, `NSExtensionFileProviderDocumentGroup` of the provider's manifest.
    public var group: String
    /// The folder, relative to the group's container.
    public var path: String

    /// Creates a reference to the storage of an app group; the folder is Apple's unless another is named.
    public init(group: String, path: String = folder) {
      self.group = group
      self.path = path
    }
  }

  /// The metadata of a document, as its placeholder contains it.
  public struct Metadata: Codable, Sendable, Equatable {
    /// The name that the user sees.
    public var name: String
    /// The size in bytes; `nil` while unknown.
    @NonNegative<Int64?> public var size: Int64?
    /// Whether the document is a folder that looks like a file.
    public var isPackage: Bool

    /// Makes what a placeholder says; a size that is not known is `nil`.
    public init(name: String, size: Int64? = nil, isPackage: Bool = false) {
      self.name = name
      self.size = size
      self.isPackage = isPackage
    }
  }

  /// The intents of a coordination.
  public enum Intent: String, Codable, Sendable, CaseIterable {
    /// `delete` and `move` change the document as `write` does: they have exclusive access to it.
    case read, write, delete, move
  }

  /// `provider/itemForIdentifier`, host to extension: where does this document lie?
  public struct ItemForIdentifier: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "provider/itemForIdentifier"

    /// The path of the document.
    public struct Result: Codable, Sendable, Equatable {
      /// `nil` when the extension has no such document.
      public var path: String?

      /// Creates an answer; `nil` when there is no such document.
      public init(path: String?) { self.path = path }
    }

    /// The provider's own name for the document.
    public var identifier: String
    /// The folder of the app's documents.
    public var documentStorage: Storage

    /// Asks where a document lies in a storage.
    public init(identifier: String, documentStorage: Storage) {
      self.identifier = identifier
      self.documentStorage = documentStorage
    }
  }

  /// `provider/identifierForItem`, host to extension: which document lies there? The answer is always the same, and leads
  /// back to the path.
  public struct IdentifierForItem: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "provider/identifierForItem"

    /// The provider's identifier for the document.
    public struct Result: Codable, Sendable, Equatable {
      /// `nil` for what is no document.
      public var identifier: String?

      /// Creates an answer; `nil` when no document lies there.
      public init(identifier: String?) { self.identifier = identifier }
    }

    /// The path that is asked about; nothing need be there.
    public var path: String
    /// The folder of the app's documents.
    public var documentStorage: Storage

    /// Asks which document a path of a storage belongs to.
    public init(path: String, documentStorage: Storage) {
      self.path = path
      self.documentStorage = documentStorage
    }
  }

  /// `provider/providePlaceholder`, host to extension: write a placeholder with ``WritePlaceholder``, then answer.
  public struct ProvidePlaceholder: RemoteMethod {
    /// Empty, and sent after the placeholder was written.
    public typealias Result = Empty
    /// The wire name; the host calls it, and expects progress, a call or a log line every 30 s.
    public static let method = "provider/providePlaceholder"
    /// Half a minute since the last call, log line or progress, five minutes in all.
    public static let deadline = RequestDeadline(hard: .seconds(30), limit: .seconds(300))

    /// The document's path.
    public var path: String
    /// The folder of the app's documents.
    public var documentStorage: Storage

    /// Asks for the placeholder of the document at a path.
    public init(path: String, documentStorage: Storage) {
      self.path = path
      self.documentStorage = documentStorage
    }
  }

  /// `provider/startProviding`, host to extension: put the document's content at its path, then answer. The waiting
  /// readers receive an error of the answer. The host expects progress or another sign of life every 30 s.
  public struct StartProviding: RemoteMethod {
    /// Empty, and sent when the whole content is at its path.
    public typealias Result = Empty
    /// The wire name; the host calls it.
    public static let method = "provider/startProviding"
    /// Half a minute since the last call, log line or progress, an hour in all.
    public static let deadline = RequestDeadline(hard: .seconds(30), limit: .seconds(3600))

    /// The document's path.
    public var path: String
    /// The folder of the app's documents.
    public var documentStorage: Storage

    /// Asks for the content of the document at a path.
    public init(path: String, documentStorage: Storage) {
      self.path = path
      self.documentStorage = documentStorage
    }
  }

  /// `provider/itemChanged`, host to extension: a process with another `purposeIdentifier` than the provider's wrote
  /// the document.
  public struct ItemChanged: RemoteMethod {
    /// Empty: the provider has received the change.
    public typealias Result = Empty
    /// The wire name; the host calls it.
    public static let method = "provider/itemChanged"

    /// The document's path; nothing is there any more when the document was deleted.
    public var path: String
    /// The purpose of the process that wrote the document.
    public var purposeIdentifier: String?
    /// The folder of the app's documents.
    public var documentStorage: Storage

    /// Creates the params; `purposeIdentifier` is `nil` for a process that gave none.
    public init(path: String, purposeIdentifier: String? = nil, documentStorage: Storage) {
      self.path = path
      self.purposeIdentifier = purposeIdentifier
      self.documentStorage = documentStorage
    }
  }

  /// `provider/stopProviding`, host to extension: no process uses the document any longer. The provider may delete its
  /// content; the placeholder stays.
  public struct StopProviding: RemoteMethod {
    /// Empty: the content may be gone by now.
    public typealias Result = Empty
    /// The wire name; the host calls it.
    public static let method = "provider/stopProviding"

    /// The document's path.
    public var path: String
    /// The folder of the app's documents.
    public var documentStorage: Storage

    /// Tells that the content at a path is not needed any more.
    public init(path: String, documentStorage: Storage) {
      self.path = path
      self.documentStorage = documentStorage
    }
  }
}
