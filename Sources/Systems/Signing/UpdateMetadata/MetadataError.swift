/// Why metadata of an index, or a file that it describes, is not believed.
package struct MetadataError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: String, Sendable, CaseIterable {
    /// The file does not have the form that it should have, or a number is out of its bounds.
    case malformed
    /// Fewer keys than needed have signed the file.
    case notSigned = "not-signed"
    /// The time for which the file was made is over: the index is not kept up, or somebody holds it back.
    case expired
    /// A version is lower than one that was seen before.
    case rolledBack = "rolled-back"
    /// A file is another than the one that the file before it names: its version, its length or its digest differs.
    case mixed
    /// The server sends more bytes, or more files, than there can be.
    case endless
    /// The server does not have a file that there should be.
    case missing
    /// The metadata does not describe the file that was asked for.
    case unknownFile = "unknown-file"
  }

  /// The sort of failure.
  package let kind: Kind
  /// The name of the file.
  package let file: String
  /// One sentence, with the name of the file.
  package let message: String

  /// Creates an error.
  package init(_ kind: Kind, _ file: String, _ message: String) {
    (self.kind, self.file, self.message) = (kind, String(file.prefix(200)), message)
  }

  /// What the reader can do, one sentence.
  package var recovery: String {
    switch kind {
    case .malformed, .notSigned, .mixed, .endless: "Try again later, and tell who publishes the index."
    case .expired:
      "Check the clock of this machine; if it is right, ask who publishes the index to publish it again."
    case .rolledBack: "Do not use the index from this network; ask who publishes it."
    case .missing: "Check the address of the index, or try again later."
    case .unknownFile: "Check the name."
    }
  }

  /// The message.
  package var description: String { message }
}
