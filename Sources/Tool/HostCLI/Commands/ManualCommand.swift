import CommandLineTool
import CommandRuntime
import JSON

/// `host manual`: the manual pages of the tool, for `man`.
enum ManualCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "manual", summary: "Write manual pages for man into a folder",
    discussion: "One page of the tool and one of each command. Pages of these names that are there are written anew.",
    example: "host manual ~/.local/share/man/man1",
    arguments: [CommandArgument("DIR", "The folder, which has to be there", values: .directory)])

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
