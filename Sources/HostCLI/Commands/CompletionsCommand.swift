import CommandLineTool

/// `host completions`: a completion script for a shell.
enum CompletionsCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "completions", summary: "Print a completion script for a shell",
    example: "host completions bash > ~/.local/share/bash-completion/completions/host",
    arguments: [
      CommandArgument(
        "SHELL", "The shell: bash, zsh or fish", values: .choices(CompletionShell.allCases.map(\.rawValue)))
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard let shell = invocation.parsed.argument("SHELL").flatMap(CompletionShell.init(rawValue:)) else {
      return .usage
    }
    invocation.console.write(shell.script(for: invocation.tool.tree))
    return .success
  }
}
