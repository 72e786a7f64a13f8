public import ExtensionProtocol

/// `picker/…`: a Document Picker extension lets a user find a document, or a place for one. Without a screen the host
/// lists what the picker shows, and says what the user takes.
public enum DocumentPicker: ServiceContract {
  /// The prefix of the methods.
  public static let name = "picker"
  /// The methods that only a Document Picker may call.
  public static let methods: [any RemoteMethod.Type] = [DismissGrantingAccess.self]

  /// What happens to the document (`UIDocumentPickerMode`).
  public enum Mode: String, Codable, Sendable, CaseIterable {
    /// The host gets a copy.
    case `import`
    /// The host gets access to the document where it lies.
    case open
    /// The picker takes a copy of the host's document; the host has no access to that.
    case exportToService
    /// The picker takes the host's document, and the host has access to it where it lies then.
    case moveToService

    /// The word in `UIDocumentPickerModes`.
    public var manifestName: String { "UIDocumentPickerMode\(rawValue.prefix(1).uppercased())\(rawValue.dropFirst())" }

    /// Whether the host hands a document over, and does not get one.
    public var isSaving: Bool { self == .exportToService || self == .moveToService }
  }

  /// A row in a picker's list.
  public struct Entry: Codable, Sendable, Equatable {
    /// The picker's own name for it.
    public var identifier: String
    /// The name that the user sees.
    public var name: String
    /// A uniform type identifier; what conforms to `public.directory` can be listed.
    public var type: String
    /// In bytes.
    @NonNegative<Int64?> public var size: Int64?
    /// Whether its content is on this machine.
    public var local: Bool
    /// Whether the user can choose the entry.
    public var enabled: Bool

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - identifier: the picker's own name for it; not empty.
    ///   - name: not empty, and without a slash.
    ///   - size: in bytes; `nil` when it is not known.
    public init(
      identifier: String, name: String, type: String, size: Int64? = nil, local: Bool = false, enabled: Bool = true
    ) {
      self.identifier = identifier
      self.name = name
      self.type = type
      self.size = size
      self.local = local
      self.enabled = enabled
    }
  }

  /// `picker/prepare`, host to extension: the picker is shown for a mode.
  public struct Prepare: RemoteMethod {
    /// Empty: the picker is ready to list.
    public typealias Result = Empty
    /// The wire name; the host calls it.
    public static let method = "picker/prepare"

    /// New for each presentation; the other calls name it.
    public var requestID: String
    /// What happens to the document.
    public var mode: Mode
    /// The document to export or move, relative to the scratch directory.
    public var originalURL: String?
    /// The name that the user sees; the file in the scratch directory has another one.
    public var originalName: String?
    /// The uniform type identifiers that the host takes, for import and open.
    public var validTypes: [String]?
    /// `nil` when the app has no file provider.
    public var documentStorage: FileProvider.Storage?
    /// The `purposeIdentifier` with which the app's file provider coordinates.
    public var providerIdentifier: String?

    /// Creates the params.
    ///
    /// - Parameters:
    ///   - originalURL: a path relative to the scratch directory; only for export and move.
    ///   - validTypes: `nil` takes every type.
    ///   - documentStorage: `nil` when the app has no file provider, and so no documents.
    public init(
      requestID: String, mode: Mode, originalURL: String? = nil, originalName: String? = nil,
      validTypes: [String]? = nil, documentStorage: FileProvider.Storage? = nil, providerIdentifier: String? = nil
    ) {
      self.requestID = requestID
      self.mode = mode
      self.originalURL = originalURL
      self.originalName = originalName
      self.validTypes = validTypes
      self.documentStorage = documentStorage
      self.providerIdentifier = providerIdentifier
    }
  }

  /// `picker/list`, host to extension: what is in a folder, page by page.
  public struct List: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "picker/list"

    /// One page of a folder.
    public struct Result: Codable, Sendable, Equatable {
      /// At most 1000, each with an identifier and a name; a longer page is refused.
      public var entries: [Entry]
      /// The cursor of the next page; `nil` on the last.
      public var next: String?

      /// Creates a page; without `next` it is the last.
      public init(entries: [Entry], next: String? = nil) {
        self.entries = entries
        self.next = next
      }
    }

    /// The request of ``Prepare``.
    public var requestID: String
    /// The identifier of a folder; `nil` is the outermost.
    public var directory: String?
    /// `next` of the page before; `nil` for the first page.
    public var cursor: String?

    /// Creates the params; the request alone asks for the first page of the outermost folder.
    public init(requestID: String, directory: String? = nil, cursor: String? = nil) {
      self.requestID = requestID
      self.directory = directory
      self.cursor = cursor
    }
  }

  /// `picker/select`, host to extension: the user takes a document, or puts one into a folder. The picker answers after it
  /// has called ``DismissGrantingAccess``.
  public struct Select: RemoteMethod {
    /// Empty, and sent after the picker was dismissed.
    public typealias Result = Empty
    /// The wire name; the host calls it.
    public static let method = "picker/select"

    /// The request of ``Prepare``.
    public var requestID: String
    /// The document, for import and open.
    public var identifier: String?
    /// The identifier of a folder, for export and move; empty is the outermost.
    public var destination: String?

    /// Creates the params: an identifier for import and open, a destination for export and move.
    public init(requestID: String, identifier: String? = nil, destination: String? = nil) {
      self.requestID = requestID
      self.identifier = identifier
      self.destination = destination
    }
  }

  /// `picker/dismissGrantingAccess`, extension to host: the picker is done.
  ///
  /// Import takes any file that the picker can read; open, export and move a file strictly below the document storage; for
  /// export and move the picker has copied the document there before. Anything else is refused with `invalidParams` and
  /// `details.rule`, and the picker stays.
  public struct DismissGrantingAccess: RemoteMethod {
    /// Empty: the picker was dismissed.
    public typealias Result = Empty
    /// The wire name; Document Pickers call it, once for each presentation.
    public static let method = "picker/dismissGrantingAccess"

    /// The request of ``Prepare``.
    public var requestID: String
    /// A path relative to ``directory``; `nil` cancels.
    public var url: String?
    /// `documentStorage`, `scratch`, `container`, or an app group. When absent: `scratch` for import, else
    /// `documentStorage`.
    public var directory: String?

    /// Creates the params; `nil` as `url` cancels.
    public init(requestID: String, url: String?, directory: String? = nil) {
      self.requestID = requestID
      self.url = url
      self.directory = directory
    }

    /// `null` is written: that nothing was taken is an answer.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(requestID, forKey: .requestID)
      try container.encode(url, forKey: .url)
      try container.encodeIfPresent(directory, forKey: .directory)
    }
  }
}
