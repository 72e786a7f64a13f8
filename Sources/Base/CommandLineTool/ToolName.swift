/// A tool's texts speak of it by the name that it has in its tree. Installed under another one, it says that one.
package struct ToolName: Sendable, Hashable {
  /// As its texts have it.
  let original: String
  /// As the user calls it.
  package let name: String
  /// What may stand after the name in a command line.
  private let commands: Set<String>

  /// Creates a name.
  ///
  /// - Parameters:
  ///   - name: the name by which the user calls the tool.
  ///   - root: the root command, whose texts use its own name.
  package init(_ name: String, of root: Command) {
    original = root.name
    self.name = name
    commands = Set(root.subcommands.map(\.name))
  }

  /// A text with the command lines in it as the user would write them. Everything else stays, the word “host” in a
  /// sentence for example.
  ///
  /// - Parameter options: what stands at the end of every command line that the text quotes, “host list” or "host list",
  ///   and that has no such option.
  package func applied(to text: String, options: [(name: String, value: String)] = []) -> String {
    guard name != original || !options.isEmpty, text.contains(original) else { return text }
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: original + " ") {
      result += rest[..<range.lowerBound]
      rest = rest[range.upperBound...]
      let before = result.last
      guard begins(after: before), let word = rest.split(separator: " ").first, isCommand(word) else {
        result += original + " "
        continue
      }
      result += name + " "
      let close: Character? = before == "“" ? "”" : before == "\"" ? "\"" : nil
      guard let end = close.flatMap({ rest.firstIndex(of: $0) }) else { continue }
      let command = rest[..<end]
      result += command
      for option in options where !command.contains("--\(option.name) ") {
        result += " --\(option.name) \(shellWord(option.value))"
      }
      rest = rest[end...]
    }
    return result + rest
  }

  private func begins(after before: Character?) -> Bool {
    guard let before = before?.unicodeScalars.last else { return true }
    return !before.properties.isAlphabetic && before != "-" && before != "/" && before != "."
  }

  private func isCommand(_ word: Substring) -> Bool {
    word.hasPrefix("--") || commands.contains(String(word.prefix { $0.isLetter || $0 == "-" }))
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
    renamed.otherNames = command.otherNames
    return renamed
  }
}
