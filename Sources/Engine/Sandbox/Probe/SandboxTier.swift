import CLaunchPolicy

/// How much of the sandbox a kernel can enforce. Every tier keeps the promises about files, network, other programs,
/// other processes and devices; they differ in how many walls stand behind each other and in what may be looked at.
package enum SandboxTier: String, Sendable, Codable, CaseIterable, Comparable {
  /// Namespaces and an own root, but no Landlock.
  case namespacesOnly = "nsOnly"
  /// Landlock and seccomp, but no namespaces: process list and the times and sizes of files can be seen.
  case light
  /// As full, but with the host's process ids and its /proc, read-only.
  case sharedPID
  /// All layers of the sandbox.
  case full

  /// The weakest tier in which extensions are started.
  package static let minimum = SandboxTier.light

  private var rank: Int {
    switch self {
    case .light: 0
    case .namespacesOnly: 1
    case .sharedPID: 2
    case .full: 3
    }
  }

  /// Whether the left tier enforces less than the right one.
  package static func < (left: SandboxTier, right: SandboxTier) -> Bool { left.rank < right.rank }

  /// The layers of the tier on a host that may use every facility of it.
  var facilities: SandboxFacilities {
    switch self {
    case .light: [.landlock, .always]
    case .namespacesOnly: [.namespaces, .pidNamespace, .privateProc, .always]
    case .sharedPID: [.namespaces, .hostProc, .landlock, .always]
    case .full: [.namespaces, .pidNamespace, .privateProc, .landlock, .always]
    }
  }
}

/// The layers of a sandbox, by their bits in the policy of the launcher.
struct SandboxFacilities: OptionSet, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(_ facility: launch_facility) { rawValue = facility.rawValue }

  static let userNamespace = SandboxFacilities(LAUNCH_USER_NAMESPACE)
  static let takeUser = SandboxFacilities(LAUNCH_TAKE_USER)
  static let mountNamespace = SandboxFacilities(LAUNCH_MOUNT_NAMESPACE)
  static let pidNamespace = SandboxFacilities(LAUNCH_PID_NAMESPACE)
  static let networkNamespace = SandboxFacilities(LAUNCH_NETWORK_NAMESPACE)
  static let ipcNamespace = SandboxFacilities(LAUNCH_IPC_NAMESPACE)
  static let utsNamespace = SandboxFacilities(LAUNCH_UTS_NAMESPACE)
  static let cgroupNamespace = SandboxFacilities(LAUNCH_CGROUP_NAMESPACE)
  static let privateProc = SandboxFacilities(LAUNCH_PRIVATE_PROC)
  static let hostProc = SandboxFacilities(LAUNCH_HOST_PROC)
  static let landlock = SandboxFacilities(LAUNCH_LANDLOCK)
  static let execOnce = SandboxFacilities(LAUNCH_EXEC_ONCE)
  static let seccomp = SandboxFacilities(LAUNCH_SECCOMP)
  static let limits = SandboxFacilities(LAUNCH_LIMITS)
  static let credentials = SandboxFacilities(LAUNCH_CREDENTIALS)
  /// No layer but the leave to write code at run time.
  static let generatedCode = SandboxFacilities(LAUNCH_GENERATED_CODE)
  /// No layer: the launcher waits until it is in its control group.
  static let admission = SandboxFacilities(LAUNCH_ADMISSION)

  /// All namespaces but those of users and processes.
  static let namespaces: SandboxFacilities = [
    .mountNamespace, .networkNamespace, .ipcNamespace, .utsNamespace, .cgroupNamespace,
  ]
  /// What no tier goes without.
  static let always: SandboxFacilities = [.execOnce, .seccomp, .limits, .credentials]
}
