/// A policy and what this machine can enforce of it, turned into exactly what the launcher will do.
///
/// A plan can be spawned more than once; each process is confined anew.
package struct LaunchPlan: Sendable {
  /// What the bytes for the launcher say.
  struct Contents: Sendable {
    var facilities: SandboxFacilities
    var userID: UInt32
    var groupID: UInt32
    var landlockVersion: UInt32
    var executable: String
    var workingDirectory: String
    var arguments: [String]
    var environment: [String]
    var paths: [PolicyPaths.Entry]
    var limits: [(resource: UInt32, value: UInt64)]
  }

  enum Mode: Sendable {
    /// Through the launcher, with the bytes of its policy.
    case sandboxed(policy: [UInt8])
    /// The program starts without a sandbox.
    case unsandboxed(environment: [String])
  }

  let mode: Mode
  let command: LaunchCommand
  /// What a launcher that waits must be, so that it can take the policy; `nil` when none can.
  package let standbyKind: StandbyLauncher.Kind?
  /// What the launcher enters before it starts anything.
  let group: ControlGroup?

  /// Creates a plan and validates its policy.
  ///
  /// - Parameters:
  ///   - policy: what the extension may use; see `SandboxPolicy.validate`.
  ///   - capabilities: what a `SandboxProbe` found on this machine.
  ///   - launcher: the program that confines.
  ///   - host: the user that runs the host.
  ///   - wrapper: a program and its arguments to start before the launcher, which inherits its descriptors: for tests
  ///     that change the user or take facilities of the kernel away, with a launcher in a file.
  ///   - group: the control group that the processes enter before the program starts.
  /// - Throws: `SandboxError` with the reason for the refusal; nothing has been started.
  package init(
    policy: SandboxPolicy, capabilities: SandboxCapabilities, launcher: Launcher, host: HostIdentity = .current,
    wrapper: [String] = [], group: ControlGroup? = nil
  ) throws(SandboxError) {
    try policy.validate(host: host)
    var facilities = capabilities.facilities(for: host)
    if policy.generatedCode { facilities.insert(.generatedCode) }
    if group != nil { facilities.insert(.admission) }
    // Without a namespace of users the kernel counts all processes of the user, also those outside.
    let counting: SandboxLimits.Counting =
      facilities.contains(.userNamespace) ? .sandbox : host.isRoot ? .app : .nothing
    let contents = Contents(
      facilities: facilities, userID: host.isRoot ? policy.userID : host.innerUserID,
      groupID: host.isRoot ? policy.groupID : host.innerGroupID,
      landlockVersion: capabilities.landlockVersion, executable: policy.executable, workingDirectory: policy.scratch,
      arguments: [policy.name ?? policy.executable] + policy.arguments,
      environment: policy.environment.map { "\($0.key)=\($0.value)" }.sorted(),
      paths: try PolicyPaths(policy).entries,
      limits: policy.limits.entries(counting: counting))
    mode = .sandboxed(policy: try PolicyEncoder.encode(contents))
    command = LaunchCommand(launcher, wrapper: wrapper)
    standbyKind = StandbyLauncher.Kind(command, contents)
    self.group = group
  }

  /// - Parameter bytes: A policy in the launcher's own form; the launcher checks it again.
  package init(bytes: [UInt8], launcher: Launcher, wrapper: [String] = []) {
    mode = .sandboxed(policy: bytes)
    command = LaunchCommand(launcher, wrapper: wrapper)
    standbyKind = nil
    group = nil
  }

  private init(command: [String], environment: [String: String]) {
    mode = .unsandboxed(environment: environment.map { "\($0.key)=\($0.value)" }.sorted())
    self.command = LaunchCommand(program: command[0], arguments: command)
    standbyKind = nil
    group = nil
  }

  /// A process with every right of the host. For comparing speeds and for the host's own tests; there is no setting
  /// that leads here.
  package static func unsafeNoSandbox(
    executable: String, arguments: [String] = [], environment: [String: String] = [:]
  ) -> LaunchPlan {
    LaunchPlan(command: [executable] + arguments, environment: environment)
  }
}
