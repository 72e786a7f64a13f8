import Glibc

/// How the host bounds what no limit of a single process bounds: memory that is really used, processor time, folders.
package enum ResourceControl: String, Sendable, CaseIterable {
  /// The host looks at each extension, and ends it.
  case sampling
  /// The host cannot see its extensions: the kernel's limits of a process are all there is.
  case none

  /// What this machine allows, found by looking at a file that the host reads of its extensions.
  package static var current: ResourceControl {
    unsafe access("/proc/self/task/\(getpid())/children", R_OK) == 0 ? .sampling : .none
  }

  package var name: String { rawValue }

  /// How, or what instead.
  package var detail: String {
    switch self {
    case .sampling: "looked at every 250 ms: an extension above its ceiling is ended, with the figure and the reason"
    case .none: "only the kernel's bound on written memory holds, 256 MiB above the ceiling"
    }
  }

  /// What an administrator can do; nil when there is nothing to do.
  package var recovery: String? {
    self == .sampling ? nil : "Mount /proc with the children of processes visible to the host's user."
  }
}
