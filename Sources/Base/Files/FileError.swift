import Glibc

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
    FileError(.system(error), "Cannot \(verb) \(path): \(error).", recovery: advice(for: error, path))
  }

  /// What to do where the number of the error says it.
  private static func advice(for error: SystemError, _ path: String) -> String? {
    switch error {
    case SystemError(ENOSPC), SystemError(EDQUOT):
      "The disk is full: \"df -h '\(Folder.parent(of: path))'\" shows it. Free space there and try again."
    case SystemError(EROFS): "The disk is read-only: name another place."
    default: nil
    }
  }

  /// The message.
  package var description: String { message }
}

/// An error number of the system, printed in the words of the C library: `Permission denied`.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  package let number: Int32

  /// - Parameter number: a value of `errno`.
  package init(_ number: Int32) { self.number = number }

  /// What the last call that failed on this thread left in `errno`.
  package static var last: SystemError { SystemError(errno) }

  /// The text; `error 4711` for a number that the C library has no words for.
  package var description: String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}
