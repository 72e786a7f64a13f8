import CommandLineTool
import ContentServer
import HTTPServer
import HostCLI

/// `host serve content`: a stand-in for an AEM Publish.
enum LocalContentServer: LocalServer {
  static let command = Command(
    "content", summary: "Serve adventures as an AEM Publish would",
    discussion: "Prints “ready http://127.0.0.1:PORT” and serves until it is interrupted.",
    example: "host serve content --port 0",
    options: [
      .value("port", "N", "The port; 0 takes any free one", default: "4503"),
      .value("root", "DIR", "Serve adventures.json and images of a folder", values: .directory),
      .value("auth", "KIND", "Who may ask", default: "none", values: .choices(["none", "basic", "token"])),
      .value("user", "NAME", "The user name for --auth basic", default: "admin"),
      .flag("author", "Behave as an author instance: shorter caching"),
    ]
      + CommandOption.secret(
        "password", "The password for --auth basic, else admin", environment: "ANNEX_SERVE_PASSWORD")
      + CommandOption.secret("token", "The token for --auth token, else local-token", environment: "ANNEX_SERVE_TOKEN"))

  static func run(_ parsed: ParsedCommand, ready: @escaping @Sendable (ServerAddress) -> Void) async throws {
    try await ContentServer(configuration: configuration(parsed)).run(ready: ready)
  }

  private static func configuration(_ parsed: ParsedCommand) throws -> ContentServer.Configuration {
    let authentication: ContentServer.Configuration.Authentication =
      switch parsed.value("auth") {
      case "basic":
        .basic(username: parsed.value("user") ?? "admin", password: try parsed.secret("password") ?? "admin")
      case "token": .token(try parsed.secret("token") ?? "local-token")
      default: .none
      }
    return ContentServer.Configuration(
      port: try parsed.integer("port", in: 0...65535) ?? 4503, root: parsed.value("root"),
      authentication: authentication, isAuthor: parsed.flag("author"))
  }
}
