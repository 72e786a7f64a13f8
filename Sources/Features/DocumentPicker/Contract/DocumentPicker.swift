public import ExtensionProtocol

/// `picker/…`: a Document Picker extension lets a user find a document, or a place for one. Without a screen the host
/// lists what the picker shows, and says what the user takes.
public enum DocumentPicker: ServiceContract {
  public static let name = "picker"
  public static let methods: [any RemoteMethod.Type] = [DismissGrantingAccess.self]

  /// What becomes of the document (`UIDocumentPickerMode`).
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

  /// One row of what a picker shows.
  public struct Entry: Codable, Sendable, Equatable {
    /// The picker's own name for it.
    public var identifier: String
    /// For people.
    public var name: String
    /// A uniform type identifier; what conforms to `public.directory` can be listed.
    public var type: String
    /// In bytes.
    public var size: Int64?
    /// Whether its content is on this machine.
    public var local: Bool
    /// Whether it can be taken.
    public var enabled: Bool

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
    public typealias Result = Empty
    public static let method = "picker/prepare"

    public var requestID: String
    public var mode: Mode
    /// The document to export or move, relative to the scratch directory.
    public var originalURL: String?
    /// Its name for people; the scratch directory has it under another.
    public var originalName: String?
    /// The uniform type identifiers that the host takes, for import and open.
    public var validTypes: [String]?
    /// `nil` when the app has no file provider.
    public var documentStorage: FileProvider.Storage?
    /// What the app's file provider coordinates with as `purposeIdentifier`.
    public var providerIdentifier: String?

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
    public static let method = "picker/list"

    public struct Result: Codable, Sendable, Equatable {
      public var entries: [Entry]
      /// The cursor of the next page; `nil` on the last.
      public var next: String?

      public init(entries: [Entry], next: String? = nil) {
        self.entries = entries
        self.next = next
      }
    }

    public var requestID: String
    /// The identifier of a folder; `nil` is the outermost.
    public var directory: String?
    public var cursor: String?

    public init(requestID: String, directory: String? = nil, cursor: String? = nil) {
      self.requestID = requestID
      self.directory = directory
      self.cursor = cursor
    }
  }

  /// `picker/select`, host to extension: the user takes a document, or puts one into a folder. The picker answers after it
  /// has called ``DismissGrantingAccess``.
  public struct Select: RemoteMethod {
    public typealias Result = Empty
    public static let method = "picker/select"

    public var requestID: String
    /// The document, for import and open.
    public var identifier: String?
    /// The identifier of a folder, for export and move; empty is the outermost.
    public var destination: String?

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
    public typealias Result = Empty
    public static let method = "picker/dismissGrantingAccess"

    public var requestID: String
    /// A path relative to ``directory``; `nil` cancels.
    public var url: String?
    /// `documentStorage`, `scratch`, `container`, or an app group. When absent: `scratch` for import, else
    /// `documentStorage`.
    public var directory: String?

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
