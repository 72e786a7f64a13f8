import CommandLineTool
import CommandRuntime
import ExtensionHosting
import JSON

/// `host completions`: a completion script for a shell.
enum CompletionsCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "completions", summary: "Print a completion script for a shell",
    example: "host completions bash > ~/.local/share/bash-completion/completions/host",
    arguments: [
      CommandArgument(
        "SHELL", "The shell: bash, zsh or fish", values: .choices(CompletionShell.allCases.map(\.rawValue)))
    ],
    subcommands: [
      Command(
        "identifiers", summary: "Print the identifiers of apps and extensions, one a line, for the scripts",
        example: "host completions identifiers", isHidden: true)
    ])

  /// A script completes every command, and the tool itself knows only its own; identifiers are asked for at each Tab.
  static func needsLibraries(_ invocation: Invocation) -> Bool { invocation.parsed.path.last != "identifiers" }

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    if invocation.parsed.path.last == "identifiers" { return try printIdentifiers(invocation) }
    guard let shell = invocation.parsed.argument("SHELL").flatMap(CompletionShell.init(rawValue:)) else {
      return .usage
    }
    guard !invocation.wantsJSON else {
      throw CommandLineError("A completion script is not JSON.", help: "Leave out --json.")
    }
    invocation.console.write(shell.script(for: invocation.tool.tree))
    return .success
  }

  /// Only what is plain in every shell: some of them expand what they complete from.
  private static func printIdentifiers(_ invocation: Invocation) throws -> ExitStatus {
    let identifiers = Set(try invocation.registry().entries.map(\.identifier)).filter { $0 == shellWord($0) }.sorted()
    if invocation.wantsJSON {
      invocation.printJSON(.array(identifiers.map { .string($0) }))
    } else {
      for identifier in identifiers { invocation.console.print("\(identifier)") }
    }
    return .success
  }
}
