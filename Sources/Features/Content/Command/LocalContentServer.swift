import CommandLineTool
import CommandRuntime
import ContentRepository
import ContentServer
import ExtensionProtocol
import HTTPServer

/// `host serve content`: a stand-in for AEM.
enum LocalContentServer: LocalServer {
  static let command = Command(
    "content", summary: "Serve content as AEM would",
    discussion: """
      Prints “ready http://127.0.0.1:PORT” and runs until you press Ctrl-C. With --root it reads the folder again \
      when a file changes. After a mistake it names file, line and column, and serves the last correct content.
      """,
    example: "host serve content --port 0",
    options: [
      .value("port", "N", "The port (default: 4503, with --author 4502); 0 takes any free one"),
      .value("root", "DIR", "Serve the models, fragments, queries and pictures of a folder", values: .directory),
      .value(
        "auth", "KIND", "What clients need: nothing, a user name and password, or a token", default: "none",
        values: .choices(["none", "basic", "token"])),
      .value("user", "NAME", "The user name for --auth basic", default: "admin"),
      .flag("author", "Behave as an author instance: shorter caching"),
      .flag("no-dynamic-urls", "Leave out “_dynamicUrl”, as a local AEM does"),
      .value(
        "fault", "KIND[:QUERY[:COUNT]]",
        "Make a query fail, always or COUNT times: \(ContentFault.kinds.joined(separator: ", ")), slow=SECONDS",
        isRepeatable: true),
      .flag("replace-queries", "Let PUT replace a persisted query of the same name, instead of 409"),
      .allowFetch, .allowOrigin,
    ]
      + CommandOption.secret(
        "password", "The password for --auth basic, else admin", environment: "ANNEX_SERVE_PASSWORD")
      + CommandOption.secret("token", "The token for --auth token, else local-token", environment: "ANNEX_SERVE_TOKEN"))

  static func run(_ invocation: Invocation, ready: @escaping @Sendable (String) -> Void) async throws {
    let parsed = invocation.parsed
    let console = Console.standard(verbosity: parsed.flag("quiet") ? .quiet : .normal, environment: [:])
    var configuration = try configuration(parsed, console)
    configuration.requestLog = invocation.requestLog
    configuration.door.allowedOrigins = try invocation.allowedOrigins()
    configuration.door.admitsFetches = parsed.flag("allow-fetch")
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
    try await invocation.serve(
      server, as: "content", admitsFetches: configuration.door.admitsFetches, ready: ready)
  }

  static func introduction(_ invocation: Invocation, at url: String) -> [ShownText] {
    let root = invocation.parsed.value("root")
    let place = url.hasSuffix(":4503") ? "" : "AEM_SCHEME=http AEM_HOST=\(url.trimmingPrefix("http://")) "
    return [
      root.map { "Serves the content of the folder \($0), and each edit of its files." }
        ?? "Serves the built-in content.",
      "In another terminal try: \(place)host content list",
    ]
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
    configuration.replacesQueries = parsed.flag("replace-queries")
    configuration.reloaded = { problems in
      for problem in problems { console.warn("\(problem.description)") }
      console.note(problems.isEmpty ? "Read the content again." : "The last correct content stays in use.")
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
