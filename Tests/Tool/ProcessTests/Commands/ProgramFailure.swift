import Glibc

/// A program that could not be run, or did not do what the test waits for.
struct ProgramFailure: Error, CustomStringConvertible {
  var description: String
}

extension ProgramFailure {
  /// What the number of an error says.
  init(error: Int32) { self.init(description: String(cString: strerror(error))) }
}
