import JSON
import ExtensionProtocol
import Files
import Glibc
import Sandbox

/// Prepares a start on the disk: creates folders, checks the program and makes the policy. It runs on a thread that may
/// block.
struct LaunchPreparation: Sendable {
  let configuration: ExtensionHost.Configuration
  let facts: LaunchFacts

  /// A prepared start.
  struct Prepared: Sendable {
    let plan: LaunchPlan
    let folders: ExtensionFolders
    let owner: ExtensionUser?
    let quota: DiskQuota
    let group: ControlGroup?

    /// Removes what was prepared for a start that does not happen.
    func discard() { LaunchPreparation.discard(folders, group) }
  }

  /// Prepares a start. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - isGrouped: whether the process gets a control group.
  ///   - isAbandoned: returns whether the caller no longer needs the start.
  /// - Throws: the errors of ``ExtensionLauncher/launch(_:)``; nothing is left behind then.
  func prepare(
    _ target: LaunchTarget, _ owners: LaunchOwners, isGrouped: Bool, isAbandoned: () -> Bool
  ) throws(ExtensionError) -> Prepared {
    try target.verified?.check(target.identity.displayName)
    try checkGeneratedCode(target)
    let access = configuration.points.definition(of: target.identity.point).groups
    let folders = try ExtensionFolders(for: target, access, in: configuration.state, owners)
    facts.keepReserve()
    let limits = configuration.effectiveLimits(of: target)
    let quota = DiskQuota(folders, limits: limits)
    var group: ControlGroup?
    do throws(ExtensionError) {
      if isGrouped {
        if let excess = quota.excess() { throw DiskQuota.refusal(excess, of: target.identity) }
        group = try controlGroup(limits, of: target.identity)
      }
      let plan = try plan(target, folders, owners.app, group, isAbandoned)
      return Prepared(plan: plan, folders: folders, owner: owners.app, quota: quota, group: group)
    } catch {
      Self.discard(folders, group)
      throw error
    }
  }

  private static func discard(_ folders: ExtensionFolders, _ group: ControlGroup?) {
    _ = group?.remove()
    try? StateDirectory.remove(folders.scratch)
  }

  /// Refuses an extension that the sandbox could only kill, unless the user allows it to generate code: a program whose
  /// headers ask for writable and executable memory, and an interpreter whose manifest declares generated code.
  private func checkGeneratedCode(_ target: LaunchTarget) throws(ExtensionError) {
    guard let state = target.permissions[PermissionKind.generatedCode.name] else {
      guard let interpreter = target.interpreter,
        let fault = GeneratingInterpreter.fault(of: interpreter, arguments: target.interpreterArguments)
      else { return }
      throw ExtensionError(
        .extensionInvalid, "\(target.identity.displayName) was not started. \(fault.message)", recovery: fault.recovery,
        details: ["extension": .string(target.identity.id)])
    }
    guard state != .granted else { return }
    if let interpreter = target.interpreter {
      throw .generatesCode(
        interpreter, because: "Its interpreter \(interpreter) runs code that it makes itself.", state, target.identity)
    }
    if let fault = ExecutableMemory.fault(of: target.executable) {
      throw .generatesCode(target.executable, because: fault, state, target.identity)
    }
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

  private func plan(
    _ target: LaunchTarget, _ folders: ExtensionFolders, _ owner: ExtensionUser?, _ group: ControlGroup?,
    _ isAbandoned: () -> Bool
  ) throws(ExtensionError) -> LaunchPlan {
    do {
      return try LaunchPlan(
        policy: policy(target, folders, owner, isAbandoned), capabilities: facts.capabilities(),
        launcher: facts.launcher(), group: group)
    } catch let error as SandboxError {
      throw ExtensionError(error, extension: target.identity)
    } catch let error as ExtensionError where error.code == .sandboxUnavailable {
      var error = error
      error.message = "\(target.identity.displayName) was not started. \(error.message)"
      throw error
    } catch {
      throw ExtensionError(wrapping: error)
    }
  }

  /// Returns the policy: what the extension may use. Everything else is refused.
  private func policy(
    _ target: LaunchTarget, _ folders: ExtensionFolders, _ owner: ExtensionUser?, _ isAbandoned: () -> Bool
  ) throws -> SandboxPolicy {
    let program = target.interpreter.map(ScriptInterpreter.program) ?? target.executable
    var policy = SandboxPolicy(
      executable: program, scratch: folders.scratch, userID: owner?.uid ?? geteuid(), groupID: owner?.gid ?? getegid())
    policy.bundle = target.bundle
    // A manifest that is gone was read while it was there.
    policy.manifest = target.manifest.flatMap { path in
      FileStatus(path) == nil ? nil : Folder.path(path)
    }
    policy.containers = [.init(path: folders.container, access: .readWrite)]
    policy.containers += folders.groups.values.sorted().map { .init(path: $0, access: folders.groupAccess) }
    policy.readOnlyPaths = try facts.readOnlyPaths(
      of: target.interpreter ?? program, isInterpreter: target.interpreter != nil, isAbandoned: isAbandoned)
    if let interpreter = target.interpreter {
      policy.name = interpreter
      policy.script = target.executable
      policy.arguments = target.interpreterArguments + [target.executable]
      if target.bundle == nil { policy.readOnlyPaths.append(target.executable) }
    }
    policy.environment["HOME"] = folders.container
    policy.environment["ANNEX_FRAMING"] = target.framing.rawValue
    policy.protectedPaths = [configuration.state.path]
    policy.generatedCode = target.isGranted(.generatedCode)
    policy.limits = SandboxLimits(configuration.effectiveLimits(of: target))
    return policy
  }
}

/// The users that what a process runs as, and what it reaches, belong to; `nil` and empty when the host is not root.
struct LaunchOwners: Sendable {
  var app: ExtensionUser?
  /// The users by app group: each that of the group's app.
  var groups: [String: ExtensionUser] = [:]
}
