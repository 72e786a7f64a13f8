/// What a process says to its parent when it ends. The numbers from 64 are those of BSD's `sysexits.h`.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
  /// The number that the parent sees, from 0 to 255.
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done.
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
  /// Not permitted.
  package static let noPermission = ExitStatus(rawValue: 77)
  /// A configuration is wrong.
  package static let configuration = ExitStatus(rawValue: 78)
}
