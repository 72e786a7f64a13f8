/// Why something could not be done with a file or a folder.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is, for a caller that goes on differently.
  package enum Kind: Sendable, Equatable {
    /// A call of the system failed with this number.
    case system(SystemError)
    /// The path leads to something else than a regular file.
    case notRegular
    /// The file is larger than the caller takes.
    case tooLarge
    /// Another process has the lock, and has kept it for as long as the caller waits.
    case locked
    /// Other users may read or change it, or own it.
    case notPrivate
  }

  /// What kind of failure it is.
  package let kind: Kind
  /// What happened, one sentence.
  package let message: String
  /// What the reader can do, one sentence; `nil` when the message says it all.
  package let recovery: String?

  /// - Parameters:
  ///   - kind: what kind of failure it is.
  ///   - message: what happened, one sentence.
  ///   - recovery: what the reader can do, one sentence.
  package init(_ kind: Kind, _ message: String, recovery: String? = nil) {
    self.kind = kind
    self.message = message
    self.recovery = recovery
  }

  /// A call of the system that failed.
  ///
  /// - Parameters:
  ///   - verb: what could not be done, for example `write`.
  ///   - path: with what.
  ///   - error: the error of the call.
  package static func cannot(_ verb: String, _ path: String, _ error: SystemError = .last) -> FileError {
    FileError(.system(error), "Cannot \(verb) \(path): \(error).")
  }

  /// The message.
  package var description: String { message }
}
