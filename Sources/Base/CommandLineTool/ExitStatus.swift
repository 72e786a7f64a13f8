/// What a process says to its parent when it ends. The numbers from 64 are those of BSD's `sysexits.h`.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
  /// The number that the parent sees, from 0 to 255.
  package let rawValue: Int32

  /// Creates a status from its number.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The command did what was asked.
  package static let success = ExitStatus(rawValue: 0)
  /// The thing asked for failed: an extension refused, a request was cancelled, nothing matched.
  package static let failure = ExitStatus(rawValue: 1)
  /// The command line is wrong.
  package static let usage = ExitStatus(rawValue: 64)
  /// Input data is wrong.
  package static let dataError = ExitStatus(rawValue: 65)
  /// An input is missing or cannot be read.
  package static let noInput = ExitStatus(rawValue: 66)
  /// A service is not available.
  package static let unavailable = ExitStatus(rawValue: 69)
  /// A bug of the tool itself.
  package static let software = ExitStatus(rawValue: 70)
  /// The system has no descriptors, threads or memory left.
  package static let systemError = ExitStatus(rawValue: 71)
  /// An output cannot be created.
  package static let cannotCreate = ExitStatus(rawValue: 73)
  /// Reading or writing failed.
  package static let ioError = ExitStatus(rawValue: 74)
  /// Trying again later can help.
  package static let temporaryFailure = ExitStatus(rawValue: 75)
  /// The user lacks the permission (`EX_NOPERM`).
  package static let noPermission = ExitStatus(rawValue: 77)
  /// A configuration is wrong.
  package static let configuration = ExitStatus(rawValue: 78)

  /// Every status with what it means, in the order of the numbers.
  package static let meanings: [(status: ExitStatus, meaning: String)] = [
    (.success, "Done."),
    (.failure, "The thing asked for failed: an extension refused, a request was cancelled, nothing matched."),
    (.usage, "The command line is wrong."),
    (.dataError, "Input data is wrong."),
    (.noInput, "An input is missing or cannot be read."),
    (.unavailable, "A service is not available."),
    (.software, "A bug of the tool itself."),
    (.systemError, "The system has no descriptors, threads or memory left."),
    (.cannotCreate, "An output cannot be created."),
    (.ioError, "Reading or writing failed."),
    (.temporaryFailure, "Trying again later can help."),
    (.noPermission, "Not permitted."),
    (.configuration, "A configuration is wrong."),
    (ExitStatus(rawValue: 130), "Interrupted (128 and the number of the signal)."),
  ]
}
