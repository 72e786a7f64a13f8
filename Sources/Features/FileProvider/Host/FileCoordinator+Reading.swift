public import Contracts
import ExtensionHosting
public import ExtensionProtocol
public import JSONRPC

/// What a host does with documents.
extension FileCoordinator {
  /// The bytes of a document, fetched when they are not here.
  ///
  /// - Parameters:
  ///   - path: relative to the document storage.
  ///   - purpose: who reads.
  ///   - onProgress: hears how far the provider has come; must not block.
  /// - Throws: the provider's error, whatever it is; `deadlineExceeded`.
  public func read(
    _ path: String, purpose: String? = nil, onProgress: (@Sendable (CallProgress) -> Void)? = nil
  ) async throws(ExtensionError) -> [UInt8] {
    let token = try await claim(path, for: .read, purpose: purpose, onProgress: onProgress)
    defer { release(token, changed: false) }
    return try storage.read(path)
  }

  /// Name and size of a document. Its content is not fetched for it.
  ///
  /// - Throws: the provider's error; `deadlineExceeded` when somebody writes the document for too long.
  public func metadata(of path: String) async throws(ExtensionError) -> FileProvider.Metadata {
    let token = try await claim(path, for: .read, options: .init(metadataOnly: true))
    defer { release(token, changed: false) }
    if case .content(let size) = try storage.presence(of: path), !storage.hasPlaceholder(of: path) {
      return FileProvider.Metadata(name: DocumentPath.name(of: path), size: size)
    }
    return try storage.metadata(of: path)
  }

  /// Holds a document for writing: the body gets its bytes and returns new ones, or `nil` to leave it as it is.
  ///
  /// - Returns: whether it was written; the provider hears of it then, and ``settle()`` says what came of that.
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
    guard back == identifier else {
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
