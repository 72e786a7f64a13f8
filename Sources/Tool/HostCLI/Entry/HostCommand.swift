import CommandLineTool
package import CommandRuntime
package import Conformance
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import JSON

/// The `host` command: understands the command line, runs the command, and maps what goes wrong to an exit status.
package struct HostCommand: Sendable {
  let features: [any CommandFeature.Type]
  let checks: CheckList

  /// The tool with some features. Without any it still lists, registers, verifies, replays and confines extensions.
  ///
  /// - Parameters:
  ///   - features: what has commands of its own.
  ///   - checks: what `host conform` tries.
  package init(features: [any CommandFeature.Type], checks: CheckList) {
    self.features = features
    self.checks = checks
  }

  /// The commands that belong to no feature.
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
    StatsCommand.self,
    RestartCommand.self,
    ResetCommand.self,
  ]

  private var subcommands: [any HostSubcommand.Type] { Self.ownSubcommands + features.flatMap { $0.commands } }

  /// The tree, and the name that the tool was called by: its own, or the other one that it is installed under.
  private var named: (tree: Command, toolName: ToolName) {
    let own = ownTree
    let isAnnex = CommandLine.arguments.first?.split(separator: "/").last == "annex"
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
    let words = Array(CommandLine.arguments.dropFirst())
    if let error = ForeignBytes.refusal {
      exit(usage(error, json: words.contains("--json"), environment: Environment.current).rawValue)
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
    if let store = Invocation.advisedStore(parsed.value("store"), environment: environment) {
      console.advisedOptions.append(("store", store))
    }
    let status: ExitStatus
    switch parsed.request {
    case .help where words.contains("--json"):
      return usage(.helpAsJSON, json: true, environment: environment)
    case .version where words.contains("--json"):
      let version: JSONValue = [
        "version": .string(HostTool.version), "protocol": .array(ProtocolVersion.supported.map { .string($0) }),
      ]
      console.print(ShownText(json: JSONCoding.prettyText(of: version)))
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
          HostTool(features: features, checks: checks, tree: tree), parsed: parsed, console: console,
          environment: environment, loop: loop, interruption: interruption))
    }
    guard let failure = console.outputFailure else { return status }
    console.fail(
      "Cannot write to standard output: \(SystemError(failure)).",
      help: "Check the space and the file that it leads to.")
    return .ioError
  }

  private func run(_ invocation: Invocation) async -> ExitStatus {
    guard let name = invocation.parsed.path.first,
      let subcommand = subcommands.first(where: { $0.command.name == name })
    else {
      if invocation.wantsJSON {
        return usage(.noCommand(of: invocation.tool.tree.name), json: true, environment: invocation.environment)
      }
      invocation.console.write(Help.page([invocation.tool.tree], width: invocation.console.terminal.width ?? 80))
      return .usage
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
      return usage(error, json: invocation.wantsJSON, environment: invocation.environment)
    } catch {
      return Failure(error).print(to: invocation)
    }
  }

  private func usage(_ error: CommandLineError, json: Bool, environment: [String: String]) -> ExitStatus {
    let console = Console.standard(verbosity: .normal, environment: environment)
    if json {
      console.print(Failure.usage(error).json)
    } else {
      console.fail(error)
    }
    return .usage
  }
}

extension CommandLineError {
  /// With `--json`, standard output holds JSON and nothing else.
  fileprivate static let helpAsJSON = CommandLineError("Help is no JSON.", help: "Leave out --json.")
}
