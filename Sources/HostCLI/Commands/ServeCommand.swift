import CommandLineTool
import ContentServer
import ExtensionProtocol
import FileServer
import HTTPServer
import JSONRPC

/// `host serve`: the local servers.
enum ServeCommand: HostSubcommand {
  static let command = Command(
    "serve", summary: "Run a local server", example: "host serve content --port 4503",
    subcommands: [
      Command(
        "content", summary: "Serve adventures as an AEM Publish would",
        discussion: "Prints “ready http://127.0.0.1:PORT” and serves until it is interrupted.",
        example: "host serve content --port 0",
        options: [
          .value("port", "N", "The port; 0 takes any free one", default: "4503"),
          .value("root", "DIR", "Serve adventures.json and images of a folder", values: .directory),
          .value("auth", "KIND", "Who may ask", default: "none", values: .choices(["none", "basic", "token"])),
          .value("user", "NAME", "The user name for --auth basic", default: "admin"),
          .value("password", "TEXT", "The password for --auth basic", default: "admin"),
          .value("token", "TEXT", "The token for --auth token", default: "local-token"),
          .flag("author", "Behave as an author instance: shorter caching"),
        ]),
      Command(
        "files", summary: "Serve the files of a folder, to read and to write",
        discussion: "Prints “ready http://127.0.0.1:PORT” and serves until it is interrupted.",
        example: "host serve files --root documents --port 0",
        options: [
          .value("port", "N", "The port; 0 takes any free one", default: "4504"),
          .value("root", "DIR", "The folder", default: ".", values: .directory),
          .value("token", "TEXT", "Ask for this token as “Authorization: Bearer TOKEN”"),
        ]),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    let ready = { (address: ServerAddress) in
      if invocation.wantsJSON {
        invocation.console.print(JSONValue.object(["ready": .string(address.url)]).description)
      } else {
        invocation.console.print("ready \(address.url)")
      }
    }
    do {
      if invocation.parsed.path[1] == "files" {
        try await fileServer(invocation.parsed).run(ready: ready)
      } else {
        try await ContentServer(configuration: configuration(invocation.parsed)).run(ready: ready)
      }
    } catch let error as HTTPServerError {
      throw ExtensionError(.serviceUnavailable, error.message, recovery: error.recovery)
    }
    return .success
  }

  private static func fileServer(_ parsed: ParsedCommand) throws -> FileServer {
    let root = parsed.value("root") ?? "."
    do {
      return try FileServer(
        configuration: FileServer.Configuration(
          port: parsed.integer("port", in: 0...65535) ?? 4504, root: root, token: parsed.value("token")))
    } catch let failure as FileTree.Failure {
      throw InputError(message: "Cannot serve \(failure.message)")
    }
  }

  private static func configuration(_ parsed: ParsedCommand) throws -> ContentServer.Configuration {
    let authentication: ContentServer.Configuration.Authentication =
      switch parsed.value("auth") {
      case "basic":
        .basic(username: parsed.value("user") ?? "admin", password: parsed.value("password") ?? "admin")
      case "token": .token(parsed.value("token") ?? "local-token")
      default: .none
      }
    return ContentServer.Configuration(
      port: try parsed.integer("port", in: 0...65535) ?? 4503, root: parsed.value("root"),
      authentication: authentication, isAuthor: parsed.flag("author"))
  }
}
