internal import CLinux
internal import Glibc

/// A clock for what several processes agree on, such as leases: it stands for this start of the machine, runs on in sleep, and nobody can set it.
package struct BootClock: Sendable {
  /// Which start of the machine; times of another say nothing.
  package let boot: String
  /// Nanoseconds since then.
  package let now: @Sendable () -> Int64

  package init(boot: String, now: @escaping @Sendable () -> Int64) {
    self.boot = boot
    self.now = now
  }

  /// The machine's own.
  package static let system = BootClock(boot: bootID) { Int64(clinux_boottime_nanoseconds()) }

  private static let bootID: String = {
    let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "unknown" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 > 32 }, as: UTF8.self)
  }()

  /// When a duration that begins now is over.
  package func end(of duration: Duration) -> Int64 {
    let (end, overflow) = now().addingReportingOverflow(Int64(clamping: duration.wholeNanoseconds))
    return overflow ? .max : end
  }
}
