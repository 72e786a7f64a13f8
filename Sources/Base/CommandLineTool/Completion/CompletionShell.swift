/// A shell that completion scripts can be made for.
package enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script that teaches the shell to complete the tool's commands, options and fixed values.
  package func script(for root: Command) -> ShownText {
    switch self {
    case .bash: ShownText(verbatim: BashCompletion(root).script)
    case .zsh: ShownText(verbatim: ZshCompletion(root).script)
    case .fish: ShownText(verbatim: FishCompletion(root).script)
    }
  }
}

/// One place in the tree as completions see it.
struct CompletionNode {
  /// The words from the root, joined by spaces: `host defaults read`.
  let path: String
  let command: Command
  /// Options valid here, hidden ones left out.
  let options: [CommandOption]

  /// Every visible command, parents first.
  static func all(_ root: Command) -> [CompletionNode] { nodes(root, parents: [], path: root.name) }

  private static func nodes(_ command: Command, parents: [CommandOption], path: String) -> [CompletionNode] {
    let inherited = parents + command.options
    let options = (inherited + [.help, .version]).filter { !$0.isHidden }
    let children = command.visibleSubcommands.flatMap { nodes($0, parents: inherited, path: "\(path) \($0.name)") }
    return [CompletionNode(path: path, command: command, options: options)] + children
  }

  /// The fixed words that may come next: subcommands and the values of arguments.
  var words: [String] { command.visibleSubcommands.map(\.name) + command.arguments.flatMap(\.values.words) }

  /// The commands of the tool that print the words which may follow.
  var sources: [[String]] {
    var sources: [[String]] = []
    for case .printed(let words) in command.arguments.map(\.values) where !sources.contains(words) {
      sources.append(words)
    }
    return sources
  }

  /// Whether a file or folder may come next.
  var takesPaths: Bool { command.arguments.contains { $0.values == .file || $0.values == .directory } }
}

/// The text between single quotes for a POSIX shell.
func shellQuoted(_ text: String) -> String {
  // With a combining mark behind it a quote is another character, and a quote for the shell.
  let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map { String(Substring($0)) }
  return "'" + parts.joined(separator: "'\\''") + "'"
}
