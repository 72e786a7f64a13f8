import Glibc

/// What a group is called: `annex-<pid of the host>-<its start time>-<number>`. Together they name one host for as long as
/// the machine runs, also when the pid is used again.
struct ControlGroupName: Sendable, Hashable {
  let pid: Int32
  /// In ticks since the start of the machine, as the kernel tells it.
  let startTime: UInt64
  let number: UInt64

  init(pid: Int32, startTime: UInt64, number: UInt64) {
    self.pid = pid
    self.startTime = startTime
    self.number = number
  }

  /// - Returns: nil for a name that no host gives.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "annex", let pid = Int32(parts[1]), pid > 0,
      let startTime = UInt64(parts[2]), let number = UInt64(parts[3])
    else { return nil }
    self.init(pid: pid, startTime: startTime, number: number)
    guard self.text == text else { return nil }
  }

  var text: String { "annex-\(pid)-\(startTime)-\(number)" }

  /// Whether the host that made the group still runs.
  var isOfLivingHost: Bool { Self.startTime(of: pid) == startTime }

  /// When a process started; nil when there is none with this number.
  static func startTime(of pid: Int32) -> UInt64? {
    FileSystem.prefix(of: "/proc/\(pid)/stat", limit: 4096).flatMap { startTime(inStat: $0) }
  }

  /// The 22nd field of `/proc/<pid>/stat`, of which the name in parentheses may hold anything.
  static func startTime(inStat bytes: [UInt8]) -> UInt64? {
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
  }
}
