/// Chooses the sandbox to try next. Pure: the probe reports what failed.
///
/// Each failure removes one facility for good, so the search ends after a few steps, with a candidate that works or
/// with none.
struct ProbeSearch: Sendable {
  /// The best that has not been seen to fail; nil when nothing acceptable is left.
  private(set) var candidate: SandboxCapabilities?
  private(set) var failures: [LaunchFailure] = []

  private let host: HostIdentity

  init(landlockVersion: UInt32, host: HostIdentity, machine: MachineIdentity = .current) {
    self.host = host
    candidate = SandboxCapabilities(
      tier: landlockVersion > 0 ? .full : .namespacesOnly, landlockVersion: landlockVersion, machine: machine,
      host: host)
  }

  mutating func failed(_ failure: LaunchFailure) {
    failures.append(failure)
    guard var next = candidate else { return }
    candidate = nil
    next.failures = failures
    switch failure.stage {
    case .mountNamespace where host.isRoot && !next.userNamespace && next.tier.facilities.contains(.mountNamespace):
      // Root without CAP_SYS_ADMIN, as in most containers.
      next.userNamespace = true
    case .networkNamespace where next.networkNamespace:
      next.networkNamespace = false
    case .execOnce where next.execOnce:
      next.execOnce = false
    case .landlock where next.tier == .full:
      next.landlockVersion = 0
      next.tier = .namespacesOnly
    case .pidNamespace where next.tier == .full, .proc where next.tier == .full:
      next.tier = .sharedPID
    case .userNamespace, .mountNamespace, .ipcNamespace, .utsNamespace, .cgroupNamespace, .`init`, .mounts, .proc,
      .root:
      // Without Landlock nothing would protect files.
      guard next.tier > .light, next.landlockVersion > 0 else { return }
      next.tier = .light
    default:
      return
    }
    candidate = next
  }
}
