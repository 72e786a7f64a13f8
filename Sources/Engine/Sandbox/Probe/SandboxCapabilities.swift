import Files

/// What this machine can enforce, found by trying. Small enough for a file: valid as long as kernel, boot and user are
/// the same.
package struct SandboxCapabilities: Sendable, Hashable, Codable {
  /// The tier that the machine can enforce.
  package var tier: SandboxTier
  /// The version of Landlock's interface; 0 without Landlock.
  package var landlockVersion: UInt32
  /// Whether a second execve can be forbidden.
  package var execOnce: Bool
  /// Whether an own network namespace is possible. Without it the list of system calls still allows no socket.
  package var networkNamespace: Bool
  /// Whether a root host makes the namespaces inside of one of users, since it may not make them by its own right. Others
  /// always do.
  package var userNamespace: Bool
  /// As `uname` gives it.
  package var kernelRelease: String
  /// The identifier of the machine's start, from the kernel.
  package var bootID: String
  /// The user that asked: what is possible differs between users.
  package var userID: UInt32
  /// See ``HostIdentity/rights``.
  package var rights: String
  /// The failures that ruled out better tiers, in the order in which these were tried.
  package var failures: [LaunchFailure]

  /// Creates capabilities. By default they are of this machine and this user.
  package init(
    tier: SandboxTier, landlockVersion: UInt32, execOnce: Bool = true, networkNamespace: Bool = true,
    userNamespace: Bool = false, machine: MachineIdentity = .current, host: HostIdentity = .current,
    failures: [LaunchFailure] = []
  ) {
    self.tier = tier
    self.landlockVersion = landlockVersion
    self.execOnce = execOnce
    self.networkNamespace = networkNamespace
    kernelRelease = machine.kernelRelease
    bootID = machine.bootID
    self.userNamespace = userNamespace
    userID = host.userID
    rights = host.rights
    self.failures = failures
  }

  /// Whether a stored result still speaks of this machine and user.
  package func isCurrent(machine: MachineIdentity = .current, host: HostIdentity = .current) -> Bool {
    kernelRelease == machine.kernelRelease && bootID == machine.bootID && !bootID.isEmpty
      && userID == host.userID && rights == host.rights
  }

  /// The layers of the tier that this machine has.
  func facilities(for host: HostIdentity) -> SandboxFacilities {
    var facilities = tier.facilities
    if facilities.contains(.mountNamespace), !host.isRoot || userNamespace {
      facilities.insert(host.isRoot ? [.userNamespace, .takeUser] : .userNamespace)
    }
    if landlockVersion == 0 { facilities.remove(.landlock) }
    if !execOnce { facilities.remove(.execOnce) }
    if !networkNamespace { facilities.remove(.networkNamespace) }
    return facilities
  }
}

extension SandboxCapabilities {
  /// The tiers that this machine can enforce, best first: what it reached, and what is left of it without some layers.
  package var offeredTiers: [SandboxTier] {
    switch tier {
    case .full: [.full, .sharedPID, .namespacesOnly, .light]
    case .sharedPID: [.sharedPID, .light]
    case .namespacesOnly: [.namespacesOnly]
    case .light: [.light]
    }
  }

  /// The same machine, held to another tier on purpose: to see what a weaker machine would enforce.
  ///
  /// - Throws: `sandboxUnavailable` for a tier that this machine does not offer.
  package func lowered(to other: SandboxTier) throws(SandboxError) -> SandboxCapabilities {
    guard offeredTiers.contains(other) else {
      let offered = offeredTiers.map(\.rawValue).joined(separator: ", ")
      throw SandboxError(
        .sandboxUnavailable, "This machine does not offer the tier \(other.rawValue).",
        recovery: "It offers \(offered).", failure: failures.last)
    }
    var lowered = self
    lowered.tier = other
    if other == .namespacesOnly { lowered.landlockVersion = 0 }
    return lowered
  }
}

/// The namespaces of the running process, by the links of `/proc`, for a look from the inside of a sandbox.
package enum HostNamespaces {
  private static let names: [(SandboxFacilities, String)] = [
    (.mountNamespace, "mnt"), (.pidNamespace, "pid"), (.networkNamespace, "net"), (.ipcNamespace, "ipc"),
    (.utsNamespace, "uts"), (.cgroupNamespace, "cgroup"), (.userNamespace, "user"),
  ]

  /// Those that an extension must not find around itself, for example `net:[4026531840]`.
  package static func left(by capabilities: SandboxCapabilities, host: HostIdentity = .current) -> [String] {
    left(by: capabilities.facilities(for: host))
  }

  static func left(by facilities: SandboxFacilities) -> [String] {
    names.filter { facilities.contains($0.0) }.compactMap { File.linkTarget(of: "/proc/self/ns/\($0.1)") }
  }
}
