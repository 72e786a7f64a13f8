import Text

/// Turns the words of a command line into a ``ParsedCommand``. Pure: it reads nothing and prints nothing.
///
/// Options may come anywhere, even before the command that they belong to. Accepted forms: `--name`, `--name value`,
/// `--name=value`, `-n`, `-n value`, `-nvalue`, `-n=value`, and short flags run together (`-qh`). `--` ends options;
/// `-` alone is an argument. A value that begins with a dash must be written with `=`, unless it is a number.
package struct CommandLineParser: Sendable {
  /// The root of the tree.
  package let root: Command

  /// Creates a parser for a tree of commands.
  package init(_ root: Command) { self.root = root }

  /// Parses a command line.
  ///
  /// - Parameters:
  ///   - words: the command line without the name of the tool.
  ///   - environment: the variables that options with an ``CommandOption/environment`` name are read from.
  /// - Throws: ``CommandLineError``, which names near misses for unknown commands and options.
  package func parse(
    _ words: [String], environment: [String: String] = [:]
  ) throws(CommandLineError) -> ParsedCommand {
    var scan = CommandLineScan(root: root)
    try scan.read(words)
    if scan.has(.help) { return parsed(.help, scan.commands) }
    if scan.has(.version) { return parsed(.version, scan.commands) }
    if let topic = scan.helpTopic { return parsed(.help, try commands(along: topic)) }
    let options = try scan.optionValues(environment: environment)
    return ParsedCommand(
      request: .run, commands: scan.commands, optionValues: options, argumentValues: try scan.argumentValues())
  }

  private func parsed(_ request: ParsedCommand.Request, _ commands: [Command]) -> ParsedCommand {
    ParsedCommand(request: request, commands: commands, optionValues: [:], argumentValues: [:])
  }

  private func commands(along topic: [String]) throws(CommandLineError) -> [Command] {
    var commands = [root]
    for word in topic {
      let parent = commands[commands.count - 1]
      guard let next = parent.subcommand(named: word) else {
        throw .unknownCommand(word, of: commands)
      }
      commands.append(next)
    }
    return commands
  }
}

extension CommandLineError {
  static func unknownCommand(_ word: String, of commands: [Command]) -> CommandLineError {
    let visible = commands.last?.visibleSubcommands ?? []
    let names = visible.map(\.name)
    let meant = visible.filter { $0.otherNames.contains(word.lowercased()) }.map(\.name)
    let tool = commands.map(\.name).joined(separator: " ")
    return CommandLineError(
      "“\(word.escapedForTerminal)” is not a command of \(tool).",
      help: didYouMean(meant.isEmpty ? nearMisses(of: word, in: names) : meant)
        ?? "Run “\(tool) --help” to see its commands.")
  }

  static func unknownOption(
    _ option: String, of commands: [Command], candidates: [CommandOption]
  ) -> CommandLineError {
    let tool = commands.map(\.name).joined(separator: " ")
    let names = candidates.filter { !$0.isHidden }.map { "--\($0.name)" }
    let misses = option.hasPrefix("--") ? nearMisses(of: option, in: names) : []
    return CommandLineError(
      "\(tool) has no option \(option.escapedForTerminal).",
      help: didYouMean(misses) ?? "Run “\(tool) --help” to see its options.")
  }
}

/// A command line that cannot be understood: exit status ``ExitStatus/usage``.
package struct CommandLineError: Error, Hashable, Sendable {
  /// What is wrong, one sentence.
  package let message: String
  /// What to do about it.
  package let help: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - message: one sentence that says what is wrong, with the word in question.
  ///   - help: one sentence that says what to type.
  package init(_ message: String, help: String) {
    self.message = message
    self.help = help
  }
}

extension CommandLineError: CustomStringConvertible {
  /// The message, followed by the help.
  package var description: String { "\(message) \(help)" }
}
