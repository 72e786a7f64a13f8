public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import Glibc

/// One presentation of a document picker, as its extension sees it.
public struct PickerSession: Sendable {
  /// Names the presentation in the calls between host and picker.
  public let requestID: String
  /// What happens to the document.
  public let mode: DocumentPicker.Mode
  /// The uniform type identifiers that the host takes; empty takes all.
  public let validTypes: [String]
  /// The absolute path of the document to export or move.
  public let originalPath: String?
  /// The name that the user sees.
  public let originalName: String?
  /// Where the app's documents lie; `nil` without a file provider.
  public let documentStorage: FileProvider.Storage?
  /// The `purposeIdentifier` with which the app's file provider coordinates.
  public let providerIdentifier: String?
  /// The way to the host's services.
  public let context: ExtensionContext

  init(_ prepare: DocumentPicker.Prepare, _ session: ExtensionSession) throws(ExtensionError) {
    context = ExtensionContext(requestID: prepare.requestID, session: session)
    requestID = prepare.requestID
    mode = prepare.mode
    validTypes = prepare.validTypes ?? []
    originalName = prepare.originalName
    documentStorage = prepare.documentStorage
    providerIdentifier = prepare.providerIdentifier
    guard let original = prepare.originalURL else {
      originalPath = nil
      return
    }
    originalPath = "\(context.host?.directories.scratch ?? "")/\(try DocumentPath.check(original))"
  }

  /// The absolute path of a document.
  ///
  /// - Throws: `invalidParams` when the app has no document storage, or the path is none below it.
  public func filePath(of document: String) throws(ExtensionError) -> String {
    guard let documentStorage else { throw .document(.noStorage, "This app has no document storage.") }
    return "\(try context.path(of: documentStorage))/\(try DocumentPath.check(document))"
  }

  /// Copies the document to export or move into the storage as a coordinated write, so that the file provider learns of
  /// it.
  ///
  /// - Throws: `documentRefused` when there is nothing to copy; `invalidParams` when the app has no document storage;
  ///   what reading, writing and waiting for the document throws.
  public func copyOriginal(to document: String) async throws {
    guard let originalPath else {
      throw ExtensionError.document(.presented, "There is no document to copy in the mode \(mode.rawValue).")
    }
    let path = try filePath(of: document)
    try await context.coordinate(document, for: .write, options: .init(replacing: true)) {
      let writer = try DocumentWriter(path)
      do {
        var offset: Int64 = 0
        while true {
          let bytes = try DocumentFile.read(originalPath, from: offset, count: 1 << 20)
          if bytes.isEmpty { break }
          try writer.append(bytes)
          offset += Int64(bytes.count)
        }
        try writer.finish()
      } catch {
        writer.discard()
        throw error
      }
    }
  }
}
