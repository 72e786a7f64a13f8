import CommandLineTool
import ExtensionProtocol
import HTTPServer
import JSONRPC

/// `host serve`: the local servers of the features.
enum ServeCommand: HostSubcommand {
  static let section = CommandSection.develop

  /// The servers are added by the tool.
  static let command = Command("serve", summary: "Run a local server", example: "host serve content --port 4503")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    let servers = invocation.tool.features.flatMap { $0.servers }
    guard let server = servers.first(where: { $0.command.name == invocation.parsed.path[1] }) else { return .usage }
    do {
      try await server.run(invocation.parsed) { address in
        if invocation.wantsJSON {
          invocation.printJSONLine(["ready": .string(address.url)])
        } else {
          invocation.console.print("ready \(address.url)")
        }
      }
    } catch let error as HTTPServerError {
      throw ExtensionError(.serviceUnavailable, error.message, recovery: error.recovery)
    }
    return .success
  }
}
