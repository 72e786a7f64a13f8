public import Contracts
import ExtensionHosting
public import ExtensionProtocol
public import JSONRPC
import Text

/// Reads and writes documents for the host.
extension FileCoordinator {
  /// Returns the bytes of a document, which are fetched if necessary.
  ///
  /// - Parameters:
  ///   - path: relative to the document storage.
  ///   - purpose: the purpose of the reader.
  ///   - onProgress: called with the provider's progress; must not block.
  /// - Throws: the provider's error; `deadlineExceeded`.
  public func read(
    _ path: String, purpose: String? = nil, onProgress: (@Sendable (CallProgress) -> Void)? = nil
  ) async throws(ExtensionError) -> [UInt8] {
    let token = try await claim(path, for: .read, purpose: purpose, onProgress: onProgress)
    defer { release(token, changed: false) }
    return try storage.read(path)
  }

  /// Returns the name and the size of a document without fetching its content.
  ///
  /// - Throws: the provider's error; `deadlineExceeded` when a writer holds the document for too long.
  public func metadata(of path: String) async throws(ExtensionError) -> FileProvider.Metadata {
    let token = try await claim(path, for: .read, options: .init(metadataOnly: true))
    defer { release(token, changed: false) }
    if case .content(let size) = try storage.presence(of: path), !storage.hasPlaceholder(of: path) {
      return FileProvider.Metadata(name: DocumentPath.name(of: path), size: size)
    }
    return try storage.metadata(of: path)
  }

  /// Holds a document for writing: the body receives its bytes and returns new ones, or `nil` to leave it unchanged.
  ///
  /// - Returns: whether the document was written. The provider is then notified, and ``settle()`` throws its error.
  public func update(
    _ path: String, purpose: String? = nil, onProgress: (@Sendable (CallProgress) -> Void)? = nil,
    _ body: ([UInt8]) async throws -> [UInt8]?
  ) async throws -> Bool {
    let token = try await claim(path, for: .write, purpose: purpose, onProgress: onProgress)
    do {
      let new = try await body(storage.read(path))
      if let new { try storage.write(new, to: path) }
      release(token, changed: new != nil)
      return new != nil
    } catch {
      release(token, changed: false)
      throw error
    }
  }

  /// The path of the document with an identifier.
  ///
  /// - Throws: `noSuchItem`; `documentRefused` when the path does not lead back to the identifier.
  public func path(for identifier: String) async throws(ExtensionError) -> String {
    guard let provider else {
      throw .fileProvider(.providerNotFound, "The app \(providerIdentifier) has no file provider that runs.")
    }
    let storage = storage.reference
    let answer = try await provider.call(
      FileProvider.ItemForIdentifier(identifier: identifier, documentStorage: storage))
    guard let path = answer.path else { throw .fileProvider(.noSuchItem, "There is no document “\(identifier)”.") }
    try DocumentPath.check(path)
    let back = try await provider.call(FileProvider.IdentifierForItem(path: path, documentStorage: storage)).identifier
    guard back?.hasBytes(of: identifier) == true else {
      throw .document(.staticIdentifier, "“\(identifier)” leads to “\(path)”, and that to “\(back ?? "nothing")”.")
    }
    return path
  }

  /// The identifier of the document at a path; `nil` for what is no document.
  public func identifier(for path: String) async throws(ExtensionError) -> String? {
    try DocumentPath.check(path)
    guard let provider else { return path }
    return try await provider.call(
      FileProvider.IdentifierForItem(path: path, documentStorage: storage.reference)
    ).identifier
  }
}
