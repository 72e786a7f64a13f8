import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Glibc
import JSON
import JSONRPC
import Sandbox

/// `host sandbox run`: any program in exactly the sandbox that an extension would get.
enum SandboxCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "sandbox", summary: "Run a program in the sandbox of an extension",
    example: "host sandbox run -- /bin/cat /etc/passwd",
    subcommands: [
      Command(
        "run", summary: "Run a program as if it were an extension",
        discussion: """
          The program gets what an extension of the point would get and nothing else: its own file, the system's \
          libraries, a scratch directory to start in, and a container as its HOME. The command passes its three \
          streams on and exits with its status, or with 128 and the number of a signal. On a terminal its control \
          characters are shown, not obeyed. Files that its arguments name are not granted; --bundle grants a folder \
          for reading and executing. A script needs --interpreter.

          With --json the command captures what the program writes, up to 1 MiB of each stream, and prints one \
          document: {command, tier, seconds, exit, signal or limit, reason, output, errors}.

          A program that uses more memory, threads, disk space or processor time than an extension of the point may \
          is ended with status 137.
          """,
        example: "host sandbox run --tier light -- /usr/bin/python3 -c 'print(open(\"/etc/passwd\").read())'",
        options: [
          .point("The point whose limits apply (default: today)"),
          .value(
            "tier", "TIER", "A tier that this machine offers, weaker ones on purpose",
            values: .choices(SandboxTier.allCases.reversed().map(\.rawValue))),
          .value("container", "DIR", "A folder to keep as its container, made when absent", values: .directory),
          .value("bundle", "DIR", "A folder to read and execute from", values: .directory),
          .flag("jit", "Let it write code to memory and run it, as JavaScript engines do"),
          .value("interpreter", "PATH", "The program that runs COMMAND, a script", values: .file),
        ],
        arguments: [CommandArgument("COMMAND", "The program and its arguments, after --", .some, values: .file)])
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let words = invocation.parsed.arguments("COMMAND")
    let program = try ConfinedProgram(
      command: words, interpreter: invocation.parsed.value("interpreter"), search: invocation.environment["PATH"] ?? "")
    let place = try ConfinedPlace(invocation)
    defer { place.remove() }
    let launcher = try ExtensionHost.findLauncher(state: invocation.state())
    let capabilities = try capabilities(invocation, launcher)
    let outcome = try await run(
      place.policy(for: program), capabilities, launcher, place, capturing: invocation.wantsJSON, on: invocation)
    if invocation.wantsJSON {
      var document: JSONObject = ["command": .array(words.map { .string($0) })]
      for (name, value) in outcome.document { document[name] = value }
      invocation.printJSON(.object(document))
    } else if case .refused(let failure) = outcome.end {
      let error = SandboxError.launchFailed(failure)
      invocation.console.fail("\(error.message)", help: "\(error.recovery)")
    } else if let reason = outcome.reason {
      invocation.console.note("sandbox: \(reason)")
    }
    return outcome.status
  }

  private static func capabilities(_ invocation: Invocation, _ launcher: Launcher) throws -> SandboxCapabilities {
    do {
      let best = try SandboxProbe(launcher: launcher).run()
      guard let name = invocation.parsed.value("tier"), let tier = SandboxTier(rawValue: name) else { return best }
      let chosen = try best.lowered(to: tier)
      if tier != best.tier {
        invocation.console.note(
          "sandbox: tier \(tier.rawValue), on purpose weaker than \(best.tier.rawValue), which this machine offers.")
      }
      return chosen
    } catch {
      throw ExtensionError(.sandboxUnavailable, error.message, recovery: error.recovery)
    }
  }

  private static func run(
    _ policy: SandboxPolicy, _ capabilities: SandboxCapabilities, _ launcher: Launcher, _ place: ConfinedPlace,
    capturing: Bool, on invocation: Invocation
  ) async throws -> ConfinedOutcome {
    let process: SandboxedProcess
    do {
      process = try LaunchPlan(
        policy: policy, capabilities: capabilities, launcher: launcher
      ).spawn()
    } catch {
      let code: ExtensionError.Code =
        switch error.code {
        case .system, .launchFailed, .statusMalformed: .launchFailed
        case .sandboxUnavailable: .sandboxUnavailable
        default: .extensionInvalid
        }
      throw ExtensionError(code, error.message, recovery: error.recovery)
    }
    let run = ConfinedRun(
      process, output: target(STDOUT_FILENO, invocation.console.terminal, capturing),
      errors: target(STDERR_FILENO, invocation.console.errorTerminal, capturing),
      resources: ResourceWatch(program: place.limits, folders: place.writable, loop: invocation.loop),
      loop: invocation.loop)
    return try await run.outcome(tier: capabilities.tier)
  }

  private static func target(_ descriptor: Int32, _ terminal: Terminal, _ capturing: Bool) -> StreamRelay.Target {
    if capturing { return .capture }
    return terminal.isTerminal ? .terminal(descriptor) : .descriptor(descriptor)
  }
}
