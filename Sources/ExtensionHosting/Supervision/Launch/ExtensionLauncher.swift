import EventLoop
import ExtensionProtocol
import Glibc
import JSONRPC
import Sandbox

/// Starts extensions: folders, policy, sandbox, pipes, monitor.
struct ExtensionLauncher: Sendable {
  private let configuration: ExtensionHost.Configuration
  private let loop: EventLoop
  private let facts: LaunchFacts
  private let diskLoop = DiskLoop()

  init(configuration: ExtensionHost.Configuration, loop: EventLoop) {
    self.configuration = configuration
    self.loop = loop
    facts = LaunchFacts(configuration)
  }

  /// - Throws: `sandboxUnavailable`, `launchFailed`, `extensionInvalid` or `storeFailed`; nothing is left then.
  func launch(_ target: LaunchTarget) async throws(ExtensionError) -> LaunchedExtension {
    let owner = ExtensionUser.current(forApp: target.identity.containingApp)
    let folders = try ExtensionFolders(for: target, groupAccess(of: target), in: configuration.state, owner: owner)
    let limits = configuration.effectiveLimits(of: target)
    let quota = DiskQuota(folders, limits: limits)
    var group: ControlGroup?
    do throws(ExtensionError) {
      if let excess = quota.excess() { throw DiskQuota.refusal(excess, of: target.identity) }
      group = try controlGroup(limits, of: target.identity)
      let process = try spawn(target, folders: folders, owner: owner, group: group)
      let connection = Connection(
        on: loop, input: process.standardOutput, output: process.standardInput,
        configuration: wire(target))
      let work = OpenWork()
      let resources = ResourceWatch(
        quota: quota, connection: connection, work: work, loop: loop, diskLoop: diskLoop, group: group)
      let monitor = ProcessMonitor(
        process, id: target.identity.id, loop: loop, log: configuration.log, resources: resources,
        ledger: connection.ledger)
      connection.ledger.whenExceeded { [weak monitor, loop] excess in
        loop.execute { monitor?.assumeIsolated { $0.kill(ExitReason(excess)) } }
      }
      try await monitor.start { connection.assumeIsolated { $0.peerHasExited() } }
      return LaunchedExtension(
        connection: connection, monitor: monitor, owner: owner, folders: folders, work: work, group: group)
    } catch {
      _ = group?.remove()
      try? StateDirectory.remove(folders.scratch)
      throw error
    }
  }

  /// Starts a process and watches it, without a connection and without looking at what it uses.
  ///
  /// - Throws: as ``launch(_:)``.
  func launchSilently(
    _ target: LaunchTarget
  ) async throws(ExtensionError) -> (process: SandboxedProcess, monitor: ProcessMonitor, folders: ExtensionFolders) {
    let owner = ExtensionUser.current(forApp: target.identity.containingApp)
    let folders = try ExtensionFolders(for: target, groupAccess(of: target), in: configuration.state, owner: owner)
    do throws(ExtensionError) {
      let process = try spawn(target, folders: folders, owner: owner, group: nil)
      let monitor = ProcessMonitor(process, id: target.identity.id, loop: loop, log: configuration.log)
      try await monitor.start()
      return (process, monitor, folders)
    } catch {
      try? StateDirectory.remove(folders.scratch)
      throw error
    }
  }

  private func groupAccess(of target: LaunchTarget) -> ExtensionPointDefinition.GroupAccess {
    configuration.points.definition(of: target.identity.point).groups
  }

  private func wire(_ target: LaunchTarget) -> Connection.Configuration {
    var wire = configuration.wire
    wire.framing = Framing(rawValue: target.framing.rawValue) ?? .lines
    wire.notifications = NotificationLimit()
    wire.malformed = .reportOnly
    wire.tap = configuration.recorder?.tap(target.identity.id)
    return wire
  }

  private func controlGroup(
    _ limits: ExtensionLimits, of identity: Caller.Identity
  ) throws(ExtensionError) -> ControlGroup? {
    do {
      return try facts.controlGroups()?.make(ControlGroup.Bounds(memory: limits.memory, threads: limits.threads))
    } catch {
      throw ExtensionError(error, extension: identity)
    }
  }

  private func spawn(
    _ target: LaunchTarget, folders: ExtensionFolders, owner: ExtensionUser?, group: ControlGroup? = nil
  ) throws(ExtensionError) -> SandboxedProcess {
    do {
      return try LaunchPlan(
        policy: policy(target, folders: folders, owner: owner), capabilities: facts.capabilities(),
        launcher: configuration.launcherPath, group: group
      ).spawn()
    } catch let error as SandboxError {
      throw ExtensionError(error, extension: target.identity)
    } catch {
      throw ExtensionError(wrapping: error)
    }
  }

  /// What the extension gets; everything else it does not.
  private func policy(
    _ target: LaunchTarget, folders: ExtensionFolders, owner: ExtensionUser?
  ) throws(SandboxError) -> SandboxPolicy {
    let program = target.interpreter.map(ScriptInterpreter.program) ?? target.executable
    var policy = SandboxPolicy(
      executable: program, scratch: folders.scratch, userID: owner?.uid ?? geteuid(), groupID: owner?.gid ?? getegid())
    policy.bundle = target.bundle
    policy.containers = [.init(path: folders.container, access: .readWrite)]
    policy.containers += folders.groups.values.sorted().map { .init(path: $0, access: folders.groupAccess) }
    policy.readOnlyPaths = try facts.readOnlyPaths(of: program, isInterpreter: target.interpreter != nil)
    if target.interpreter != nil {
      policy.arguments = [target.executable]
      policy.readOnlyPaths.append(target.executable)
    }
    policy.environment["HOME"] = folders.container
    policy.environment["ANNEX_FRAMING"] = target.framing.rawValue
    policy.protectedPaths = [configuration.state.path]
    policy.generatedCode = target.identity.entitlements.contains("jit")
    policy.limits = SandboxLimits(configuration.effectiveLimits(of: target))
    return policy
  }
}

extension ExtensionError {
  /// A refusal of the sandbox, in the terms of the wire.
  init(_ error: SandboxError, extension identity: Caller.Identity) {
    let code: Code =
      switch error.code {
      case .sandboxUnavailable, .controlGroupUnusable: .sandboxUnavailable
      case .bundleInvalid, .policyInvalid, .containerInvalid: .extensionInvalid
      default: .launchFailed
      }
    self.init(
      code, "\(identity.displayName) was not started. \(error.message)", recovery: error.recovery,
      details: ["sandbox": .string(error.code.rawValue), "extension": .string(identity.id)])
  }
}
