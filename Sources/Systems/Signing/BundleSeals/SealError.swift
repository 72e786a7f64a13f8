package import Cryptography
package import Files

/// An error from making or reading a seal, a key or a statement of a team.
package struct SealError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: Sendable, Equatable {
    /// A file has not the form that it should have.
    case malformed
    /// The passphrase is another, or the key file was changed.
    case wrongPassphrase
    /// The folder has something that cannot be sealed.
    case unsealable
    /// A key may not be used for this: it is expired, revoked or another team's.
    case keyRefused
    /// The system refused to read or write.
    case system
  }

  /// The sort of failure.
  package let kind: Kind
  /// One sentence, with the file it concerns.
  package let message: String
  /// What the reader can do, one sentence.
  package let recovery: String

  /// Creates an error.
  package init(_ kind: Kind, _ message: String, recovery: String) {
    (self.kind, self.message, self.recovery) = (kind, message, recovery)
  }

  /// An error of a file, in the terms of seals.
  package init(_ error: FileError) {
    self.init(.system, error.message, recovery: error.recovery ?? "Check the path and its permissions.")
  }

  /// An error of libcrypto, in the terms of seals.
  package init(_ error: CryptographyError) { self.init(.malformed, error.message, recovery: error.recovery) }

  /// The message.
  package var description: String { message }
}
