import CommandLineTool
import FileServer
import HTTPServer
import HostCLI

/// `host serve files`: the server of a file provider's documents.
enum LocalFileServer: LocalServer {
  static let command = Command(
    "files", summary: "Serve the files of a folder, to read and to write",
    discussion: "Prints “ready http://127.0.0.1:PORT” and serves until it is interrupted.",
    example: "host serve files --root documents --port 0",
    options: [
      .value("port", "N", "The port; 0 takes any free one", default: "4504"),
      .value("root", "DIR", "The folder", default: ".", values: .directory),
    ]
      + CommandOption.secret(
        "token", "Ask for this token as “Authorization: Bearer TOKEN”", environment: "ANNEX_SERVE_TOKEN"))

  static func run(_ invocation: Invocation, ready: @escaping @Sendable (ServerAddress) -> Void) async throws {
    try await server(invocation.parsed).run(ready: ready)
  }

  private static func server(_ parsed: ParsedCommand) throws -> FileServer {
    let root = parsed.value("root") ?? "."
    do {
      return try FileServer(
        configuration: FileServer.Configuration(
          port: parsed.integer("port", in: 0...65535) ?? 4504, root: root, token: parsed.secret("token")))
    } catch let failure as FileTree.Failure {
      throw InputError(message: "Cannot serve \(failure.message)")
    }
  }
}
