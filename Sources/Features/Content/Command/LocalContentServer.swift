import CommandLineTool
import ContentRepository
import ContentServer
import ExtensionProtocol
import HTTPServer
import HostCLI

/// `host serve content`: a stand-in for AEM.
enum LocalContentServer: LocalServer {
  static let command = Command(
    "content", summary: "Serve content as AEM would",
    discussion: """
      Prints “ready http://127.0.0.1:PORT” and serves until it is interrupted. With --root it reads the folder again \
      when a file changes; what is wrong then is said with file, line and column, and the last good content is served on.
      """,
    example: "host serve content --port 0",
    options: [
      .value("port", "N", "The port, else 4503, and 4502 with --author; 0 takes any free one"),
      .value("root", "DIR", "Serve the models, fragments, queries and pictures of a folder", values: .directory),
      .value("auth", "KIND", "Who may ask", default: "none", values: .choices(["none", "basic", "token"])),
      .value("user", "NAME", "The user name for --auth basic", default: "admin"),
      .flag("author", "Behave as an author instance: shorter caching"),
      .flag("no-dynamic-urls", "Leave out “_dynamicUrl”, as a local AEM does"),
      .value(
        "fault", "KIND[:QUERY[:COUNT]]",
        "Let a query fail, all or COUNT times: \(ContentFault.kinds.joined(separator: ", ")), slow=SECONDS",
        isRepeatable: true),
    ]
      + CommandOption.secret(
        "password", "The password for --auth basic, else admin", environment: "ANNEX_SERVE_PASSWORD")
      + CommandOption.secret("token", "The token for --auth token, else local-token", environment: "ANNEX_SERVE_TOKEN"))

  static func run(_ invocation: Invocation, ready: @escaping @Sendable (ServerAddress) -> Void) async throws {
    let parsed = invocation.parsed
    let console = Console.standard(verbosity: parsed.flag("quiet") ? .quiet : .normal, environment: [:])
    let configuration = try configuration(parsed, console)
    let server: ContentServer
    do throws(ContentProblems) {
      server = try ContentServer(configuration: configuration)
    } catch {
      let (first, others) = (error.problems.first, error.problems.dropFirst())
      for problem in others { console.warn("\(problem.description)") }
      throw Failure(
        ExtensionError(
          .invalidParams, first.map { "\($0.place)\($0.message)" } ?? "The content cannot be read.",
          recovery: first?.recovery), status: .dataError)
    }
    try await server.run(ready: ready)
  }

  private static func configuration(
    _ parsed: ParsedCommand, _ console: Console
  ) throws -> ContentServer.Configuration {
    let authentication: ContentServer.Configuration.Authentication =
      switch parsed.value("auth") {
      case "basic":
        .basic(username: parsed.value("user") ?? "admin", password: try parsed.secret("password") ?? "admin")
      case "token": .token(try parsed.secret("token") ?? "local-token")
      default: .none
      }
    let isAuthor = parsed.flag("author")
    let faults = try faults(parsed)
    var configuration = ContentServer.Configuration(
      port: try parsed.integer("port", in: 0...65535) ?? (isAuthor ? 4502 : 4503), root: parsed.value("root"),
      authentication: authentication, isAuthor: isAuthor, hasDynamicURLs: !parsed.flag("no-dynamic-urls"),
      fault: { faults.next(for: $0) })
    configuration.reloaded = { problems in
      for problem in problems { console.warn("\(problem.description)") }
      console.note(problems.isEmpty ? "Read the content again." : "The last good content is served on.")
    }
    return configuration
  }

  private static func faults(_ parsed: ParsedCommand) throws -> FaultPlan<ContentFault> {
    do throws(ContentFault.Problem) {
      return try FaultPlan(parsed.values("fault"))
    } catch {
      throw CommandLineError(error.message, help: error.recovery)
    }
  }
}
