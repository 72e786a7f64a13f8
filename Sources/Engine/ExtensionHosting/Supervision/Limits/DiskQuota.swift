import CLinux
import EventLoop
import ExtensionProtocol
import Glibc
import JSON
import Sandbox
import Synchronization

/// The disk quota of one extension: for its container together with its scratch directory, and for each app group's
/// container that it may write to.
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

  /// The result of a count.
  enum Count: Equatable {
    case within
    case excess(DiskExcess)
    /// Folders were moved or removed meanwhile, or the host lacks descriptors: what was counted may be too little.
    case incomplete
  }

  /// Returns the excess in the folders while no process uses them; `nil` within the quota.
  func excess() -> DiskExcess? {
    if case .excess(let excess) = count() { excess } else { nil }
  }

  /// Counts the files, and stops at the first excess. Blocks the calling thread for about 2 µs per file, and reads no
  /// more files than the quota allows. A folder that cannot be counted is an excess: the host may read wherever an
  /// extension may write, so the extension must have prevented it.
  ///
  /// - Parameter process: a descriptor of the folder in `/proc` of a process that writes to the folders. Its unnamed
  ///   files count as well; `nil` when no process runs.
  func count(process: Int32? = nil) -> Count {
    var isIncomplete = false
    for (index, group) in folders.enumerated() {
      switch count(group, process: index == 0 ? process : nil) {
      case .within: continue
      case .excess(let excess): return .excess(excess)
      case .incomplete: isIncomplete = true
      }
    }
    return isIncomplete ? .incomplete : .within
  }

  /// The excess of an extension that moves its folders during every count.
  var uncountable: DiskExcess {
    DiskExcess(folder: folders.first?.first ?? "", used: 0, ceiling: limits.containerSize, unit: .uncountable)
  }

  private func count(_ paths: [String], process: Int32?) -> Count {
    var files: UInt64 = 0
    var bytes: UInt64 = 0
    var isIncomplete = false
    func excess(_ used: UInt64, _ ceiling: UInt64, _ unit: DiskExcess.Unit) -> Count {
      .excess(DiskExcess(folder: paths[0], used: used, ceiling: ceiling, unit: unit))
    }
    for path in paths {
      var usage = clinux_tree_usage()
      let rest = clinux_tree_usage(files: limits.containerFiles - files, bytes: limits.containerSize - bytes)
      let error = clinux_tree_usage(path, rest, &usage) == 0 ? 0 : errno
      files += usage.files
      bytes += usage.bytes
      if files > limits.containerFiles { return excess(files, limits.containerFiles, .files) }
      if bytes > limits.containerSize { return excess(bytes, limits.containerSize, .bytes) }
      isIncomplete = isIncomplete || Self.mayPass(error)
      if error != 0, !Self.mayPass(error) { return excess(bytes, limits.containerSize, .uncountable) }
    }
    guard let process else { return isIncomplete ? .incomplete : .within }
    var unlinked = clinux_unlinked_usage()
    let names = Array(folders.joined().map { $0.utf8CString }.joined()) + [0]
    let rest = clinux_unlinked_usage(files: limits.containerFiles - files, bytes: limits.containerSize - bytes)
    let error = clinux_unlinked_usage(process, names, limits.fileSize, rest, &unlinked) == 0 ? 0 : errno
    files += unlinked.files
    bytes += unlinked.bytes
    if files > limits.containerFiles { return excess(files, limits.containerFiles, .files) }
    if bytes > limits.containerSize { return excess(bytes, limits.containerSize, .bytes) }
    // A host without the right to read a process's descriptors never gets it; that is a property of the machine.
    return isIncomplete || Self.mayPass(error) ? .incomplete : .within
  }

  /// Whether the next count may succeed: files moved during this one, or the host was short of a resource.
  private static func mayPass(_ error: Int32) -> Bool {
    [ESTALE, ENOENT, EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN].contains(error)
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

/// A thread for work that waits for the disk. It begins with the first piece of work and ends with its owner. Where the
/// system has no thread or no descriptor left, the work is done where it is asked for.
final class DiskLoop: Sendable {
  private let loop = Mutex<EventLoop?>(nil)

  deinit { loop.withLock { $0 }?.stop() }

  /// Runs the action on the thread, after those before it.
  func run(_ action: @escaping @Sendable () -> Void) {
    let loop = loop.withLock { loop -> EventLoop? in
      if let loop { return loop }
      let new = try? EventLoop.started(name: "annex-disk", spin: .zero)
      loop = new
      return new
    }
    if let loop { loop.execute(action) } else { action() }
  }
}
