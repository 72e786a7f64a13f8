import Contracts
import ExtensionHosting
import ExtensionProtocol

/// The URL rules: what a picker may grant in which mode (UIDocumentPickerExtensionViewController,
/// dismissGrantingAccess(to:)).
struct PickerGrantRules {
  let terms: PickerTerms
  let extensionName: String
  /// `nil` for an app without a file provider.
  let storage: DocumentStorage?
  let type: (String) -> String
  let conforms: (String, String) -> Bool
  /// Reads a file of another directory that the picker was granted: directory and path.
  let read: (String, String) throws(ExtensionError) -> [UInt8]

  static let storageDirectory = "documentStorage"
  static let scratchDirectory = "scratch"

  /// - Throws: `invalidParams` with the rule that is broken.
  func document(_ url: String, in directory: String?) throws(ExtensionError) -> PickedDocument {
    let path = try DocumentPath.check(url)
    let standard = terms.mode == .import ? Self.scratchDirectory : Self.storageDirectory
    let directory = directory ?? standard
    guard terms.mode == .import || directory == Self.storageDirectory else {
      throw .document(.belowStorage, "\(extensionName) granted “\(path)” of \(directory), not of the document storage.")
    }
    let name = DocumentPath.name(of: path)
    if terms.mode.isSaving { return try saved(path, name) }
    try checkType(name)
    guard directory == Self.storageDirectory else {
      do {
        return .copy(name: name, bytes: try read(directory, path))
      } catch {
        guard error.code == .invalidParams, error.documentRule == nil else { throw error }
        throw .document(.readableFile, error.message)
      }
    }
    switch try required().presence(of: path) {
    case .content, .placeholder: return .document(path: path)
    case .nothing: throw .document(.readableFile, "There is no document “\(path)” in the storage.")
    case .foreign: throw .document(.readableFile, "“\(path)” is a link or no regular file.")
    }
  }

  private func required() throws(ExtensionError) -> DocumentStorage {
    if let storage { return storage }
    throw .document(.noStorage, "The app of \(extensionName) has no document storage.")
  }

  private func checkType(_ name: String) throws(ExtensionError) {
    let type = type(name)
    guard terms.validTypes.isEmpty || terms.validTypes.contains(where: { conforms(type, $0) }) else {
      throw .document(
        .validTypes, "“\(name)” is \(type), and the host takes \(terms.validTypes.joined(separator: ", ")).")
    }
  }

  /// A moved document is lost to its owner, so every byte of the copy is compared.
  private func saved(_ path: String, _ name: String) throws(ExtensionError) -> PickedDocument {
    let storage = try required()
    switch try storage.presence(of: path) {
    case .content: break
    case .nothing, .placeholder:
      throw .document(.copyFirst, "\(extensionName) granted “\(path)” before it copied the document there.")
    case .foreign: throw .document(.readableFile, "“\(path)” is a link or no regular file.")
    }
    guard terms.mode == .moveToService else { return .handedOver(name: name) }
    guard try storage.read(path) == terms.original?.bytes else {
      throw .document(.copyDiffers, "“\(path)” is not the document that was to be moved.")
    }
    return .document(path: path)
  }
}
