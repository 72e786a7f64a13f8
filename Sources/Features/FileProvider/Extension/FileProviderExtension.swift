public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

/// A File Provider extension: it stores documents elsewhere and writes them to the disk when a process wants to read
/// them. Mark the type `@main`.
///
/// The calls come in any order and may overlap. The process that waits for the document receives the error that a call
/// throws; throw `ExtensionError.fileProvider(_:_:)` for a reason that host apps know.
public protocol FileProviderExtension: AppExtension {
  /// Returns the metadata of a document without fetching it; they become the placeholder.
  func metadata(of item: ProvidedItem) async throws -> FileProvider.Metadata

  /// Fetches a document: see ``ProvidedItem/write(_:)``. The task is cancelled when no process needs the document any
  /// longer. Report progress at least every 30 seconds.
  func startProviding(_ item: ProvidedItem) async throws

  /// Called when another process changed a document. A deleted document is no longer at its path.
  func itemChanged(_ item: ProvidedItem) async throws

  /// Called when no process uses a document any longer. The default deletes the content; the placeholder stays.
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

  /// The handlers of a program that is only a file provider.
  public var handlers: [SessionHandler] { providerHandlers }

  /// The handlers of a file provider, for a program that also serves another extension point.
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
