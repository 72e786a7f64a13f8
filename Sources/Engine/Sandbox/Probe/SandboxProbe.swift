import CLaunchPolicy
import CLinux
import Glibc

/// Finds out what this machine enforces by doing it: starts the launcher in a sandbox of each kind, best first, and has
/// it check from the inside that every layer holds. Where everything works, that is one process of a few milliseconds.
package struct SandboxProbe: Sendable {
  let launcher: Launcher
  let host: HostIdentity
  let wrapper: [String]
  private let deadline: Int32

  /// - Parameters:
  ///   - launcher: The program that confines.
  ///   - wrapper: As for `LaunchPlan`.
  ///   - deadline: How long a process may say nothing, in milliseconds.
  package init(
    launcher: Launcher, host: HostIdentity = .current, wrapper: [String] = [], deadline: Int32 = 5_000
  ) {
    self.launcher = launcher
    self.host = host
    self.wrapper = wrapper
    self.deadline = deadline
  }

  /// Starts temporary processes to find out what the kernel enforces. Blocks the calling thread for at most five
  /// seconds for each process. The result stays valid until the machine restarts, so store it.
  ///
  /// - Parameter minimum: the weakest tier that is accepted.
  /// - Throws: `sandboxUnavailable` below the minimum, `system` when no process can be started.
  package func run(minimum: SandboxTier = .minimum) throws(SandboxError) -> SandboxCapabilities {
    var search = ProbeSearch(landlockVersion: UInt32(clinux_landlock_version()), host: host)
    while let candidate = search.candidate {
      guard let failure = try attempt(candidate) else {
        guard candidate.tier >= minimum else { break }
        return candidate
      }
      search.failed(failure)
    }
    throw Self.unavailable(search.failures, minimum: minimum)
  }

  private static func unavailable(_ failures: [LaunchFailure], minimum: SandboxTier) -> SandboxError {
    let reasons = failures.map(\.description).joined(separator: "; ")
    return SandboxError(
      .sandboxUnavailable, "This machine cannot confine extensions at the tier \(minimum.rawValue): \(reasons).",
      recovery: failures.last?.recovery ?? "Use a kernel with namespaces, Landlock and seccomp filters.",
      failure: failures.last)
  }

  /// - Returns: What failed, nil when every layer was seen to hold.
  func attempt(_ candidate: SandboxCapabilities) throws(SandboxError) -> LaunchFailure? {
    let facilities = candidate.facilities(for: host)
    let process = try LaunchPlan(bytes: try policy(candidate, facilities), launcher: launcher, wrapper: wrapper).spawn()
    defer { process.close() }
    let statuses: [LaunchStatus]
    do {
      defer { try? process.signal(SIGKILL) }
      statuses = try self.statuses(of: process)
    } catch {
      _ = try? process.waitUntilExit()
      throw error
    }
    _ = try process.waitUntilExit()
    return Self.failure(statuses, facilities)
  }

  /// - Parameter statuses: everything that the processes of one attempt have said. On a busy machine that can take the
  ///   init long after the monitor, or the other way round, and what is not waited for is lost.
  static func failure(_ statuses: [LaunchStatus], _ facilities: SandboxFacilities) -> LaunchFailure? {
    // The monitor and the init may fail both, and either may be heard first: what counts is the earlier stage.
    let failures = statuses.compactMap { if case .launchFailed(let failure) = $0 { failure } else { nil } }
    if let first = failures.min(by: { $0.stage < $1.stage }) { return first }
    switch statuses.last {
    case .ended(.exited(let missing)): return failure(missing: UInt32(missing), facilities)
    // The launcher was killed, said nothing in time, or cannot run on this machine.
    default: return LaunchFailure(stage: .execute, errorNumber: ETIMEDOUT)
    }
  }

  /// The launcher confines itself and starts itself: without a policy it checks where it is.
  private func policy(_ candidate: SandboxCapabilities, _ facilities: SandboxFacilities) throws(SandboxError) -> [UInt8]
  {
    let program = try self.program()
    return try PolicyEncoder.encode(
      LaunchPlan.Contents(
        facilities: facilities, userID: host.isRoot ? HostIdentity.extensionUsers.lowerBound : host.innerUserID,
        groupID: host.isRoot ? HostIdentity.extensionUsers.lowerBound : host.innerGroupID,
        landlockVersion: candidate.landlockVersion,
        executable: program.executable, workingDirectory: "/",
        arguments: [Launcher.name] + HostNamespaces.left(by: facilities), environment: [],
        paths: program.paths,
        limits: SandboxLimits().entries(counting: .nothing)))
  }

  /// What the launcher executes to look at its sandbox from the inside. A file in memory has no name that could be
  /// granted, and needs none: the launcher names it as the program of its own process.
  private func program() throws(SandboxError) -> (executable: String, paths: [PolicyPaths.Entry]) {
    guard let file = launcher.file else { return ("/proc/self/exe", []) }
    guard let path = ResolvedPath(file)?.path else {
      throw SandboxError(
        .sandboxUnavailable, "The launcher \(file) does not exist.",
        recovery: "Name a launcher that is there with ANNEX_LAUNCHER, or name none.")
    }
    return (path, [PolicyPaths.Entry(kind: LAUNCH_PATH_READ_EXECUTE.rawValue, path: path)])
  }

  /// Reads the status records to its end, or until the time is up.
  private func statuses(of process: SandboxedProcess) throws(SandboxError) -> [LaunchStatus] {
    var decoder = LaunchStatusDecoder()
    var statuses: [LaunchStatus] = []
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      var waiting = pollfd(fd: process.control, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&waiting, 1, deadline)
      if ready < 0, errno == EINTR { continue }
      let count = ready > 0 ? unsafe read(process.control, &bytes, bytes.count) : 0
      guard count > 0 else { return statuses }
      statuses += try decoder.decode(bytes[..<count])
    }
  }

  /// The first layer that was asked for and not seen to hold. Its error number is 0: no call had failed.
  static func failure(missing: UInt32, _ facilities: SandboxFacilities) -> LaunchFailure? {
    let layers: [(SandboxFacilities, launch_self_check, LaunchStage)] = [
      (.seccomp, LAUNCH_MISSING_SECCOMP, .seccomp), (.execOnce, LAUNCH_MISSING_EXEC_ONCE, .execOnce),
      (.credentials, LAUNCH_MISSING_CREDENTIALS, .credentials), (.landlock, LAUNCH_MISSING_LANDLOCK, .landlock),
      (.mountNamespace, LAUNCH_MISSING_OWN_ROOT, .root), (.limits, LAUNCH_MISSING_LIMITS, .limits),
      (.pidNamespace, LAUNCH_MISSING_PID_NAMESPACE, .pidNamespace),
      // The launcher does not report which namespace is missing. The one that is not required is given up first.
      (.networkNamespace, LAUNCH_MISSING_NAMESPACE, .networkNamespace),
      (.ipcNamespace, LAUNCH_MISSING_NAMESPACE, .ipcNamespace),
    ]
    let gap = layers.first { facilities.contains($0.0) && missing & $0.1.rawValue != 0 }
    return gap.map { LaunchFailure(stage: $0.2, errorNumber: 0) }
  }
}
