import CommandLineTool
import HTTPServer
import HostCLI

/// `host serve data`: what `host data emulate` runs, with the options of `host data` among its own.
enum LocalDataServer: LocalServer {
  static let command = Command(
    "data", summary: DataEmulate.command.summary, discussion: DataEmulate.discussion,
    example: "host serve data --dir dataconnect --port 0", options: DataCommand.place + DataEmulate.options)

  static func run(_ invocation: Invocation, ready: @escaping @Sendable (ServerAddress) -> Void) async throws {
    try await DataEmulate(invocation).run(ready: ready)
  }
}
