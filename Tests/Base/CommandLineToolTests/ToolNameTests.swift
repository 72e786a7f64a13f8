import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The name that a tool was called by` {
  private let name = ToolName("annex", of: SampleTool.root)

  @Test(arguments: [
    ("Run “host list” to see them.", "Run “annex list” to see them."),
    ("host list | host share -", "annex list | annex share -"),
    ("host --version", "annex --version"),
    ("The host list is short; a host has extensions.", "The annex list is short; a host has extensions."),
    ("localhost list, /usr/bin/host list, my-host list", "localhost list, /usr/bin/host list, my-host list"),
    ("host serves, host: list", "host serves, host: list"),
    ("“host ", "“host "),
  ])
  func `stands in command lines and nowhere else`(text: String, expected: String) {
    #expect(name.applied(to: text) == expected)
  }

  @Test func `stands in the whole tree`() throws {
    let tree = name.applied(to: SampleTool.root)
    #expect(tree.name == "annex")
    for command in tree.descendants { #expect(command.example.hasPrefix("annex "), "\(command.name)") }
    #expect(tree.subcommands.map(\.section) == SampleTool.root.subcommands.map(\.section))
    #expect(name.applied(to: SampleTool.root.alsoTried(as: "ls")).otherNames == ["ls"])
    #expect(Help.page([tree]).description.contains("Usage: annex COMMAND"))
  }
}
