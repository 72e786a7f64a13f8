import CLinux
import ExtensionProtocol
import Glibc
import Sandbox

/// What one extension may keep on the disk: its container together with its scratch directory, and each container of an
/// app group that it may write to.
struct DiskQuota: Sendable {
  /// Each within the limits by itself; the first path is what messages name.
  let folders: [[String]]
  let limits: ExtensionLimits

  init(_ folders: ExtensionFolders, limits: ExtensionLimits) {
    let groups = folders.groupAccess == .readWrite ? folders.groups.values.sorted() : []
    self.init([[folders.container, folders.scratch]] + groups.map { [$0] }, limits: limits)
  }

  init(_ folders: [[String]], limits: ExtensionLimits) {
    self.folders = folders
    self.limits = limits
  }

  /// Counts, and stops at the first excess. Blocks the calling thread for about 2 µs a file, and looks at no more files
  /// than are allowed. What cannot be read does not count.
  func excess() -> DiskExcess? {
    for group in folders {
      if let excess = excess(of: group) { return excess }
    }
    return nil
  }

  private func excess(of paths: [String]) -> DiskExcess? {
    var files: UInt64 = 0
    var bytes: UInt64 = 0
    for path in paths {
      var usage = clinux_tree_usage()
      let rest = clinux_tree_usage(files: limits.containerFiles - files, bytes: limits.containerSize - bytes)
      _ = clinux_tree_usage(path, rest, &usage)
      files += usage.files
      bytes += usage.bytes
      if files > limits.containerFiles {
        return DiskExcess(folder: paths[0], used: files, ceiling: limits.containerFiles, unit: .files)
      }
      if bytes > limits.containerSize {
        return DiskExcess(folder: paths[0], used: bytes, ceiling: limits.containerSize, unit: .bytes)
      }
    }
    return nil
  }

  /// The refusal to start an extension whose folders are too large already: started, it would be ended at once, and
  /// could write a little more each time.
  static func refusal(_ excess: DiskExcess, of identity: Caller.Identity) -> ExtensionError {
    var details = ExitReason.diskQuota(excess).details
    details["extension"] = .string(identity.id)
    return ExtensionError(
      .limitExceeded, "\(identity.displayName) was not started: \(excess.folder) holds \(excess.description).",
      recovery: recovery(excess), details: details)
  }

  static func recovery(_ excess: DiskExcess) -> String {
    "Remove files from \(excess.folder), or raise the limit of the extension point in the host's configuration."
  }
}
