import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A help page` {
  @Test func `shows usage, options, general options and the example`() throws {
    let commands = try #require(SampleTool.root.commands(along: ["list"]))
    #expect(
      Help.page(commands, width: 80) == """
        List the extensions.

        Usage: host list [options]

        Options:
          -p, --point POINT  Only those at a point: today, share, action
          -A, --all          Show every version
          -D, --duplicates   Show duplicates
          -n, --limit N      At most N rows; else 20

        General options:
              --json           Print one JSON document (or one per line) and nothing
                               else
              --home DIR       The folder where state is kept; else the variable
                               ANNEX_HOME
              --manifests DIR  Add a folder of manifests, or a bundle; may be repeated
          -q, --quiet          Leave out notes and progress
              --verbose        Say more about what happens
          -h, --help           Show help for a command
              --version        Show the version

        Example:
          host list -p share

        """)
  }

  @Test func `lists the commands but not the hidden ones`() {
    let page = Help.page([SampleTool.root, SampleTool.defaults]).description
    #expect(page.contains("  read  Read values"))
    #expect(!page.contains("secret"))
    #expect(page.contains("Usage: host defaults COMMAND [options]"))
  }

  @Test func `exists for every command, with its example`() {
    for (page, command) in pages([SampleTool.root]) {
      #expect(page.contains(command.example))
      #expect(page.split(separator: "\n").allSatisfy { $0.last != " " })
    }
  }

  private func pages(_ commands: [Command]) -> [(String, Command)] {
    guard let command = commands.last else { return [] }
    return [(Help.page(commands).description, command)] + command.subcommands.flatMap { pages(commands + [$0]) }
  }
}
