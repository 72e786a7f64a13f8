/// A command line, understood.
package struct ParsedCommand: Sendable, Hashable {
  /// What the user wants of the command.
  package enum Request: Sendable, Hashable {
    case run
    /// Show the help page of ``ParsedCommand/commands``; its arguments were not checked.
    case help
    case version
  }

  /// What the user wants of the command.
  package let request: Request
  /// The commands from the root to the one selected.
  package let commands: [Command]
  let optionValues: [String: [String]]
  let argumentValues: [String: [String]]

  /// The words that select the command, without the root: `["defaults", "read"]`.
  package var path: [String] { commands.dropFirst().map(\.name) }

  /// Whether a flag was given.
  package func flag(_ name: String) -> Bool { optionValues[name] != nil }

  /// The value of an option: from the command line, the environment, or the option's default.
  package func value(_ name: String) -> String? { optionValues[name]?.last }

  /// All values of a repeatable option, in order.
  package func values(_ name: String) -> [String] { optionValues[name] ?? [] }

  /// Returns the value of an option as a whole number within a range, or nil when the option is absent.
  ///
  /// - Throws: ``CommandLineError`` when the value is not such a number.
  package func integer(_ name: String, in range: ClosedRange<Int>) throws(CommandLineError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw CommandLineError(
        "--\(name) is “\(text.escapedForTerminal)”, which is not a whole number that it can take.",
        help: "Give --\(name) a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// The word of a positional argument, if it was given.
  package func argument(_ name: String) -> String? { argumentValues[name]?.first }

  /// All words of a positional argument.
  package func arguments(_ name: String) -> [String] { argumentValues[name] ?? [] }
}
