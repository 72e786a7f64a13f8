import CommandLineTool
package import CommandRuntime
package import Conformance
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import JSON
import Text

/// The `host` command: understands the command line, runs the command, and maps what goes wrong to an exit status.
package struct HostCommand: Sendable {
  let features: [any CommandFeature.Type]
  let checks: CheckList
  let libraries: (any ToolLibraries)?

  /// The tool with some features. Without any it still lists, registers, verifies and confines extensions.
  ///
  /// - Parameters:
  ///   - features: what has commands of its own.
  ///   - checks: what `host conform` tries.
  ///   - libraries: what the second program is linked with; `nil` for the tool itself, which hands over to the second
  ///     program what it has no command for.
  package init(features: [any CommandFeature.Type], checks: CheckList, libraries: (any ToolLibraries)?) {
    self.features = features
    self.checks = checks
    self.libraries = libraries
  }

  /// The commands that belong to no feature, in the order of the help.
  private static let ownSubcommands: [any HostSubcommand.Type] = [
    ListCommand.self,
    AppsCommand.self,
    AddCommand.self,
    RemoveCommand.self,
    ElectCommand.self,
    VerifyCommand.self,
    ServeCommand.self,
    TraceCommand.self,
    ReplayCommand.self,
    NewCommand.self,
    BundleCommand.self,
    DevCommand.self,
    ConformCommand.self,
    PointsCommand.self,
    CallCommand.self,
    SandboxCommand.self,
    CompletionsCommand.self,
    ManualCommand.self,
    DoctorCommand.self,
    WhyCommand.self,
    LogsCommand.self,
    StatsCommand.self,
    RestartCommand.self,
    ResetCommand.self,
  ]

  /// Those of them that only the second program has: they run extensions with the services of all features, or describe
  /// the whole tool.
  private static let secondSubcommands: [any HostSubcommand.Type] = [
    ServeCommand.self, TraceCommand.self, ReplayCommand.self, ConformCommand.self, CallCommand.self,
    ManualCommand.self, DoctorCommand.self,
  ]

  private var subcommands: [any HostSubcommand.Type] {
    let own = Self.ownSubcommands.filter { command in
      libraries != nil || !Self.secondSubcommands.contains { $0 == command }
    }
    return own + features.flatMap { $0.commands }
  }

  /// Whether the tool itself cannot do what a command line asks for. A command line that it does not understand goes to
  /// the second program too, which knows every command and what is like a misspelt one.
  private func needsSecondProgram(_ words: [String], environment: [String: String], loop: EventLoop) -> Bool {
    guard libraries == nil else { return false }
    let tree = named.tree
    guard let parsed = try? CommandLineParser(tree).parse(words, environment: environment) else { return true }
    if parsed.request == .version { return false }
    guard let subcommand = subcommands.first(where: { $0.command.name == parsed.path.first }) else { return true }
    if parsed.request == .help { return false }
    if let store = parsed.value("store"), !store.isEmpty, store != environment["ANNEX_STORE"] { return true }
    let invocation = Invocation(
      HostTool(features: features, checks: checks, libraries: nil, tree: tree), parsed: parsed,
      console: .standard(verbosity: .quiet, environment: environment), environment: environment, loop: loop)
    return subcommand.needsLibraries(invocation)
  }

  /// The tree, and the name that the tool was called by: its own, or the other one that it is installed under.
  private var named: (tree: Command, toolName: ToolName) {
    let own = ownTree
    let isAnnex = CommandLine.arguments.first?.pathParts().last == "annex"
    let name = ToolName(isAnnex ? "annex" : own.name, of: own)
    return (name.applied(to: own), name)
  }

  private var ownTree: Command {
    let commands = CommandSection.allCases.flatMap { section in
      subcommands.filter { $0.section == section }.map { subcommand in
        var command = subcommand.command
        if subcommand == ServeCommand.self { command.subcommands = features.flatMap { $0.servers }.map { $0.command } }
        command.section = section.rawValue
        return command
      }
    }
    return Command(
      "host", summary: "Run app extensions, each in its own sandbox",
      example: "host today", options: CommandOption.standard + [.store, .consent], subcommands: commands)
  }

  /// Runs the process's own command line on the main thread and ends the process.
  package func main() -> Never {
    signal(SIGPIPE, SIG_IGN)
    let loop: EventLoop
    do throws(EventLoopError) {
      loop = try EventLoop(opening: EventLoop.defaultSpin)
    } catch {
      let failure = ExtensionError(error)
      Console.standard(verbosity: .normal, environment: [:])
        .fail("\(failure.message)", help: failure.recovery.map { "\($0)" })
      exit(ExitStatus.systemError.rawValue)
    }
    // Swift reads the arguments from there, and would find none.
    guard access("/proc/self/exe", F_OK) == 0 else {
      Console.standard(verbosity: .normal, environment: [:])
        .fail("/proc is not mounted.", help: "Mount it: mount -t proc proc /proc")
      exit(ExitStatus.unavailable.rawValue)
    }
    let words = Array(CommandLine.arguments.dropFirst())
    if let error = ForeignBytes.refusal {
      exit(usage(error, json: words.contains("--json"), environment: Environment.current).rawValue)
    }
    if needsSecondProgram(words, environment: Environment.current, loop: loop) {
      exit(SecondProgram().takeOver(json: words.contains("--json")).rawValue)
    }
    let interruption = Interruption()
    let status = loop.run {
      let outcome = await StopSignal.withCancellation(on: loop, interruption: interruption) {
        await run(words, environment: Environment.current, loop: loop, interruption: interruption)
      }
      // A server that was asked to end has done what it should; anything else was interrupted.
      if let signal = outcome.signal ?? interruption.signal, outcome.value != .success { return 128 + signal }
      return outcome.value?.rawValue ?? ExitStatus.software.rawValue
    }
    exit(status)
  }

  /// Runs one command line.
  func run(
    _ words: [String], environment: [String: String], loop: EventLoop, interruption: Interruption = Interruption()
  ) async -> ExitStatus {
    let parsed: ParsedCommand
    let (tree, toolName) = named
    do {
      parsed = try CommandLineParser(tree).parse(words, environment: environment)
    } catch {
      return usage(error, json: words.contains("--json"), environment: environment)
    }
    let verbosity: Console.Verbosity = parsed.flag("quiet") ? .quiet : parsed.flag("verbose") ? .verbose : .normal
    var console = Console.standard(verbosity: verbosity, environment: environment)
    console.toolName = toolName
    console.advisedOptions = parsed.values("manifests").map { ("manifests", $0) }
    if let home = parsed.value("home"), home != environment["ANNEX_HOME"] {
      console.advisedOptions.append(("home", home))
    }
    if let store = Invocation.advisedStore(
      parsed.value("store"), environment: environment, libraries: libraries)
    {
      console.advisedOptions.append(("store", store))
    }
    console.authorPaths = AuthorPaths.read(environment)
    let status: ExitStatus
    switch parsed.request {
    case .help where words.contains("--json"):
      return usage(.helpAsJSON, json: true, environment: environment)
    case .version where words.contains("--json"):
      let version: JSONValue = [
        "version": .string(HostTool.version), "protocol": .array(ProtocolVersion.supported.map { .string($0) }),
      ]
      console.print(json: ShownText(json: JSONCoding.prettyText(of: version)))
      status = .success
    case .help:
      console.write(Help.page(parsed.commands, width: console.terminal.width ?? 80))
      status = .success
    case .version:
      console.print("\(tree.name) \(HostTool.version) (protocol \(ProtocolVersion.supported.joined(separator: ", ")))")
      status = .success
    case .run:
      status = await run(
        Invocation(
          HostTool(features: features, checks: checks, libraries: libraries, tree: tree), parsed: parsed,
          console: console, environment: environment, loop: loop, interruption: interruption))
    }
    guard let failure = console.outputFailure else { return status }
    console.fail(
      "Cannot write to standard output: \(SystemError(failure)).",
      help: "Check the space and the file that it leads to.")
    return .ioError
  }

  /// Runs the command of an invocation. One that names none is refused when its words are read.
  func run(_ invocation: Invocation) async -> ExitStatus {
    guard let name = invocation.parsed.path.first,
      let subcommand = subcommands.first(where: { $0.command.name == name })
    else {
      return usage(.noCommand(of: invocation.tool.tree.name), json: invocation.wantsJSON, on: invocation.console)
    }
    do {
      let outcome: Result<ExitStatus, any Error>
      do {
        outcome = .success(
          try await invocation.background.beside(on: invocation.loop) { try await subcommand.run(invocation) })
      } catch {
        outcome = .failure(error)
      }
      return try invocation.trace?.write(after: outcome, for: invocation) ?? outcome.get()
    } catch let error as CommandLineError {
      return usage(error, json: invocation.wantsJSON, on: invocation.console)
    } catch {
      return Failure(error).print(to: invocation)
    }
  }

  private func usage(_ error: CommandLineError, json: Bool, environment: [String: String]) -> ExitStatus {
    usage(error, json: json, on: Console.standard(verbosity: .normal, environment: environment))
  }

  private func usage(_ error: CommandLineError, json: Bool, on console: Console) -> ExitStatus {
    if json {
      console.print(json: Failure.usage(error).json)
    } else {
      console.fail(error)
    }
    return .usage
  }
}

extension CommandLineError {
  /// With `--json`, standard output holds JSON and nothing else.
  fileprivate static let helpAsJSON = CommandLineError("Help is not JSON.", help: "Leave out --json.")
}
