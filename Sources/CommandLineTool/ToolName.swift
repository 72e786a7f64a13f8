/// A tool's texts speak of it by the name that it has in its tree. Installed under another one, it says that one.
package struct ToolName: Sendable, Hashable {
  /// As its texts have it.
  let original: String
  /// As the user calls it.
  package let name: String
  /// What may stand after the name in a command line.
  private let commands: Set<String>

  /// - Parameters:
  ///   - name: as the user calls the tool.
  ///   - root: the tool's tree, whose texts have the name of its root.
  package init(_ name: String, of root: Command) {
    original = root.name
    self.name = name
    commands = Set(root.subcommands.map(\.name))
  }

  /// A text with the command lines in it as the user would write them. Everything else stays, the word “host” in a
  /// sentence for example.
  package func applied(to text: String) -> String {
    guard name != original, text.contains(original) else { return text }
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: original + " ") {
      let before = rest[..<range.lowerBound].unicodeScalars.last ?? result.unicodeScalars.last
      let next = rest[range.upperBound...].prefix { $0.isLetter || $0 == "-" }
      let begins = before.map { !$0.properties.isAlphabetic && $0 != "-" && $0 != "/" && $0 != "." } ?? true
      result += rest[..<range.lowerBound]
      result += begins && (commands.contains(String(next)) || next.hasPrefix("--")) ? name : original
      result += " "
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  /// The tree with the name in it.
  package func applied(to command: Command) -> Command {
    guard name != original else { return command }
    var renamed = Command(
      command.name == original ? name : command.name, summary: applied(to: command.summary),
      discussion: applied(to: command.discussion), example: applied(to: command.example), options: command.options,
      arguments: command.arguments, subcommands: command.subcommands.map { applied(to: $0) },
      isHidden: command.isHidden)
    renamed.section = command.section
    return renamed
  }
}
