import Text

/// Why a file of credentials cannot be used. Neither message nor recovery holds anything of what is in the file.
package struct CredentialError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The codes of the clients of AEM Headless.
  package enum Kind: String, Sendable, CaseIterable {
    case fileUnreadable = "AUTH_FILE_READ_ERROR"
    case fileMalformed = "AUTH_FILE_PARSE_ERROR"
  }

  package let kind: Kind
  /// The file as the settings name it.
  package let file: String
  /// The member that is wrong, for example `integration.technicalAccount.clientId`; nil for the file as a whole.
  package let keyPath: String?
  /// One sentence with the file, the key path and the code.
  package let message: String
  package let recovery: String

  init(_ kind: Kind, file: String, keyPath: String? = nil, _ what: String, recovery: String) {
    self.kind = kind
    self.file = file
    self.keyPath = keyPath
    message = "\(quotable(file)): \(keyPath.map { "\($0) " } ?? "")\(what) (\(kind.rawValue))."
    self.recovery = recovery
  }

  package var description: String { "\(message) \(recovery)" }
}
