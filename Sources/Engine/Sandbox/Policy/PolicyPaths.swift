import CLaunchPolicy
import Files
import Text

/// The paths of a policy as the launcher wants them: without links, each once, a directory before what lies in it.
struct PolicyPaths: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    let kind: UInt32
    let path: String
    /// Of a link; nil otherwise.
    var target: String?
  }

  private(set) var entries: [Entry] = []

  private static let readExecute = LAUNCH_PATH_READ_EXECUTE.rawValue
  private static let readWrite = LAUNCH_PATH_READ_WRITE.rawValue
  private static let read = LAUNCH_PATH_READ.rawValue

  /// - Throws: `policyInvalid` for a path of the policy that does not exist.
  init(_ policy: SandboxPolicy) throws(SandboxError) {
    for path in policy.runtime { add(path, kind: Self.readExecute) }
    for path in RuntimeDirectories.data { add(path, kind: Self.read) }
    add("/dev/null", kind: LAUNCH_PATH_DEVICE.rawValue)
    add("/dev/urandom", kind: LAUNCH_PATH_DEVICE_READ.rawValue)
    for path in policy.readOnlyPaths { try require(path, kind: Self.readExecute) }
    try require(policy.bundle ?? policy.executable, kind: Self.readExecute)
    for container in policy.containers {
      try require(container.path, kind: container.access == .readWrite ? Self.readWrite : Self.read)
    }
    try require(policy.scratch, kind: Self.readWrite)
    entries = Self.sorted(entries)
  }

  private mutating func require(_ path: String, kind: UInt32) throws(SandboxError) {
    guard add(path, kind: kind) else {
      throw SandboxError(
        .policyInvalid, "\(path) does not exist or cannot be reached.",
        recovery: "Create it first, or leave it out of what the extension is given.")
    }
  }

  @discardableResult
  private mutating func add(_ path: String, kind: UInt32) -> Bool {
    guard let resolved = ResolvedPath(path) else { return false }
    for link in resolved.links {
      let entry = Entry(kind: LAUNCH_PATH_LINK.rawValue, path: link.path, target: link.target)
      if !entries.contains(where: { $0.path.hasBytes(of: link.path) }) { entries.append(entry) }
    }
    // Named twice: the greater right was asked for on purpose, the order of the kinds is read, execute, write.
    if let index = entries.firstIndex(where: { $0.path.hasBytes(of: resolved.path) }) {
      if entries[index].kind < kind { entries[index] = Entry(kind: kind, path: resolved.path) }
    } else {
      entries.append(Entry(kind: kind, path: resolved.path))
    }
    return true
  }

  /// Parents first, and no link inside a directory that is shown anyway.
  private static func sorted(_ entries: [Entry]) -> [Entry] {
    let shown = entries.filter { $0.target == nil }
    return entries.filter { entry in
      entry.target == nil || !shown.contains { entry.path != $0.path && entry.path.isBelowOrEqual($0.path) }
    }.sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
  }
}

/// Where a system keeps what any dynamically linked program needs.
package enum RuntimeDirectories {
  #if arch(x86_64)
    private static let triplet = "x86_64-linux-gnu"
  #else
    private static let triplet = "aarch64-linux-gnu"
  #endif

  /// The loader and the C and C++ libraries, read-only. On systems that keep the libraries of each architecture apart
  /// only those of this one.
  package static let standard: [String] = {
    let separate = FileStatus("/usr/lib/\(triplet)")?.kind == .directory
    let names =
      separate
      ? ["/lib/\(triplet)", "/usr/lib/\(triplet)", "/lib64", "/usr/lib64"]
      : ["/lib", "/usr/lib", "/lib64", "/usr/lib64"]
    return names.filter { FileStatus($0) != nil }
  }()

  /// The same with and without their links.
  static let resolved: Set<String> = Set(standard + standard.compactMap { ResolvedPath($0)?.path })

  /// Files that programs read without asking for anything: the cache of the loader, the time zones.
  static let data = ["/etc/ld.so.cache", "/usr/share/zoneinfo"]
}
