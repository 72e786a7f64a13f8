/// A command line that cannot be understood: exit status ``ExitStatus/usage``.
package struct CommandLineError: Error, Hashable, Sendable {
  /// What is wrong, one sentence.
  package let message: String
  /// What to do about it.
  package let help: String

  package init(_ message: String, help: String) {
    self.message = message
    self.help = help
  }
}

extension CommandLineError: CustomStringConvertible {
  package var description: String { "\(message) \(help)" }
}
