public import ExtensionProtocol
import JSON

/// A rule about documents that was broken; the raw value is `details.rule` of the error.
public enum DocumentRule: String, Sendable, CaseIterable {
  /// A path is absolute, has `..`, or is otherwise no path below a granted directory.
  case relativePath
  /// The mode wants a document strictly below the document storage.
  case belowStorage
  /// The document is no regular file that the picker can read, or leads over a link.
  case readableFile
  /// The document is of a type that the host did not ask for.
  case validTypes
  /// The picker has to copy the document into the storage before it grants access.
  case copyFirst
  /// The copy in the storage is not what was to be moved.
  case copyDiffers
  /// The app has no document storage.
  case noStorage
  /// The manifest does not name the mode.
  case modeSupported
  /// The picker has not been presented, or is not asked for anything.
  case presented
  /// An identifier and a path have to lead to each other, always.
  case staticIdentifier
  /// The provider said that it wrote a placeholder, and there is none.
  case placeholderWritten
  /// The provider said that it provided a document, and its content is not there.
  case contentProvided
  /// A provider waits for a document that it provides itself.
  case ownDocument
  /// An answer of the extension is not what the contract has.
  case answer

  /// The error code: `invalidParams` for a rule about params, otherwise a refusal of documents.
  var code: ExtensionError.Code {
    switch self {
    case .relativePath, .belowStorage, .readableFile, .validTypes, .copyFirst, .copyDiffers, .noStorage: .invalidParams
    default: .documentRefused
    }
  }

  var recovery: String {
    switch self {
    case .relativePath: "Name a file by its path relative to the granted directory, without “..”."
    case .belowStorage: "Grant access to a file strictly below the document storage."
    case .readableFile: "Name a regular file, over no symbolic link."
    case .validTypes: "Choose a file of one of the types in validTypes."
    case .copyFirst: "Copy originalURL into the document storage, then grant access to the copy."
    case .copyDiffers: "The original is kept. The extension has to copy every byte."
    case .noStorage:
      "Name an app group under NSExtensionFileProviderDocumentGroup in the file provider's manifest."
    case .modeSupported: "Choose a picker whose UIDocumentPickerModes has the mode."
    case .presented: "Grant access between picker/prepare and the end of the request."
    case .staticIdentifier: "The extension has to map identifiers and paths to each other one to one."
    case .placeholderWritten: "The extension has to call provider/writePlaceholder before it answers."
    case .contentProvided: "The extension has to put the content at the document's path before it answers."
    case .ownDocument: "Pass the providerIdentifier as purposeIdentifier when the provider coordinates."
    case .answer: "Use another extension, or correct this one."
    }
  }
}

extension ExtensionError {
  /// A refusal with its rule under `details.rule`.
  public static func document(_ rule: DocumentRule, _ message: String) -> ExtensionError {
    ExtensionError(rule.code, message, recovery: rule.recovery, details: ["rule": .string(rule.rawValue)])
  }

  /// The rule of a refusal that is about documents.
  public var documentRule: DocumentRule? {
    guard case .string(let name)? = details["rule"] else { return nil }
    return DocumentRule(rawValue: name)
  }
}
