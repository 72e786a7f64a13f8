import CLaunchPolicy
import Files
import Glibc

/// The steps of the launcher, in their order. The numbers are those of its records.
package enum LaunchStage: UInt32, Sendable, Codable, CaseIterable, Comparable {
  case descriptors = 1
  case policy, session
  case userNamespace, mountNamespace, pidNamespace, networkNamespace, ipcNamespace, utsNamespace, cgroupNamespace
  case `init`, mounts, proc, root, credentials, execOnce, extensionProcess, workingDirectory, limits
  case landlock, seccomp, execute

  /// By their order in the launcher.
  package static func < (left: LaunchStage, right: LaunchStage) -> Bool { left.rawValue < right.rawValue }

  /// What an administrator or an author can do when this stage fails.
  var recovery: String {
    switch self {
    case .userNamespace, .mountNamespace, .pidNamespace, .networkNamespace, .ipcNamespace, .utsNamespace,
      .cgroupNamespace:
      "Allow this user to make namespaces (user.max_user_namespaces, the AppArmor rule for user namespaces, the seccomp profile of a container)."
    case .proc:
      "Let the container show all of /proc: --security-opt systempaths=unconfined of docker, unmask=ALL of podman."
    case .mounts, .root:
      "Check that every path named in the policy exists and that mounts are allowed in this container."
    case .credentials:
      "Run the host as an ordinary user, or as root with the right to change user and group ids."
    case .workingDirectory:
      "Move the host's state to a directory that the extension's user can reach, for example with ANNEX_HOME."
    case .landlock: "Use a kernel with Landlock (5.13 or later, `landlock` in the list of security modules)."
    case .execOnce, .seccomp: "Use a kernel with seccomp filters and user notification (5.5 or later)."
    case .execute: "Check that the executable is a program for this machine and that its interpreter is granted."
    case .limits: "Raise the hard limits of the host, or lower the extension's limits."
    case .descriptors, .policy, .session, .`init`, .extensionProcess:
      "Reinstall the host, so that it and its launcher are of one version; check the limit of processes."
    }
  }
}

/// A stage of the launcher that failed, with the kernel's reason.
package struct LaunchFailure: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The stage that failed.
  package let stage: LaunchStage
  /// The errno of the call that failed; 0 when the layer was set up and did not hold.
  package let errorNumber: Int32

  /// Creates a failure; `errorNumber` is 0 when the kernel accepted the call without effect.
  package init(stage: LaunchStage, errorNumber: Int32) {
    self.stage = stage
    self.errorNumber = errorNumber
  }

  /// What an administrator or an author can do: ``LaunchStage/recovery``, or what fits a folder that the extension's user may
  /// not pass through.
  package var recovery: String {
    guard errorNumber == EACCES, [.workingDirectory, .landlock, .execute].contains(stage) else { return stage.recovery }
    return "In this sandbox the extension has a user of its own, who cannot reach its files. Move the host's state "
      + "(ANNEX_HOME), the bundle and the program out of folders that only their owner may enter (namei -l PATH shows "
      + "them)."
  }

  /// What an administrator can do: ``recovery``, or what fits a root that lacks rights.
  func recovery(for host: HostIdentity) -> String {
    guard host.userID == 0, LaunchStage.userNamespace <= stage, stage <= .cgroupNamespace else { return recovery }
    return "This root lacks CAP_SYS_ADMIN and may not make user namespaces. Of a container that runs the host, either "
      + "give it the right (--cap-add SYS_ADMIN) or let it make them (--security-opt seccomp=unconfined, or a profile "
      + "that allows unshare)."
  }

  package var description: String {
    errorNumber == 0 ? "stage \(stage) did not hold" : "stage \(stage) failed (\(SystemError(errorNumber)))"
  }
}
