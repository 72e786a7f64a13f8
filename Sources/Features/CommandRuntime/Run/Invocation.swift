package import CommandLineTool
package import EventLoop
package import ExtensionHosting
package import ExtensionProtocol
import HostServices
package import JSON

/// One run of a command: its command line, its console, its environment, and what they name.
package struct Invocation: Sendable {
  /// The tool, with the features that it was built with.
  package let tool: HostTool
  package let parsed: ParsedCommand
  package let console: Console
  package let environment: [String: String]
  package let loop: EventLoop
  package let interruption: Interruption
  let settingsFile = SettingsFile()
  /// What goes on beside the command and ends with it.
  package let background = Background()
  /// The recording that `--trace` asks for; written when the command has run.
  package var trace: TraceFile?

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
    trace = parsed.value("trace").map { TraceFile(path: $0) }
  }

  package var wantsJSON: Bool { parsed.flag("json") }

  /// Where state is kept.
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
      console.print(Failure.usage(.noCommand(of: tool)).json)
      return false
    }
    console.write(Help.page(parsed.commands, width: console.terminal.width ?? 80))
    return false
  }

  /// One JSON document on standard output.
  package func printJSON(_ value: JSONValue) { console.print(ShownText(json: JSONCoding.prettyText(of: value))) }

  /// One JSON document on a line of its own, of several.
  package func printJSONLine(_ value: JSONValue) { console.print(ShownText(json: JSONCoding.text(of: value))) }
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
