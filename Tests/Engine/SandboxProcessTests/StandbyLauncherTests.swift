import CLinux
import Files
import Glibc
import SandboxTrials
import TestSupport
import Testing

@testable import Sandbox

/// A launcher that was started before its policy was known confines as any other, or starts nothing.
@Suite(.timeLimit(.minutes(1)))
struct `A launcher that waits` {
  static let places = SandboxTier.allCases.flatMap { tier in Workshop.Host.available.map { (tier, $0) } }

  /// Runs a plan with a launcher, and reads everything.
  private func run(_ plan: LaunchPlan, with launcher: consuming StandbyLauncher, input: String = "") throws
    -> (pid: Int32, TrialProcess)
  {
    let process = try plan.spawn(with: launcher)
    defer { process.closeAllButInput() }
    let bytes = Array(input.utf8)
    guard write(process.standardInput, bytes, bytes.count) == bytes.count else { throw Failure("input: \(errno)") }
    close(process.standardInput)
    return (process.pid, try TrialProcess.collect(process))
  }

  @Test(arguments: try Cases.present(places))
  func `runs the program of the policy that it gets`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let plan = try workshop.plan(
      workshop.policy(try workshop.install("StaticGreeter"), arguments: ["one"]), tier: tier)
    let launcher = try StandbyLauncher(try #require(plan.standbyKind))
    let pid = launcher.pid
    let (started, result) = try run(plan, with: launcher, input: "hello\n")
    #expect(started == pid, "another launcher was started")
    #expect(
      result.output == #"{"line":"hello","sum":2080,"arguments":"one","user":\#(host.extensionUser)}"# + "\n")
    #expect(result.errors == "" && result.statuses == [.executed, .ended(.exited(code: 0))], "\(result)")
  }

  /// The look from the inside of the sandbox: every layer, and each namespace another than the host's.
  @Test(arguments: try Cases.present(Workshop.Host.available))
  func `confines wholly`(host: Workshop.Host) throws {
    let program = try #require(ResolvedPath(Workshop.launcher.path)).path
    let whole = Workshop.capabilities(.full).facilities(for: host.identity)
    let contents = LaunchPlan.Contents(
      facilities: whole, userID: host.extensionUser, groupID: host.extensionGroup,
      landlockVersion: UInt32(clinux_landlock_version()), executable: program, workingDirectory: "/",
      arguments: [program] + HostNamespaces.left(by: whole), environment: [],
      paths: [PolicyPaths.Entry(kind: 2, path: program)], limits: SandboxLimits().entries(counting: .nothing))
    let command = LaunchCommand(Workshop.launcher, wrapper: host.wrapper)
    let launcher = try StandbyLauncher(try #require(StandbyLauncher.Kind(command, contents)))
    let (sent, result) = try handOver(try PolicyEncoder.encode(contents), to: launcher)
    #expect(sent && result?.statuses == [.executed, .ended(.exited(code: 0))], "\(String(describing: result))")
  }

  /// Gives a launcher a policy that no plan checked.
  private func handOver(
    _ policy: [UInt8], to launcher: consuming StandbyLauncher, descriptors count: Int = 4
  ) throws -> (Bool, TrialProcess?) {
    let input = try Pipe(host: .writing)
    let output = try Pipe(host: .reading)
    let error = try Pipe(host: .reading)
    var file: Int32 = -1
    guard clinux_sealed_file("policy", policy, policy.count, &file) == 0 else { throw Failure("memfd: \(errno)") }
    let sealed = Descriptor(file)
    let descriptors = [input.readEnd.number, output.writeEnd.number, error.writeEnd.number, sealed.number]
    guard let parts = launcher.take(Array(descriptors.prefix(count))) else { return (false, nil) }
    let process = SandboxedProcess(
      pid: parts.pid, pidfd: parts.pidfd, standardInput: input.writer(), standardOutput: output.reader(),
      standardError: error.reader(), control: parts.control)
    defer { process.closeAllButInput() }
    close(process.standardInput)
    return (true, try TrialProcess.collect(process))
  }

  private func contents(_ facilities: SandboxFacilities, user: UInt32 = 71_001) -> LaunchPlan.Contents {
    LaunchPlan.Contents(
      facilities: facilities, userID: user, groupID: user, landlockVersion: 0, executable: "/bin/true",
      workingDirectory: "/", arguments: ["true"], environment: [], paths: [], limits: [])
  }

  private func launcher(_ facilities: SandboxFacilities) throws -> StandbyLauncher {
    let kind = StandbyLauncher.Kind(LaunchCommand(Workshop.launcher), contents(facilities))
    return try StandbyLauncher(try #require(kind))
  }

  @Test(.enabled(if: geteuid() == 0)) func `refuses a policy that has less than was made ahead`() throws {
    let all: SandboxFacilities = [.networkNamespace, .ipcNamespace, .utsNamespace]
    for missing: SandboxFacilities in [.networkNamespace, .ipcNamespace, .utsNamespace] {
      let policy = try PolicyEncoder.encode(contents(all.subtracting(missing)))
      let (_, result) = try handOver(policy, to: try launcher(all))
      let failure = LaunchFailure(stage: .policy, errorNumber: EINVAL)
      #expect(result?.statuses == [.launchFailed(failure)], "\(String(describing: result))")
    }
  }

  @Test func `refuses fewer descriptors than a launch has, and no policy at all`() throws {
    for count in 1...3 {
      let (_, result) = try handOver([], to: try launcher([]), descriptors: count)
      #expect(result?.statuses == [.launchFailed(LaunchFailure(stage: .policy, errorNumber: EINVAL))])
    }
    let (_, result) = try handOver([], to: try launcher([]))
    #expect(result?.statuses == [.launchFailed(LaunchFailure(stage: .policy, errorNumber: EINVAL))])
  }

  @Test func `makes nothing ahead that depends on the policy`() throws {
    for arguments in [
      ["2", "1", "1"], ["65536", "1", "1"], ["x", "1", "1"], ["4294967296", "1", "1"], ["8 ", "1", "1"],
    ] {
      let control = try Channel()
      let command = LaunchCommand(
        program: Workshop.launcher.path, arguments: [Workshop.launcher.path, "--standby"] + arguments)
      let null = Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC))
      let child = try command.start(
        descriptors: [null.number, null.number, null.number, null.number, control.childEnd.number])
      let process = SandboxedProcess(
        pid: child.pid, pidfd: child.pidfd, standardInput: -1, standardOutput: -1, standardError: -1, control: -1)
      #expect(try process.waitUntilExit() == .exited(code: 125), "\(arguments)")
      close(child.pidfd)
    }
  }

  @Test func `is replaced by another one when it has ended, or was started for something else`() throws {
    let workshop = try Workshop()
    let plan = try workshop.plan(workshop.policy(try workshop.install("StaticGreeter")), tier: .light)
    let dead = try StandbyLauncher(try #require(plan.standbyKind))
    let deadPID = dead.pid
    kill(deadPID, SIGKILL)
    // Its socket is closed when it is a zombie.
    while Workshop.contents(of: "/proc/\(deadPID)/stat")?.contains(") Z ") == false { sched_yield() }
    let full = try workshop.plan(workshop.policy(try workshop.install("StaticGreeter")), tier: .full)
    let other = try StandbyLauncher(try #require(full.standbyKind))
    let otherPID = other.pid
    #expect(full.standbyKind != plan.standbyKind)
    let (first, result) = try run(plan, with: dead, input: "a\n")
    #expect(first != deadPID && result.statuses == [.executed, .ended(.exited(code: 0))])
    let (second, another) = try run(plan, with: other, input: "a\n")
    #expect(second != otherPID && another.statuses == [.executed, .ended(.exited(code: 0))])
    // Both were ended and reaped.
    for pid in [deadPID, otherPID] { #expect(kill(pid, 0) == -1 && errno == ESRCH) }
  }

  @Test func `ends with its host's end of the socket, and with the value`() throws {
    var pid: Int32 = 0
    do {
      let launcher = try launcher([])
      pid = launcher.pid
      #expect(kill(pid, 0) == 0)
    }
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
    let control = try Channel()
    let null = Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC))
    let child = try LaunchCommand(
      program: Workshop.launcher.path, arguments: [Workshop.launcher.path, "--standby", "0", "0", "0"]
    ).start(descriptors: [null.number, null.number, null.number, null.number, control.childEnd.number])
    close(control.host())
    let process = SandboxedProcess(
      pid: child.pid, pidfd: child.pidfd, standardInput: -1, standardOutput: -1, standardError: -1, control: -1)
    #expect(try process.waitUntilExit() == .exited(code: 0))
    close(child.pidfd)
  }
}
