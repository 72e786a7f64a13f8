import CommandLineTool
import CommandRuntime

/// `host serve`: the local servers of the features.
enum ServeCommand: HostSubcommand {
  static let section = CommandSection.develop

  /// The servers are added by the tool.
  static let command = Command("serve", summary: "Run a local server", example: "host serve content --port 4503")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    let servers = invocation.tool.features.flatMap { $0.servers }
    guard let server = servers.first(where: { $0.command.name == invocation.parsed.path[1] }) else { return .usage }
    try await invocation.serving {
      server.introduction(invocation, at: $0)
    } _: {
      try await server.run(invocation, ready: $0)
    }
    return .success
  }
}
