/// What this machine can enforce, found by trying. Small enough for a file: valid as long as kernel, boot and user are
/// the same.
package struct SandboxCapabilities: Sendable, Hashable, Codable {
  package var tier: SandboxTier
  /// The version of Landlock's interface; 0 without Landlock.
  package var landlockVersion: UInt32
  /// Whether a second execve can be forbidden.
  package var execOnce: Bool
  /// Whether an own network namespace is possible. Without it the list of system calls still allows no socket.
  package var networkNamespace: Bool
  /// As `uname` gives it.
  package var kernelRelease: String
  package var bootID: String
  /// The user that asked: what is possible differs between users.
  package var userID: UInt32
  /// The failures that ruled out better tiers, in the order in which these were tried.
  package var failures: [LaunchFailure]

  package init(
    tier: SandboxTier, landlockVersion: UInt32, execOnce: Bool = true, networkNamespace: Bool = true,
    machine: MachineIdentity = .current, userID: UInt32 = HostIdentity.current.userID, failures: [LaunchFailure] = []
  ) {
    self.tier = tier
    self.landlockVersion = landlockVersion
    self.execOnce = execOnce
    self.networkNamespace = networkNamespace
    kernelRelease = machine.kernelRelease
    bootID = machine.bootID
    self.userID = userID
    self.failures = failures
  }

  /// Whether a stored result still speaks of this machine and user.
  package func isCurrent(machine: MachineIdentity = .current, host: HostIdentity = .current) -> Bool {
    kernelRelease == machine.kernelRelease && bootID == machine.bootID && userID == host.userID && !bootID.isEmpty
  }

  /// The layers of the tier that this machine has.
  func facilities(for host: HostIdentity) -> SandboxFacilities {
    var facilities = tier.facilities
    if facilities.contains(.mountNamespace), !host.isRoot { facilities.insert(.userNamespace) }
    if landlockVersion == 0 { facilities.remove(.landlock) }
    if !execOnce { facilities.remove(.execOnce) }
    if !networkNamespace { facilities.remove(.networkNamespace) }
    return facilities
  }
}
