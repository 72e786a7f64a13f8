import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostPage
import HostServices
import SessionServices

/// `host ui`: a page in the browser for what the tool does.
enum PageCommand: HostSubcommand {
  static let command = Command(
    "ui", summary: "Open a page with the widgets, the questions and the state of extensions in a browser",
    discussion: """
      Prints “ready” and an address, opens it in a browser where there is a screen, and serves the page until you press \
      Ctrl-C. The address opens the page once: its code cannot be used a second time. Only programs of this machine reach \
      the page, and only the browser that opened it sees anything.

      Questions of extensions appear there, whichever of your programs on the same state runs them. Close the page, and \
      they stay undecided.

      With --socket the page is at a Unix socket that only your own programs reach, for a proxy of yours; it is removed at \
      the end. The proxy passes Host, Origin, Sec-Fetch-Site and cookies on. The page takes requests for localhost, and with \
      --origin also those for that name; a form needs the origin of the page itself, or the one of --origin. Who comes \
      through the proxy needs the address with its code all the same, and gets a cookie that only this page knows.
      """,
    example: "host ui --port 4510",
    options: [
      .value("port", "N", "The port (default: any free one)"),
      .value("socket", "PATH", "Listen at a Unix socket, with mode 0600, in place of a port", values: .file),
      .value("origin", "URL", "With --socket: where browsers find your proxy, such as https://page.example.com"),
      .flag("no-open", "Only print the address"),
      .value("interval", "SECONDS", "The time between two updates of a widget", default: "60"), .config,
    ]
  ).alsoTried(as: "page", "web", "browser", "dashboard")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    var configuration = PageService.Configuration()
    configuration.port = try invocation.parsed.integer("port", in: 0...65_535) ?? 0
    configuration.socket = try socket(invocation)
    configuration.origin = try origin(invocation)
    configuration.interval = .seconds(try invocation.parsed.integer("interval", in: 1...86_400) ?? 60)
    let questions = PageQuestions()
    let recorder = FrameRecorder(limit: 32 << 20, keepsNewest: true)
    let stack = try HostStack(invocation, asking: questions.ask, recorder: recorder)
    configuration.registryRecord = RegistryFile.path(in: stack.state)
    let page = PageService(
      host: stack.host, questions: questions, configuration: configuration,
      parts: [
        SessionsPage(service: stack.service()),
        AccountsPage(host: stack.host, service: stack.service(), state: stack.state),
        DataPage(invocation: invocation), BundlesPage(host: stack.host, invocation: invocation),
      ])
    try await invocation.serving(
      introduction: { _ in
        guard let path = invocation.parsed.value("socket") else {
          return ["Open this address in a browser of this machine. It opens the page once."]
        }
        return [
          "The page is at the socket \(path). Open the address through your proxy. It opens the page once."
        ]
      },
      { ready in
        try await page.run { address in
          try? addToServers(page, of: invocation)
          ready(address)
          if page.port != nil, !invocation.parsed.flag("no-open") { Browser(invocation).open(address) }
        }
      })
    return .success
  }

  private static func socket(_ invocation: Invocation) throws -> String? {
    guard let path = invocation.parsed.value("socket") else { return nil }
    if invocation.parsed.value("port") != nil {
      throw CommandLineError("--socket is in place of --port.", help: "Leave one of them out.")
    }
    return path
  }

  private static func origin(_ invocation: Invocation) throws -> String? {
    guard let origin = invocation.parsed.value("origin") else { return nil }
    guard invocation.parsed.value("socket") != nil else {
      throw CommandLineError("--origin is for a proxy, which comes by --socket.", help: "Name the socket too.")
    }
    return origin.hasSuffix("/") ? String(origin.dropLast()) : origin
  }

  /// Extensions must leave the port alone. The entry counts as long as this process runs.
  private static func addToServers(_ page: PageService, of invocation: Invocation) throws {
    guard let port = page.port else { return }
    try LocalServers(try invocation.state()).add(
      LocalServers.Entry(name: "ui", host: "127.0.0.1", port: port, admitsFetches: false))
  }
}
