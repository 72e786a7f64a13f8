import CommandLineTool
import CommandRuntime
import JSON

/// `host manual`: the manual pages of the tool, for `man`.
enum ManualCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "manual", summary: "Write manual pages for man into a folder",
    discussion: "Writes one page for the tool and one for each command, and replaces pages of the same names.",
    example: "host manual ~/.local/share/man/man1",
    arguments: [CommandArgument("DIR", "The folder, which must exist", values: .directory)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let folder = invocation.parsed.argument("DIR") ?? "."
    var written: [String] = []
    for page in Manual(invocation.tool.tree, version: HostTool.version).pages {
      let path = "\(folder)/\(page.name).1"
      try OutputFile.write(Array(page.text.description.utf8), to: path)
      written.append(path)
    }
    if invocation.wantsJSON {
      invocation.printJSON(["pages": .array(written.map { .string($0) })])
    } else {
      for path in written { invocation.console.print("\(path)") }
    }
    return .success
  }
}
