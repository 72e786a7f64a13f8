/// Manual pages for `man`, made from the command tree: one of the tool, and one of each of its commands with those below
/// it. The markup is that of man(7).
package struct Manual {
  /// One manual page.
  package struct Page {
    /// The name, also that of the file without `.1`: `annex-defaults`.
    package let name: String
    /// The page in man(7) markup.
    package let text: ShownText
  }

  private let root: Command
  private let title: String

  /// - Parameters:
  ///   - root: the tool.
  ///   - version: the tool's.
  package init(_ root: Command, version: String) {
    self.root = root
    title = "\"\(root.name) \(version)\" \"\(root.name)\""
  }

  /// All pages, the tool's own first.
  package var pages: [Page] { [toolPage] + root.visibleSubcommands.map(page) }

  private var toolPage: Page {
    var page = beginning(root.name, root.summary)
    page.synopsis([[root]])
    page.paragraphs(root.discussion)
    for section in root.sections {
      page.section(section.title)
      for command in section.commands { page.item(ManualText.bold(name(of: command)) + "(1)", command.summary + ".") }
    }
    page.options("Options", root.options + [.help, .version])
    page.section("Exit status")
    for (status, meaning) in ExitStatus.meanings { page.item(ManualText.bold("\(status.rawValue)"), meaning) }
    page.example(root.example)
    return Page(name: root.name, text: page.shown)
  }

  private func page(_ command: Command) -> Page {
    var page = beginning(name(of: command), command.summary)
    let parts = parts(of: command, below: [root])
    page.synopsis(parts.filter { !$0.isHeading }.map(\.commands))
    page.paragraphs(command.discussion)
    page.arguments(command.arguments)
    page.options("Options", command.options)
    if parts.count > 1 { page.section("Commands") }
    for part in parts.dropFirst() {
      guard let last = part.commands.last else { continue }
      page.part(part.commands.map(\.name).joined(separator: " "))
      page.paragraphs(last.summary + ".\n" + last.discussion)
      page.arguments(last.arguments, heading: false)
      page.options(nil, last.options)
      page.example(last.example, heading: false)
    }
    page.options("General options", root.options + [.help, .version])
    page.example(command.example)
    page.seeAlso(root.name)
    return Page(name: name(of: command), text: page.shown)
  }

  private func name(of command: Command) -> String { "\(root.name)-\(command.name)" }

  private func beginning(_ name: String, _ summary: String) -> ManualText {
    var page = ManualText()
    page.line(".TH \(ManualText.escaped(name.uppercased())) 1 \"\" \(title)")
    page.section("Name")
    page.line("\(ManualText.escaped(name)) \\- \(ManualText.escaped(summary))")
    return page
  }

  /// A command on its page, or one below it.
  private struct Part {
    /// The commands from the root to the one that the page describes.
    let commands: [Command]
    /// Whether it does nothing itself.
    var isHeading: Bool { commands.last.map { !$0.visibleSubcommands.isEmpty && $0.arguments.isEmpty } ?? true }
  }

  private func parts(of command: Command, below parents: [Command]) -> [Part] {
    let commands = parents + [command]
    return [Part(commands: commands)] + command.visibleSubcommands.flatMap { parts(of: $0, below: commands) }
  }
}

/// The text of a manual page while it is written.
private struct ManualText {
  private var lines: [String] = []

  /// Text of the tool's own throughout: the tree's.
  var shown: ShownText { ShownText(verbatim: lines.joined(separator: "\n") + "\n") }

  mutating func line(_ text: String) { lines.append(text) }

  mutating func section(_ title: String) { line(".SH \"\(Self.escaped(title.uppercased()))\"") }

  /// A part of a section.
  mutating func part(_ title: String) { line(".SS \"\(Self.escaped(title))\"") }

  mutating func paragraphs(_ text: String) {
    let paragraphs = text.split(separator: "\n").map { Self.line($0) }
    guard !paragraphs.isEmpty else { return }
    if lines.last?.hasPrefix(".S") != true { section("Description") }
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { line(".PP") }
      line(paragraph)
    }
  }

  mutating func synopsis(_ usages: [[Command]]) {
    section("Synopsis")
    for (index, commands) in usages.enumerated() {
      if index > 0 { line(".br") }
      line(Self.line(Help.usage(commands)))
    }
  }

  mutating func item(_ label: String, _ text: String) {
    line(".TP")
    line(label)
    line(Self.line(text))
  }

  mutating func arguments(_ arguments: [CommandArgument], heading: Bool = true) {
    guard !arguments.isEmpty else { return }
    if heading { section("Arguments") }
    for argument in arguments { item(Self.italic(argument.label), Help.description(of: argument) + ".") }
  }

  /// Adds options.
  ///
  /// - Parameter title: the title of a new section; `nil` continues the current section.
  mutating func options(_ title: String?, _ options: [CommandOption]) {
    let shown = options.filter { !$0.isHidden }
    guard !shown.isEmpty else { return }
    if let title { section(title) }
    for option in shown {
      let label = option.label.split(separator: " ").joined(separator: " ")
      item(Self.bold(label), Help.description(of: option) + ".")
    }
  }

  mutating func example(_ example: String, heading: Bool = true) {
    if heading { section("Example") } else { line(".PP") }
    line(".EX")
    for text in example.split(separator: "\n") { line(Self.line("  \(text)")) }
    line(".EE")
  }

  mutating func seeAlso(_ name: String) {
    section("See also")
    line(".BR \(Self.escaped(name)) (1)")
  }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// Text that stands on a line of its own, where a dot or an apostrophe at the beginning would be a request.
  private static func line(_ text: some StringProtocol) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// What means something to roff, written so that it is shown.
  static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      case "\n": result += " "
      case _ where character.isASCII: result.unicodeScalars.append(character)
      default: result += "\\[u\(hexadecimal(character.value))]"
      }
    }
    return result
  }

  /// At least four digits, as groff wants them.
  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
