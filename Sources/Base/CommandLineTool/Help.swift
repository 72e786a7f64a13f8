/// Help pages, made from the command tree.
package enum Help {
  /// The page of a command, with a line end after the last line.
  ///
  /// - Parameter commands: from the root to the command; not empty.
  /// - Parameter width: columns to fill; text longer than that is wrapped.
  package static func page(_ commands: [Command], width: Int = 80) -> ShownText {
    guard let command = commands.last else { return "" }
    var sections = [command.summary + "."]
    if !command.discussion.isEmpty { sections.append(paragraphs(command.discussion, width: width)) }
    sections.append("Usage: \(usage(commands))")
    for section in command.sections { add(section.title, section.commands.map { ($0.name, $0.summary) }) }
    add("Arguments", command.arguments.map { ($0.label, description(of: $0)) })
    let inherited = commands.dropLast().flatMap(\.options)
    let general = commands.count > 1 ? inherited : []
    add("Options", rows(commands.count > 1 ? command.options : command.options + [.help, .version]))
    if commands.count > 1 { add("General options", rows(general + [.help, .version])) }
    sections.append("Example:\n  \(command.example)")
    return ShownText(verbatim: sections.joined(separator: "\n\n") + "\n")

    func add(_ title: String, _ rows: [(String, String)]) {
      guard !rows.isEmpty else { return }
      sections.append("\(title):\n" + columns(rows, width: width))
    }
  }

  /// One line: `host defaults read SUITE [KEY] [options]`.
  package static func usage(_ commands: [Command]) -> String {
    guard let command = commands.last else { return "" }
    var words = commands.map(\.name)
    if !command.visibleSubcommands.isEmpty { words.append(command.arguments.isEmpty ? "COMMAND" : "[COMMAND]") }
    words += command.arguments.map(\.label)
    if !commands.flatMap(\.options).isEmpty { words.append("[options]") }
    return words.joined(separator: " ")
  }

  private static func rows(_ options: [CommandOption]) -> [(String, String)] {
    options.filter { !$0.isHidden }.map { ($0.label, description(of: $0)) }
  }

  /// What an option does, its values, and what holds without it; without a final stop.
  static func description(of option: CommandOption) -> String {
    var text = described(option.summary, option.values)
    if option.isRepeatable, option.takesValue { text += "; may be repeated" }
    if let name = option.environment { text += "; else the variable \(name)" }
    if let value = option.defaultValue { text += "; else \(value)" }
    return text
  }

  /// What an argument is, and its values; without a final stop.
  static func description(of argument: CommandArgument) -> String { described(argument.summary, argument.values) }

  private static func described(_ summary: String, _ values: ValueHint) -> String {
    guard case .choices(let words) = values else { return summary }
    return "\(summary): \(words.joined(separator: ", "))"
  }

  private static func columns(_ rows: [(String, String)], width: Int) -> String {
    let first = min(28, rows.map { displayWidth(of: $0.0) }.max() ?? 0)
    let margin = String(repeating: " ", count: first + 4)
    return rows.map { label, text in
      let lines = wrapped(ShownText(verbatim: text), toWidth: max(24, width - first - 4), long: { word, _ in [word] })
      let body = lines.map(\.description).joined(separator: "\n" + margin)
      let space = first - displayWidth(of: label)
      if space < 0 { return "  \(label)\n\(margin)\(body)" }
      return "  \(label)\(String(repeating: " ", count: space + 2))\(body)"
    }.joined(separator: "\n")
  }

  private static func paragraphs(_ text: String, width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { wrapped(ShownText(verbatim: String($0)), toWidth: width, long: { word, _ in [word] }) }
      .map(\.description).joined(separator: "\n")
  }
}
