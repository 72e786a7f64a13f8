import Glibc
package import Sandbox

/// Everything that a hostile program could reach if its sandbox failed, and the judgement whether it did: what the
/// program says about itself is not believed.
package final class TrialTargets: Sendable {
  /// Where the victim runs: beside the sandbox, or in one of its own.
  package enum VictimPlace: Sendable { case outside, confined }

  /// The folder of the trial.
  package let folder: TrialFolder
  let victim: Victim
  let listeners: Listeners
  private let host: TrialHost
  private let capabilities: SandboxCapabilities
  private let launcher: Launcher
  /// Descriptors that the host forgot to mark as close-on-exec: a file, a directory, a socket.
  private let leaks: [Int32]
  /// Above the most that an extension may open: a busy host's descriptors lie there, and the limit does not close them.
  private static let firstLeak: Int32 = 512

  /// - Parameters:
  ///   - capabilities: The tier on trial.
  ///   - launcher: The program that confines.
  ///   - programs: The absolute path of the folder with `sandbox-attempts`.
  package init(
    host: TrialHost, capabilities: SandboxCapabilities, launcher: Launcher, programs: String,
    victim place: VictimPlace = .outside
  ) throws {
    self.host = host
    self.capabilities = capabilities
    self.launcher = launcher
    folder = try TrialFolder(host: host, attempts: programs + "/sandbox-attempts")
    listeners = try Listeners(directory: folder.path)
    switch place {
    case .outside:
      let command = host.asUser + [folder.program, "victim"]
      victim = try Victim(.unsafeNoSandbox(executable: command[0], arguments: Array(command.dropFirst())))
    case .confined:
      let policy = Self.policy(folder, host, arguments: ["victim"])
      victim = try Victim(
        LaunchPlan(
          policy: policy, capabilities: capabilities, launcher: launcher, host: host.identity, wrapper: host.wrapper))
    }
    leaks = [
      open("/etc/passwd", O_RDONLY | O_CLOEXEC), open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
      socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0),
    ].map { held in
      defer { close(held) }
      return fcntl(held, F_DUPFD, Self.firstLeak)
    }
    // Without them the attempt would find nothing, whatever the launcher does.
    guard leaks.allSatisfy({ $0 >= 0 }) else { throw TrialError("F_DUPFD: \(errno)") }
  }

  deinit { for leak in leaks where leak >= 0 { close(leak) } }

  /// What the attempt is told.
  package func command(_ attempt: Attempt) -> [String] { [attempt.name] + attempt.arguments(self) }

  /// Returns the sandbox's policy for an attempt.
  package func policy(_ attempt: Attempt) -> SandboxPolicy {
    var policy = Self.policy(folder, host, arguments: command(attempt))
    if let program = attempt.program { policy.executable = folder.path(of: program) }
    return policy
  }

  private static func policy(_ folder: TrialFolder, _ host: TrialHost, arguments: [String]) -> SandboxPolicy {
    var policy = SandboxPolicy(
      executable: folder.program, scratch: folder.scratch, userID: host.userID, groupID: host.groupID)
    policy.bundle = folder.bundle
    policy.arguments = arguments
    policy.containers = [SandboxPolicy.Container(path: folder.path + "/group", access: .readOnly)]
    return policy
  }

  /// Whether the launcher can empty the bounding set: root, and whoever has a user namespace.
  var isBounded: Bool { host.identity.isRoot || capabilities.tier != .light }

  /// How many threads the kernel lets an extension have: those of its sandbox alone in a user namespace, those of all
  /// extensions of one app, which share a user, where root makes none.
  var maximumThreads: Int {
    let hasUserNamespace = capabilities.userNamespace && capabilities.tier != .light
    return host.identity.isRoot && !hasUserNamespace ? 1040 : 130
  }

  /// The host's namespaces that must not be the program's, by the links of `/proc`.
  var namespaces: [String] { HostNamespaces.left(by: capabilities, host: host.identity) }

  /// Runs the attempt in a sandbox and judges it.
  ///
  /// - Parameters:
  ///   - generatedCode: See `SandboxPolicy`.
  ///   - wrapper: Started before the launcher, after that of the host.
  /// - Throws: `SandboxError` when no process can be started.
  package func judge(
    _ attempt: Attempt, generatedCode: Bool = false, wrapper: [String] = []
  ) throws(SandboxError) -> Verdict {
    guard attempt.isPromised(by: capabilities, generatedCode: generatedCode) else { return .notPromised }
    var policy = policy(attempt)
    policy.generatedCode = generatedCode
    do throws(SandboxError) {
      return verdict(on: try run(policy, wrapper: wrapper), of: attempt)
    } catch {
      guard attempt.program != nil, error.code == .bundleInvalid else { throw error }
      return .held(how: "not started")
    }
  }

  /// Runs the program of a policy in a sandbox until it ends.
  package func run(_ policy: SandboxPolicy, wrapper: [String] = []) throws(SandboxError) -> TrialProcess {
    try TrialProcess.run(
      try LaunchPlan(
        policy: policy, capabilities: capabilities, launcher: launcher, host: host.identity,
        wrapper: host.wrapper + wrapper))
  }

  /// Judges an attempt by its traces, not by what the program says.
  package func verdict(on process: TrialProcess, of attempt: Attempt) -> Verdict {
    if case .launchFailed(let failure)? = process.statuses.first {
      return .broken("The sandbox was not set up: \(failure).")
    }
    if process.wasLate { return .broken("It did not end.") }
    if let difference = difference() { return .broken("Afterwards something had changed: \(difference).") }
    let lines = process.output.split(separator: "\n")
    guard process.ended == attempt.end else {
      let end = process.ended.map { "\($0)" } ?? "unknown"
      return .broken("It ended with \(end): \(lines.joined(separator: "; ")) \(process.errors)")
    }
    if let found = lines.first(where: { $0.hasPrefix("found a ") }) { return .broken("It \(found).") }
    guard attempt.end == .exited(code: 0) else { return .held(how: "ended by the kernel") }
    guard let last = lines.last, last.hasPrefix("denied") else { return .broken("It said \(process.output).") }
    let answer = last.dropFirst("denied ".count)
    return .held(how: answer == "0" ? "" : String(answer))
  }

  /// What is not as it must be, whatever the program says about itself.
  package func difference() -> String? {
    if let difference = folder.difference() { return difference }
    if !listeners.heardNothing { return "a socket of the host was spoken to" }
    return victim.isUntouched() ? nil : "another process was reached"
  }
}
