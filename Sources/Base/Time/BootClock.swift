internal import CLinux
internal import Glibc

/// A clock for what several processes agree on, such as leases: it counts from the start of the machine, also while the
/// machine sleeps, and nobody can set it.
package struct BootClock: Sendable {
  /// Identifies one start of the machine. Times of different starts cannot be compared.
  package let boot: String
  /// Returns the nanoseconds since that start.
  package let now: @Sendable () -> Int64

  /// Creates a clock for a start of the machine.
  package init(boot: String, now: @escaping @Sendable () -> Int64) {
    self.boot = boot
    self.now = now
  }

  /// The clock of this machine.
  package static let system = BootClock(boot: bootID) { Int64(clinux_boottime_nanoseconds()) }

  private static let bootID: String = {
    let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "unknown" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 > 32 }, as: UTF8.self)
  }()

  /// Returns the time at which a duration that begins now ends, in nanoseconds; a negative duration ends now, and one
  /// that ends beyond what the clock can count never does.
  package func end(of duration: Duration) -> Int64 {
    let (seconds, attoseconds) = max(.zero, duration).components
    guard seconds < 9_000_000_000 else { return .max }
    let (end, overflow) = now().addingReportingOverflow(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    return overflow ? .max : end
  }
}
