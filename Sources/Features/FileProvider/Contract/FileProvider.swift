public import ExtensionProtocol

/// `provider/…`: a File Provider extension keeps documents somewhere, and puts them on the disk when they are wanted. The
/// methods are those of `NSFileProviderExtension`; they come in any order, and none depends on another.
///
/// Paths are relative to the document storage, and never begin with it.
public enum FileProvider: ServiceContract {
  public static let name = "provider"
  public static let methods: [any RemoteMethod.Type] = [WritePlaceholder.self, Coordinate.self, Uncoordinate.self]

  /// Where the documents of an app lie: a folder in the container of an app group, which the handshake grants under
  /// `directories.groups`.
  public struct Storage: Codable, Sendable, Hashable {
    /// Apple's name of the folder.
    public static let folder = "File Provider Storage"

    public var group: String
    /// The folder, relative to the group's container.
    public var path: String

    public init(group: String, path: String = folder) {
      self.group = group
      self.path = path
    }
  }

  /// What a placeholder says of its document.
  public struct Metadata: Codable, Sendable, Equatable {
    /// For people.
    public var name: String
    /// In bytes; `nil` when it is not known yet.
    public var size: Int64?
    /// Whether the document is a folder that looks like a file.
    public var isPackage: Bool

    public init(name: String, size: Int64? = nil, isPackage: Bool = false) {
      self.name = name
      self.size = size
      self.isPackage = isPackage
    }
  }

  /// What somebody wants to do to a document.
  public enum Intent: String, Codable, Sendable, CaseIterable {
    case read, write, delete, move
  }

  /// `provider/itemForIdentifier`, host to extension: where does this document lie?
  public struct ItemForIdentifier: RemoteMethod {
    public static let method = "provider/itemForIdentifier"

    public struct Result: Codable, Sendable, Equatable {
      /// `nil` when the extension has no such document.
      public var path: String?

      public init(path: String?) { self.path = path }
    }

    public var identifier: String
    public var documentStorage: Storage

    public init(identifier: String, documentStorage: Storage) {
      self.identifier = identifier
      self.documentStorage = documentStorage
    }
  }

  /// `provider/identifierForItem`, host to extension: which document lies there? The answer is always the same, and leads
  /// back to the path.
  public struct IdentifierForItem: RemoteMethod {
    public static let method = "provider/identifierForItem"

    public struct Result: Codable, Sendable, Equatable {
      /// `nil` for what is no document.
      public var identifier: String?

      public init(identifier: String?) { self.identifier = identifier }
    }

    public var path: String
    public var documentStorage: Storage

    public init(path: String, documentStorage: Storage) {
      self.path = path
      self.documentStorage = documentStorage
    }
  }

  /// `provider/providePlaceholder`, host to extension: write a placeholder with ``WritePlaceholder``, then answer.
  public struct ProvidePlaceholder: RemoteMethod {
    public typealias Result = Empty
    public static let method = "provider/providePlaceholder"
    public static let deadline = RequestDeadline(hard: .seconds(30), limit: .seconds(300))

    public var path: String
    public var documentStorage: Storage

    public init(path: String, documentStorage: Storage) {
      self.path = path
      self.documentStorage = documentStorage
    }
  }

  /// `provider/startProviding`, host to extension: put the document's content at its path, then answer. An error reaches
  /// whoever wants to read. Progress or any other sign of life is expected every 30 s.
  public struct StartProviding: RemoteMethod {
    public typealias Result = Empty
    public static let method = "provider/startProviding"
    public static let deadline = RequestDeadline(hard: .seconds(30), limit: .seconds(3600))

    public var path: String
    public var documentStorage: Storage

    public init(path: String, documentStorage: Storage) {
      self.path = path
      self.documentStorage = documentStorage
    }
  }

  /// `provider/itemChanged`, host to extension: somebody wrote the document, with another `purposeIdentifier` than the
  /// provider's.
  public struct ItemChanged: RemoteMethod {
    public typealias Result = Empty
    public static let method = "provider/itemChanged"

    public var path: String
    /// Who wrote it.
    public var purposeIdentifier: String?
    public var documentStorage: Storage

    public init(path: String, purposeIdentifier: String? = nil, documentStorage: Storage) {
      self.path = path
      self.purposeIdentifier = purposeIdentifier
      self.documentStorage = documentStorage
    }
  }

  /// `provider/stopProviding`, host to extension: nobody uses the document any more. Its content may be deleted; the
  /// placeholder stays.
  public struct StopProviding: RemoteMethod {
    public typealias Result = Empty
    public static let method = "provider/stopProviding"

    public var path: String
    public var documentStorage: Storage

    public init(path: String, documentStorage: Storage) {
      self.path = path
      self.documentStorage = documentStorage
    }
  }
}
