/// A node of the command tree: what a tool can do, described as data.
///
/// Parsing, help and shell completions are all made from this one description.
package struct Command: Sendable, Hashable {
  /// The word that selects the command; for the root, the tool's own name.
  package let name: String
  /// One sentence without a final stop, shown in lists and help.
  package let summary: String
  /// Paragraphs for the command's own help page, or empty.
  package let discussion: String
  /// One full command line, shown at the end of the help page.
  package let example: String
  /// Options of this command; the commands below inherit them.
  package let options: [CommandOption]
  /// Positional arguments, in order.
  package let arguments: [CommandArgument]
  /// The commands below this one.
  package var subcommands: [Command]
  /// A hidden command works, but neither help, suggestions nor completions mention it.
  package let isHidden: Bool
  /// Words that people try for the command; a word that is no command is answered with the name of the command that has
  /// it here.
  package var otherNames: [String] = []
  /// The heading under which the parent command's help lists this command.
  package var section = "Commands"

  /// Creates a command. The arguments are described at the properties.
  package init(
    _ name: String, summary: String, discussion: String = "", example: String, options: [CommandOption] = [],
    arguments: [CommandArgument] = [], subcommands: [Command] = [], isHidden: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.example = example
    self.options = options
    self.arguments = arguments
    self.subcommands = subcommands
    self.isHidden = isHidden
  }

  /// Returns the command with words that people try for it.
  package func alsoTried(as names: String...) -> Command {
    var command = self
    command.otherNames = names
    return command
  }

  /// The subcommands that help and completions show.
  package var visibleSubcommands: [Command] { subcommands.filter { !$0.isHidden } }

  /// The visible subcommands by section, with sections in the order of their first command.
  var sections: [(title: String, commands: [Command])] {
    var sections: [(title: String, commands: [Command])] = []
    for command in visibleSubcommands {
      if let index = sections.firstIndex(where: { $0.title == command.section }) {
        sections[index].commands.append(command)
      } else {
        sections.append((command.section, [command]))
      }
    }
    return sections
  }

  /// The subcommand with a name, hidden or not.
  package func subcommand(named name: String) -> Command? { subcommands.first { $0.name == name } }

  /// The commands from this one down to the one that `path` names, or `nil` when a word has no command.
  ///
  /// - Parameter path: the words below this command: `["defaults", "read"]`.
  package func commands(along path: [String]) -> [Command]? {
    var commands = [self]
    for word in path {
      guard let next = commands[commands.count - 1].subcommand(named: word) else { return nil }
      commands.append(next)
    }
    return commands
  }

  /// This command and all below it.
  package var descendants: [Command] { [self] + subcommands.flatMap(\.descendants) }
}
