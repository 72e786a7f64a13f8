import Files
import Glibc

/// One process for as long as the machine runs: its number, and when it started, so that a later process with the same
/// number is not taken for it.
package struct ProcessIdentity: Sendable, Hashable {
  /// The number of the process.
  package let pid: Int32
  /// The start time in the kernel's ticks since boot; 0 when the kernel does not report it.
  package let startTime: UInt64

  /// Creates an identity; `startTime` is in clock ticks since the machine's start.
  package init(pid: Int32, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }

  /// The identity of this process.
  package static let current: ProcessIdentity = {
    let stat = Stat(of: getpid())
    return ProcessIdentity(pid: getpid(), startTime: stat?.startTime ?? 0)
  }()

  /// `<pid>-<start time>`, as the names of folders and groups hold it.
  package var text: String { "\(pid)-\(startTime)" }

  /// - Returns: nil for what ``text`` never gives.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let pid = Int32(parts[0]), pid > 0, let startTime = UInt64(parts[1]) else { return nil }
    self.init(pid: pid, startTime: startTime)
    guard self.text == text else { return nil }
  }

  /// Whether the process still runs; a zombie does not. A process about which the kernel reports nothing is treated as
  /// alive, because nothing may be taken away from a living process.
  package var isAlive: Bool {
    if kill(pid, 0) != 0, errno == ESRCH { return false }
    return isAlive(Stat(of: pid))
  }

  func isAlive(_ stat: Stat?) -> Bool {
    guard let stat else { return true }
    return !stat.hasEnded && (startTime == 0 || startTime == stat.startTime)
  }

  /// The fields of `/proc/<pid>/stat` that identify a process.
  struct Stat: Sendable, Hashable {
    let startTime: UInt64
    /// Whether the process has ended, even if its parent has not reaped it.
    let hasEnded: Bool

    /// - Returns: nil when there is no such process, or it is not shown.
    init?(of pid: Int32) {
      guard let bytes = File.prefix(of: "/proc/\(pid)/stat", limit: 4096) else { return nil }
      self.init(bytes)
    }

    /// Of the file's fields the third, the 20th and the 22nd; the name in parentheses may hold anything.
    init?(_ bytes: [UInt8]) {
      guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
      let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard fields.count > 19, let threads = Int(fields[17]), let startTime = UInt64(fields[19]) else { return nil }
      self.startTime = startTime
      // The first thread of a process may end before the others.
      hasEnded = ["Z", "X"].contains(fields[0]) && threads <= 1
    }
  }
}
