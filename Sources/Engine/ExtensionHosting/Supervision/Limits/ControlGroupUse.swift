import ExtensionProtocol
package import Sandbox

extension ExtensionHost {
  /// Whether the kernel's control groups bound the memory of extensions: exactly, where otherwise a host looks at each
  /// extension four times a second. Processor time is always looked at.
  public enum ControlGroupUse: Sendable, Hashable {
    /// None are made.
    case never
    /// Below the group that systemd delegated to the host (`Delegate=memory pids` and `DelegateSubgroup=` in its unit).
    /// Without such a group the host samples the memory instead.
    case delegated
    /// Below this directory, an absolute path, which belongs to the host alone; of version 2, or of version 1 with the
    /// controller of memory. Extensions are not started when it cannot be used.
    case below(String)

    /// Reads the variable `ANNEX_CONTROL_GROUP`: a directory, or `none`; empty or absent means ``delegated``.
    ///
    /// - Throws: `invalidParams` for a relative path.
    public init(environment: [String: String]) throws(ExtensionError) {
      switch environment["ANNEX_CONTROL_GROUP"] ?? "" {
      case "": self = .delegated
      case "none": self = .never
      case let path where path.hasPrefix("/"): self = .below(path)
      case let other:
        throw ExtensionError(
          .invalidParams, "ANNEX_CONTROL_GROUP is “\(other)”, which is not an absolute path.",
          recovery: "Set it to a directory below /sys/fs/cgroup that belongs to this host, or to none.")
      }
    }

    /// Looks for the directory and tries it.
    ///
    /// - Returns: `nil` when no groups are to be made.
    /// - Throws: `controlGroupUnusable` for one that was named and cannot be used.
    package func find() throws(SandboxError) -> ControlGroups? {
      switch self {
      case .never: nil
      // What was given without being asked for, and does not work, is no worse than nothing.
      case .delegated: ControlGroupSearch.delegated().flatMap { try? ControlGroups(below: $0) }
      case .below(let path): try ControlGroups(below: path)
      }
    }
  }
}
