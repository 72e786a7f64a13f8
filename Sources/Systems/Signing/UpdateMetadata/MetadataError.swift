/// Why the metadata of an index is not taken.
package struct MetadataError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure, each a kind of attack that it stops.
  package enum Kind: String, Sendable {
    /// It has not the form of its role, or is for another.
    case malformed
    /// Too few of the keys that may sign it have.
    case unsigned
    /// Its time is over: an old state is held before the client, or nobody renews it.
    case expired
    /// It is older than what was trusted before.
    case rolledBack = "rolled-back"
    /// It is not the file that the role above it names: files of two states are mixed.
    case mixed
    /// It has more bytes than it may have.
    case tooLong = "too-long"
    /// It is not there.
    case missing
  }

  /// The sort of failure.
  package let kind: Kind
  /// One sentence, with the role.
  package let message: String

  /// Creates an error.
  package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

  /// What the reader can do about it.
  package var recovery: String {
    switch kind {
    case .expired: "Ask who keeps the index to publish it anew, and check the clock of this machine."
    case .missing: "Check the address of the index."
    default: "Try again later; if it stays, the index or the way to it was tampered with: ask who keeps it."
    }
  }

  /// The message.
  package var description: String { message }
}
