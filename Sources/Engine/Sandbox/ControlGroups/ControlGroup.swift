import Files
import Glibc

/// A control group of the kernel for one extension. The kernel bounds the memory of all of its processes together,
/// exactly, and kills a process that exceeds the limit.
package struct ControlGroup: Sendable, Hashable {
  /// The absolute path of its directory.
  package let path: String
  let version: ControlGroups.Version

  /// What the processes of a group may use together.
  package struct Bounds: Sendable, Hashable {
    /// In bytes: pages of their own, shared and file pages that cannot be forgotten, and what the kernel holds for them.
    package var memory: UInt64
    /// Threads of the extension. The launcher's own processes come on top.
    package var threads: UInt64

    /// Creates bounds: bytes of memory, and a number of threads.
    package init(memory: UInt64, threads: UInt64) {
      self.memory = memory
      self.threads = threads
    }
  }

  /// Puts a process into the group; what it starts from now on is in it too.
  ///
  /// - Throws: `controlGroupUnusable` when the kernel refuses to.
  package func admit(_ pid: Int32) throws(SandboxError) {
    let error = ControlFile.write("\(pid)", to: "\(path)/cgroup.procs")
    if error != 0 { throw .controlGroup("The launcher could not enter the control group \(path)", error) }
  }

  /// How many of its processes the kernel has ended because there was no memory left in the group.
  package var memoryKills: UInt64 {
    let file = version == .two ? "memory.events" : "memory.oom_control"
    return ControlFile.read("\(path)/\(file)").flatMap { ControlFile.number(of: "oom_kill", in: $0) } ?? 0
  }

  /// The most memory that it has used at a time, in bytes; nil where the kernel does not tell (version 2 before 5.19).
  package var peakMemory: UInt64? {
    let file = version == .two ? "memory.peak" : "memory.max_usage_in_bytes"
    return ControlFile.read("\(path)/\(file)").flatMap { UInt64($0) }
  }

  /// Removes the group.
  ///
  /// - Returns: false while a process is in it.
  package func remove() -> Bool { unsafe rmdir(path) == 0 || errno == ENOENT }

  /// Sets what is bounded.
  func limit(_ bounds: Bounds, boundsThreads: Bool) throws(SandboxError) {
    switch version {
    case .one:
      try set("memory.limit_in_bytes", "\(bounds.memory)")
      // Memory and swap together; there only where the kernel counts swap.
      try set("memory.memsw.limit_in_bytes", "\(bounds.memory)", isOptional: true)
    case .two:
      try set("memory.max", "\(bounds.memory)")
      try set("memory.swap.max", "0", isOptional: true)
      try set("memory.oom.group", "1", isOptional: true)
      guard boundsThreads else { return }
      let most = min(bounds.threads, UInt64(UInt32.max)) + SandboxLimits.launcherProcesses
      try set("pids.max", "\(most)")
    }
  }

  private func set(_ file: String, _ value: String, isOptional: Bool = false) throws(SandboxError) {
    let error = ControlFile.write(value, to: "\(path)/\(file)")
    if error == 0 || isOptional && error == ENOENT { return }
    throw .controlGroup("\(file) of the control group \(path) could not be set to \(value)", error)
  }
}

extension SandboxError {
  /// What could not be done with control groups.
  static func controlGroup(_ what: String, _ number: Int32, recovery: String? = nil) -> SandboxError {
    SandboxError(
      .controlGroupUnusable, "\(what) (\(SystemError(number))).",
      recovery: recovery ?? "Give the host a directory of control groups that it may write to, or none.")
  }
}

/// What a group is called: `annex-<pid of the host>-<its start time>-<number>`.
struct ControlGroupName: Sendable, Hashable {
  let host: ProcessIdentity
  let number: UInt64

  init(host: ProcessIdentity, number: UInt64) {
    self.host = host
    self.number = number
  }

  /// - Returns: nil for a name that no host gives.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "annex", let host = ProcessIdentity("\(parts[1])-\(parts[2])"),
      let number = UInt64(parts[3])
    else { return nil }
    self.init(host: host, number: number)
    guard self.text == text else { return nil }
  }

  var text: String { "annex-\(host.text)-\(number)" }
}
