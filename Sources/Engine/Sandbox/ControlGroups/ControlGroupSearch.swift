import CLinux
import Files
import Text

/// Finds the directory of control groups that systemd has given to this host.
package enum ControlGroupSearch {
  /// The host's own group, or the one above it, where it is marked as delegated; nil where none is.
  ///
  /// systemd marks the group of a unit with `Delegate=`. With `DelegateSubgroup=` the host itself is in a group below it,
  /// as the kernel wants it.
  package static func delegated() -> String? {
    guard let groups = ControlFile.read("/proc/self/cgroup"), let mounts = whole("/proc/self/mountinfo") else {
      return nil
    }
    return candidates(groups: groups, mounts: mounts).first { unsafe clinux_is_delegated($0) != 0 }
  }

  /// The directories that are asked, the likelier one first. Pure.
  ///
  /// - Parameters:
  ///   - groups: `/proc/self/cgroup`
  ///   - mounts: `/proc/self/mountinfo`
  static func candidates(groups: String, mounts: String) -> [String] {
    guard let own = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") })?.dropFirst(3) else {
      return []
    }
    guard let mount = mounts.split(separator: "\n").lazy.compactMap({ unified($0) }).first else { return [] }
    // A group outside of what is mounted here has no name.
    guard !own.pathParts().contains("..") else { return [] }
    let root = mount.root == "/" ? "" : mount.root
    guard own == root || own.hasPrefix(root + "/") else { return [] }
    let below = own.dropFirst(root.count).pathParts().map(String.init)
    let depths = below.isEmpty ? [0] : [below.count - 1, below.count]
    return depths.map { ([mount.point] + below.prefix($0)).joined(separator: "/") }
  }

  /// Where version 2 is mounted, from a line of `mountinfo`; nil for every other mount.
  private static func unified(_ line: Substring) -> (root: String, point: String)? {
    let halves = line.split(separator: " - ", maxSplits: 1)
    let fields = halves[0].split(separator: " ")
    guard halves.count == 2, halves[1].hasPrefix("cgroup2 "), fields.count > 4 else { return nil }
    return (String(fields[3]), String(fields[4]))
  }

  /// The table of mounts of a machine with many containers is larger than other files of the kernel.
  private static func whole(_ path: String) -> String? {
    File.prefix(of: path, limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
  }
}
