import Testing

@testable import CommandLineTool

@Suite(.timeLimit(.minutes(1))) struct `A page about commands` {
  private static func command(_ name: String, _ section: String? = nil, isHidden: Bool = false) -> Command {
    var command = Command(name, summary: "Do \(name)", example: "tool \(name)", isHidden: isHidden)
    if let section { command.section = section }
    return command
  }

  private static let both = Command(
    "both", summary: "Do both", discussion: "One paragraph.\nAnother.", example: "tool both\ntool both on",
    options: [.flag("flag", "Be it"), .flag("never", "No", isHidden: true)],
    arguments: [.init("FILE", "The file", .optional, values: .choices(["a", "b"]))], subcommands: [command("on")])

  private static let tool = Command(
    "tool", summary: "A tool", discussion: "What it is.", example: "tool one",
    options: [.flag("quiet", short: "q", "Say less")],
    subcommands: [
      command("one", "First"), command("two"), command("three", "First"), command("gone", "Gone", isHidden: true), both,
    ])

  @Test func `has commands below the headings that they name, in the order of the first`() {
    #expect(
      Help.page([Self.tool]).description == """
        A tool.

        What it is.

        Usage: tool COMMAND [options]

        First:
          one    Do one
          three  Do three

        Commands:
          two   Do two
          both  Do both

        Options:
          -q, --quiet    Say less
          -h, --help     Show help for a command
              --version  Show the version

        Example:
          tool one

        """)
  }

  @Test func `has arguments, options of its own and those of all`() {
    #expect(
      Help.page([Self.tool, Self.both], width: 40).description == """
        Do both.

        One paragraph.
        Another.

        Usage: tool both [COMMAND] [FILE] [options]

        Commands:
          on  Do on

        Arguments:
          [FILE]  The file: a, b

        Options:
              --flag  Be it

        General options:
          -q, --quiet    Say less
          -h, --help     Show help for a command
              --version  Show the version

        Example:
          tool both
        tool both on

        """)
    #expect(Help.page([]) == "" && Help.usage([]) == "")
    #expect(
      Help.usage([Self.command("a")]) == "a"
        && Help.usage([Self.command("a"), Self.tool]) == "a tool COMMAND [options]")
  }

  @Test func `has a text below a label that is longer than 28 columns`() {
    func page(_ name: String) -> [String] {
      let command = Command("t", summary: "S", example: "E", arguments: [.init(name, "Text"), .init("A", "B")])
      return Help.page([command]).description.split(separator: "\n").filter { $0.hasPrefix("  ") }
        .prefix(2).map { String($0) }
    }
    let name = String(repeating: "N", count: 28)
    let margin = String(repeating: " ", count: 32)
    #expect(page(name) == ["  \(name)  Text", "  A" + String(repeating: " ", count: 29) + "B"])
    #expect(page(name + "N") == ["  \(name)N", "\(margin)Text"])
  }

  @Test(arguments: [
    (
      CommandOption.value("a", "V", "S", isRepeatable: true, environment: "E", default: "d"),
      "S; may be repeated; else the variable E; else d"
    ),
    (.value("a", "V", "S", values: .choices(["x", "y"])), "S: x, y"),
    (.value("a", "V", "S", values: .suggestions(["x"])), "S"),
    (.flag("a", "S"), "S"),
  ])
  func `says what an option is without`(option: CommandOption, description: String) {
    #expect(Help.description(of: option) == description)
  }

  @Test func `labels options and arguments`() {
    #expect(
      CommandOption.flag("a", short: "x", "S").label == "-x, --a" && CommandOption.flag("a", "S").label == "    --a")
    #expect(CommandOption.value("a", short: "x", "V", "S").label == "-x, --a V")
    let arities: [CommandArgument.Arity] = [.required, .optional, .any, .some]
    #expect(arities.map { CommandArgument("F", "S", $0).label } == ["F", "[F]", "[F…]", "F…"])
    #expect(CommandOption.flag("a", "S").takesValue == false && CommandOption.value("a", "V", "S").takesValue)
  }

  @Test func `is a manual page with all of it`() throws {
    let pages = Manual(Self.tool, version: "1").pages
    #expect(pages.map(\.name) == ["tool", "tool-one", "tool-two", "tool-three", "tool-both"])
    let first = try #require(pages.first).text.description
    #expect(first.contains(".SH \"DESCRIPTION\"\nWhat it is.\n.SH \"FIRST\"\n.TP\n\\fBtool\\-one\\fR(1)\nDo one.\n"))
    #expect(first.hasSuffix(".SH \"EXAMPLE\"\n.EX\n  tool one\n.EE\n"))
    #expect(
      pages.last?.text.description == """
        .TH TOOL\\-BOTH 1 "" "tool 1" "tool"
        .SH "NAME"
        tool\\-both \\- Do both
        .SH "SYNOPSIS"
        tool both [COMMAND] [FILE] [options]
        .br
        tool both on [options]
        .SH "DESCRIPTION"
        One paragraph.
        .PP
        Another.
        .SH "ARGUMENTS"
        .TP
        \\fI[FILE]\\fR
        The file: a, b.
        .SH "OPTIONS"
        .TP
        \\fB\\-\\-flag\\fR
        Be it.
        .SH "COMMANDS"
        .SS "tool both on"
        Do on.
        .PP
        .EX
          tool on
        .EE
        .SH "GENERAL OPTIONS"
        .TP
        \\fB\\-q, \\-\\-quiet\\fR
        Say less.
        .TP
        \\fB\\-h, \\-\\-help\\fR
        Show help for a command.
        .TP
        \\fB\\-\\-version\\fR
        Show the version.
        .SH "EXAMPLE"
        .EX
          tool both
          tool both on
        .EE
        .SH "SEE ALSO"
        .BR tool (1)

        """)
  }

  @Test func `is found along its words`() {
    #expect(Self.tool.commands(along: ["both", "on"])?.map(\.name) == ["tool", "both", "on"])
    #expect(Self.tool.commands(along: ["both", "off"]) == nil && Self.tool.commands(along: [])?.count == 1)
    #expect(Self.tool.descendants.map(\.name) == ["tool", "one", "two", "three", "gone", "both", "on"])
    #expect(Self.tool.subcommand(named: "gone")?.isHidden == true)
  }

  @Test func `has nodes for completions, with the options of all above`() {
    let nodes = CompletionNode.all(Self.tool)
    #expect(nodes.map(\.path) == ["tool", "tool one", "tool two", "tool three", "tool both", "tool both on"])
    #expect(nodes.last?.options.map(\.name) == ["quiet", "flag", "help", "version"])
    #expect(nodes[4].words == ["on", "a", "b"] && nodes[0].words == ["one", "two", "three", "both"])
    func node(_ values: ValueHint...) -> CompletionNode {
      let arguments = values.map { CommandArgument("A", "S", values: $0) }
      return CompletionNode(
        path: "t", command: Command("t", summary: "S", example: "E", arguments: arguments), options: [])
    }
    #expect(node(.file).takesPaths && node(.anything, .directory).takesPaths && !node(.choices(["a"])).takesPaths)
    #expect(node(.printed(by: ["a"]), .printed(by: ["b"]), .printed(by: ["a"])).sources == [["a"], ["b"]])
    #expect(node(.file).sources.isEmpty && node(.suggestions(["x"])).words == ["x"])
  }
}
