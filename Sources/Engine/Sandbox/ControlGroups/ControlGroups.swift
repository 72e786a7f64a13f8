import CLinux
import Files
import Glibc
import Synchronization

/// A directory of control groups that belongs to this host, which makes groups for its extensions below it.
///
/// Only the owner of such a directory can write to it, and by systemd's rule each directory has one writer. So the host
/// uses only a directory that was delegated to it.
package struct ControlGroups: Sendable, Hashable {
  /// Of the kernel's interface.
  package enum Version: String, Sendable {
    case one = "1"
    case two = "2"
  }

  /// The absolute path of the directory.
  package let path: String
  /// The version of the control groups on this machine.
  package let version: Version
  /// Whether the number of threads is bounded as well as memory.
  package let boundsThreads: Bool

  private static let count = Atomic<UInt64>(0)
}

extension ControlGroups {
  /// Tries what is needed for an extension: makes a group, bounds it and removes it. Groups that a dead host left are
  /// removed first.
  ///
  /// - Throws: `controlGroupUnusable` with what the kernel refused.
  package init(below path: String) throws(SandboxError) {
    let (version, boundsThreads) = try Self.prepare(path)
    self.init(path: path, version: version, boundsThreads: boundsThreads)
    sweep()
    let trial = try make(ControlGroup.Bounds(memory: 1 << 20, threads: 1))
    guard trial.remove() else { throw .controlGroup("The control group \(trial.path) cannot be removed", errno) }
  }

  /// A new group, empty.
  ///
  /// - Throws: `controlGroupUnusable`; nothing is left then.
  package func make(_ bounds: ControlGroup.Bounds) throws(SandboxError) -> ControlGroup {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let name = ControlGroupName(host: .current, number: number)
    let group = ControlGroup(path: "\(path)/\(name.text)", version: version)
    guard unsafe mkdir(group.path, 0o755) == 0 else {
      throw .controlGroup("The control group \(group.path) could not be made", errno)
    }
    do {
      try group.limit(bounds, boundsThreads: boundsThreads)
    } catch {
      _ = group.remove()
      throw error
    }
    return group
  }

  /// Removes the groups of hosts that are dead. Their processes ended with them; a group that still has one stays.
  func sweep() {
    for text in Folder.names(in: path) {
      guard let name = ControlGroupName(text), !name.host.isAlive else { continue }
      _ = unsafe rmdir("\(path)/\(text)")
    }
  }

  /// Determines the version of the directory's interface, and enables the controllers that version 2 needs for the
  /// groups below it.
  private static func prepare(_ path: String) throws(SandboxError) -> (Version, boundsThreads: Bool) {
    if ControlFile.read("\(path)/memory.limit_in_bytes") != nil { return (.one, false) }
    guard let offered = ControlFile.read("\(path)/cgroup.controllers")?.split(separator: " ") else {
      throw .controlGroup(
        "\(path) is not a directory of control groups that bounds memory", ENOTDIR,
        recovery: "Name one below /sys/fs/cgroup that belongs to this host.")
    }
    guard offered.contains("memory") else {
      throw .controlGroup(
        "The control group \(path) does not offer the controller of memory", ENOTSUP,
        recovery: "Delegate the memory controller to this host, in a unit of systemd with Delegate=memory pids.")
    }
    let isEnabled = { (controller: String) in
      ControlFile.read("\(path)/cgroup.subtree_control")?.split(separator: " ").contains(controller[...]) ?? false
    }
    if !isEnabled("memory") {
      let error = ControlFile.write("+memory", to: "\(path)/cgroup.subtree_control")
      guard error == 0 else {
        throw .controlGroup(
          "The control group \(path) does not bound the memory of groups below it", error,
          recovery: error == EBUSY
            ? "Keep processes out of that group itself; in a unit of systemd, write DelegateSubgroup=host."
            : "Give that directory and its files to the host's user.")
      }
    }
    if offered.contains("pids"), !isEnabled("pids") {
      _ = ControlFile.write("+pids", to: "\(path)/cgroup.subtree_control")
    }
    return (.two, isEnabled("pids"))
  }
}
