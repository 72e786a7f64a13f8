import CLaunchPolicy
import CLinux
import Files
import Glibc

/// A launcher that runs before there is anything to launch: it has made the namespaces that every policy of this host
/// has, and waits for one. It ends with this value.
package struct StandbyLauncher: ~Copyable, Sendable {
  /// What a launcher was started for. A policy that needs something else cannot be taken by it.
  package struct Kind: Sendable, Hashable {
    let command: LaunchCommand
    /// The facilities that are made ahead.
    let facilities: UInt32
    let userID: UInt32
    let groupID: UInt32

    /// - Returns: `nil` when every app has a user of its own who makes the namespaces.
    init?(_ command: LaunchCommand, _ contents: LaunchPlan.Contents) {
      if contents.facilities.contains(.takeUser) { return nil }
      self.command = command
      facilities = contents.facilities.intersection(.standby).rawValue
      // The ids matter to a namespace of users only.
      let hasUsers = contents.facilities.contains(.userNamespace)
      userID = hasUsers ? contents.userID : 0
      groupID = hasUsers ? contents.groupID : 0
    }
  }

  /// The launcher's process, once it has something to launch. The caller owns the descriptors.
  struct Parts {
    let pid: Int32
    let pidfd: Int32
    /// The host's end of the launcher's socket.
    let control: Int32
  }

  package let kind: Kind
  /// For messages and tests; the process is signalled and reaped by its descriptor.
  package var pid: Int32 { process.pid }
  private let process: WaitingProcess

  /// Starts a launcher. Blocks the calling thread until it is executed.
  ///
  /// - Throws: `system` when the host lacks descriptors, processes or memory.
  package init(_ kind: Kind) throws(SandboxError) {
    let control = try Channel()
    let null = Descriptor(unsafe open("/dev/null", O_RDWR | O_CLOEXEC))
    guard null.number >= 0 else { throw .system("open", errno) }
    var command = kind.command
    command.arguments += [LAUNCH_STANDBY_ARGUMENT] + [kind.facilities, kind.userID, kind.groupID].map { "\($0)" }
    let below = [Int32](repeating: null.number, count: Int(LAUNCH_DESCRIPTOR_CONTROL.rawValue))
    let child = try command.start(descriptors: below + [control.childEnd.number])
    self.kind = kind
    process = WaitingProcess(pid: child.pid, pidfd: child.pidfd, control: control.host())
  }

  /// Has the launcher go on with its launch.
  ///
  /// - Parameter descriptors: its standard streams and the policy.
  /// - Returns: `nil` when it has ended meanwhile.
  consuming func take(_ descriptors: [Int32]) -> Parts? { process.take(descriptors) }
}

/// The process of a launcher that waits, which is ended and reaped when nobody takes it.
private struct WaitingProcess: ~Copyable, Sendable {
  let pid: Int32
  let pidfd: Int32
  let control: Int32

  deinit {
    _ = clinux_pidfd_signal(pidfd, SIGKILL)
    var end: Int32 = 0
    var status: Int32 = 0
    _ = unsafe clinux_pidfd_reap(pidfd, 1, &end, &status)
    close(pidfd)
    close(control)
  }

  consuming func take(_ descriptors: [Int32]) -> StandbyLauncher.Parts? {
    let isSent = unsafe clinux_send_descriptors(control, descriptors, descriptors.count) == 0
    guard isSent else {
      // Ends it.
      _ = consume self
      return nil
    }
    let parts = StandbyLauncher.Parts(pid: pid, pidfd: pidfd, control: control)
    discard self
    return parts
  }
}

extension SandboxFacilities {
  /// What a launcher can make before it knows the policy.
  fileprivate static let standby = SandboxFacilities(rawValue: UInt32(LAUNCH_STANDBY_FACILITIES.rawValue))
}
