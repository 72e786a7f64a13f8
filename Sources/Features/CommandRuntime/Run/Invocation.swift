package import CommandLineTool
package import EventLoop
package import ExtensionHosting
package import ExtensionProtocol
import HostServices
package import JSON

/// One run of a command: its command line, its console and its environment.
package struct Invocation: Sendable {
  /// The tool, with the features that it was built with.
  package let tool: HostTool
  /// The parsed command line.
  package let parsed: ParsedCommand
  /// The standard output and error streams.
  package let console: Console
  /// The environment variables of the process.
  package let environment: [String: String]
  /// The event loop of the command.
  package let loop: EventLoop
  /// The notice of a first SIGINT, SIGTERM or SIGHUP.
  package let interruption: Interruption
  /// What is typed at the terminal, and whose turn it is to be answered.
  package let input: TerminalInput
  let settingsFile = SettingsFile()
  /// The tasks that run beside the command and end with it.
  package let background = Background()
  /// The recording that `--trace` asks for; written when the command has run.
  package var trace: TraceFile?

  /// Creates the invocation of a parsed command.
  package init(
    _ tool: HostTool, parsed: ParsedCommand, console: Console, environment: [String: String], loop: EventLoop,
    interruption: Interruption = Interruption()
  ) {
    self.tool = tool
    self.parsed = parsed
    self.console = console
    self.environment = environment
    self.loop = loop
    self.interruption = interruption
    input = TerminalInput(on: loop)
    trace = parsed.value("trace").map { TraceFile(path: $0) }
  }

  /// Whether the output is to be JSON, by the option `--json`.
  package var wantsJSON: Bool { parsed.flag("json") }

  /// Returns the state directory.
  package func state() throws(ExtensionError) -> StateDirectory {
    try StateDirectory(environment: environment, home: parsed.value("home"))
  }

  /// The extension point that `--point` names.
  package func point() throws(CommandLineError) -> ExtensionPoint? {
    guard let name = parsed.value("point") else { return nil }
    return try ((try? points()) ?? Features.points).required(name)
  }

  /// Whether the command line names one of a command's subcommands; when it does not, they are listed.
  package func namesSubcommand() -> Bool {
    if parsed.path.count == 2 { return true }
    if wantsJSON {
      let tool = parsed.commands.map(\.name).joined(separator: " ")
      console.print(json: Failure.usage(.noCommand(of: tool)).json)
      return false
    }
    console.write(Help.page(parsed.commands, width: console.terminal.width ?? 80))
    return false
  }

  /// One JSON document on standard output.
  package func printJSON(_ value: JSONValue) { console.print(json: ShownText(json: JSONCoding.prettyText(of: value))) }

  /// One JSON document on a line of its own, of several.
  package func printJSONLine(_ value: JSONValue) { console.print(json: ShownText(json: JSONCoding.text(of: value))) }
}

extension ValueHint {
  /// The identifier of an extension or an app.
  package static let identifier = printed(by: ["completions", "identifiers"])
}

extension CommandOption {
  /// `--point`, by short name or identifier.
  package static func point(_ summary: String) -> CommandOption {
    .value("point", short: "p", "POINT", summary, values: .suggestions(Features.points.definitions.map(\.shortName)))
  }

  /// `--with ID`
  package static let with = value("with", "ID", "The extension to use, when several match", values: .identifier)
  /// `-o FILE`, for what an extension returns
  package static let returned = value("output", short: "o", "FILE", "Write what is returned to a file", values: .file)
  /// `--text T`
  package static let text = value("text", "TEXT", "A text to pass")
  /// `--url U`
  package static let url = value("url", "URL", "A web address to pass, or the file: address of a file")
  /// `--title T`
  package static let title = value("title", "TEXT", "The title of the item")
  /// `--store URL`
  package static let store = value(
    "store", "URL", "The PostgreSQL database of the group store, without a password", environment: "ANNEX_STORE")
  /// `--config FILE`
  package static let config = value("config", "FILE", "The xcconfig file that names the AEM host", values: .file)
}

extension CommandLineError {
  /// The error for a command line that ends where a subcommand has to be named.
  package static func noCommand(of tool: String) -> CommandLineError {
    CommandLineError("\(tool) needs a command.", help: "Run “\(tool) --help” to see its commands.")
  }
}

extension CommandOption {
  /// `--consent ask|grant|deny`, for every command that runs extensions.
  package static let consent = value(
    "consent", "HOW", "What becomes of permissions that are undecided", environment: "ANNEX_CONSENT", default: "ask",
    values: .choices(["ask", "grant", "deny"]))
}

extension Invocation {
  /// What the user allows extensions, with a way to ask: the one that is given, else the terminal where there is one, and a
  /// page that another command serves.
  func permissions(
    _ state: StateDirectory, asking ask: (@Sendable (PermissionQuestion) async -> Consent.Answer)? = nil
  ) -> PermissionAuthority {
    let consent: Consent =
      switch parsed.value("consent") {
      case "grant": .grant
      case "deny": .deny
      default: .ask(ask ?? UserQuestion(self, state).ask)
      }
    return PermissionAuthority(state: state, consent: consent, log: ConsoleLog(console))
  }

  /// Runs a local server. When its port is open, prints where it listens: `ready URL`, or an object on one line. The lines
  /// of the introduction follow on standard error.
  ///
  /// - Parameters:
  ///   - introduction: what the server serves and what to try, given the server's URL.
  ///   - run: serves until the task is cancelled, and calls `ready` once.
  package func serving(
    introduction: @escaping @Sendable (_ url: String) -> [ShownText],
    _ run: (_ ready: @escaping @Sendable (_ url: String) -> Void) async throws -> Void
  ) async throws {
    do {
      try await run { url in
        if wantsJSON { return printJSONLine(["ready": .string(url)]) }
        console.print("ready \(url)")
        for line in introduction(url) { console.note(line) }
        console.note("Press Ctrl-C to end.")
      }
    } catch let error as any LocalServerFailure {
      throw ExtensionError(.serviceUnavailable, error.message, recovery: error.recovery)
    }
  }

  /// What a local server does with a line for each request: writes it to standard error at a terminal and with `--verbose`.
  /// `nil` elsewhere, where nobody may read standard error and a full pipe would stop the server.
  package var requestLog: (@Sendable (_ line: String) -> Void)? {
    let isAtTerminal = console.verbosity == .normal && console.errorTerminal.isTerminal
    guard isAtTerminal || console.verbosity == .verbose else { return nil }
    let console = console
    return { line in console.note("\(line)") }
  }

  /// The variable of the environment by which `host dev` tells the commands that it starts where its author's files are.
  package static let authorVariable = "ANNEX_AUTHOR_PATHS"

  /// Whether `host dev` started the command, so that what an author should correct is an error.
  package var isForAuthor: Bool { environment[Self.authorVariable] != nil }

  /// Whether `--json` prints one object a line, so that an error is one too.
  var streamsJSON: Bool {
    parsed.flag("watch") || parsed.flag("stream") || parsed.flag("follow") || parsed.path.last == "watch"
  }

  /// Runs what goes on until it is interrupted. All such commands end alike: with the status of the signal, and without a
  /// word on either stream.
  package func watching(_ body: () async throws -> Void) async throws -> ExitStatus {
    do { try await body() } catch { if !Task.isCancelled { throw error } }
    return Task.isCancelled ? .failure : .success
  }
}
