internal import CCrypto

/// An error from a cryptographic operation.
package struct CryptographyError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: String, Sendable {
    /// The bytes are no key, token or box of the kind that was asked for.
    case malformed
    /// The bytes were changed, or were made with another key.
    case notAuthentic
    /// A length or a cost is out of its bounds.
    case outOfBounds
    /// The library underneath refused.
    case library
  }

  /// The sort of failure.
  package let kind: Kind
  /// One sentence, without a secret.
  package let message: String

  /// Creates an error from one sentence, and clears the error queue of libcrypto on this thread.
  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
    // What is left there would be taken for the failure of the next call on this thread, by libcurl for one.
    ERR_clear_error()
  }

  /// What the reader can do about it.
  package var recovery: String {
    switch kind {
    case .malformed: "Give one of the kind that is named."
    case .notAuthentic: "Check that the key is the one it was made with, and that nothing changed it."
    case .outOfBounds: "Choose a value within the bounds."
    case .library: "Check that the machine has memory, and that libcrypto is OpenSSL 3.0 or newer."
    }
  }

  /// The message.
  package var description: String { message }
}
