public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

/// A File Provider extension: it keeps documents somewhere, and puts them on the disk when somebody wants to read. Mark the
/// type `@main`.
///
/// The calls come in any order and beside each other. What they throw reaches whoever waits for the document; throw
/// `ExtensionError.fileProvider(_:_:)` for a reason that host apps know.
public protocol FileProviderExtension: AppExtension {
  /// What is known of a document without fetching it. It becomes the placeholder.
  func metadata(of item: ProvidedItem) async throws -> FileProvider.Metadata

  /// Fetches a document: ``ProvidedItem/write(_:)``. The task is cancelled when nobody wants it any more. Report progress,
  /// at least every 30 seconds.
  func startProviding(_ item: ProvidedItem) async throws

  /// Somebody changed a document; one that was deleted is not at its place any more.
  func itemChanged(_ item: ProvidedItem) async throws

  /// Nobody uses a document any more. The default deletes the content; the placeholder stays.
  func stopProviding(_ item: ProvidedItem) async throws

  /// The identifier of the document at a path, always the same; the default is the path.
  func identifier(forPath path: String) async throws -> String?

  /// The path of a document, back from its identifier; the default is the identifier.
  func path(forIdentifier identifier: String) async throws -> String?
}

extension FileProviderExtension {
  /// File Providers.
  public static var points: [ExtensionPointDefinition] { FileProvider.points }

  /// The default deletes the content and leaves the placeholder.
  public func stopProviding(_ item: ProvidedItem) async throws { try item.deleteContent() }
  /// The default names a document by its path.
  public func identifier(forPath path: String) async throws -> String? { path }
  /// The default takes the identifier for the path.
  public func path(forIdentifier identifier: String) async throws -> String? { identifier }

  /// What the host calls of a program that is a file provider and nothing else.
  public var handlers: [SessionHandler] { providerHandlers }

  /// What a file provider serves; for a program that serves another extension point too.
  public var providerHandlers: [SessionHandler] {
    [
      SessionHandler(FileProvider.ItemForIdentifier.self) { params, _ in
        FileProvider.ItemForIdentifier.Result(path: try await path(forIdentifier: params.identifier))
      },
      SessionHandler(FileProvider.IdentifierForItem.self) { params, _ in
        FileProvider.IdentifierForItem.Result(identifier: try await identifier(forPath: params.path))
      },
      SessionHandler(FileProvider.ProvidePlaceholder.self) { params, session in
        let item = try ProvidedItem(params.path, params.documentStorage, session)
        let metadata = try await metadata(of: item)
        _ = try await item.context.call(FileProvider.WritePlaceholder(path: params.path, metadata: metadata))
        return Empty()
      },
      SessionHandler(FileProvider.StartProviding.self) { params, session in
        try await startProviding(ProvidedItem(params.path, params.documentStorage, session))
        return Empty()
      },
      SessionHandler(FileProvider.ItemChanged.self) { params, session in
        try await itemChanged(
          ProvidedItem(
            params.path, params.documentStorage, purposeIdentifier: params.purposeIdentifier, session))
        return Empty()
      },
      SessionHandler(FileProvider.StopProviding.self) { params, session in
        try await stopProviding(ProvidedItem(params.path, params.documentStorage, session))
        return Empty()
      },
    ]
  }
}
