public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import Glibc

/// A document that a file provider is asked about.
public struct ProvidedItem: Sendable {
  /// Relative to the document storage.
  public let path: String
  /// The absolute path of the content.
  public let filePath: String
  /// The purpose of the process that changed the document, for ``FileProviderExtension/itemChanged(_:)``.
  public let purposeIdentifier: String?
  /// The way to the host's services, and to ``ExtensionContext/reportProgress(_:total:message:)``.
  public let context: ExtensionContext

  init(
    _ path: String, _ storage: FileProvider.Storage, purposeIdentifier: String? = nil, _ session: ExtensionSession
  ) throws(ExtensionError) {
    try DocumentPath.check(path)
    context = ExtensionContext(requestID: "", session: session)
    self.path = path
    self.purposeIdentifier = purposeIdentifier
    filePath = "\(try context.path(of: storage))/\(path)"
  }

  /// Writes the document's content: the body appends to a file beside it, which takes its place when the body returns.
  ///
  /// - Throws: what the body throws: the document is then as it was; `insufficientQuota` of
  ///   `NSFileProviderErrorDomain` when the disk is full.
  public func write(_ body: (DocumentWriter) async throws -> Void) async throws {
    let writer = try DocumentWriter(filePath)
    do {
      try await body(writer)
      try writer.finish()
    } catch {
      writer.discard()
      throw error
    }
  }

  /// The document's content, at most `count` bytes from `offset`; fewer at its end.
  ///
  /// - Throws: `noSuchItem` of `NSFileProviderErrorDomain` when it cannot be read.
  public func read(from offset: Int64 = 0, count: Int) throws(ExtensionError) -> [UInt8] {
    try DocumentFile.read(filePath, from: offset, count: count)
  }

  /// Deletes the content; the placeholder stays.
  ///
  /// - Throws: `noSuchItem` of `NSFileProviderErrorDomain` when it cannot be deleted. Content that is gone already is no
  ///   error.
  public func deleteContent() throws(ExtensionError) {
    guard unlink(filePath) == 0 || errno == ENOENT else { throw DocumentFile.failure("delete", filePath) }
  }
}

extension ExtensionContext {
  /// The absolute path of a document storage.
  ///
  /// - Throws: `groupNotEntitled` when the handshake did not grant its app group.
  public func path(of storage: FileProvider.Storage) throws(ExtensionError) -> String {
    guard let group = host?.directories.groups[storage.group] else {
      throw ExtensionError(.groupNotEntitled, "The app group \(storage.group) is not granted to this extension.")
    }
    return "\(group.path)/\(storage.path)"
  }
}
