import CLinux
import Glibc

/// Looks at one extension's process through descriptors of its files in `/proc`: they never speak of another process,
/// also when its number is used again.
struct ProcessSampler: ~Copyable {
  /// What was seen.
  struct Figures: Equatable {
    var cpu: Duration
    /// See ``ExtensionLimits/memory``, in bytes.
    var memory: UInt64
    var threads: UInt64
  }

  private let memory: Int32
  private let times: Int32
  private let status: Int32
  /// What was seen last: a process that has not run since uses no more.
  private var last: Figures?

  private static let pageSize = UInt64(max(4096, getpagesize()))
  private static let tick = Duration.nanoseconds(1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))))

  /// - Parameter launcher: the process that the host started; the extension is the last of its descendants, since the
  ///   sandbox lets nobody fork.
  init?(launcher: Int32) {
    let pid = Self.lastDescendant(of: launcher)
    let flags = O_RDONLY | O_CLOEXEC
    let memory = open("/proc/\(pid)/statm", flags)
    let times = open("/proc/\(pid)/stat", flags)
    let status = open("/proc/\(pid)/status", flags)
    guard memory >= 0, times >= 0, status >= 0 else {
      for descriptor in [memory, times, status] where descriptor >= 0 { close(descriptor) }
      return nil
    }
    self.memory = memory
    self.times = times
    self.status = status
  }

  deinit {
    close(memory)
    close(times)
    close(status)
  }

  /// - Returns: `nil` when the process has ended.
  mutating func look() -> Figures? {
    guard let pages = Self.read(memory).flatMap({ ProcessFigures.Pages($0) }),
      let times = Self.read(times).flatMap({ ProcessFigures.Times($0) })
    else { return nil }
    let cpu = Self.tick * Int(clamping: times.ticks)
    let own = (pages.resident - pages.shared) &* Self.pageSize
    if let last, last.cpu == cpu, last.threads == times.threads, own <= last.memory { return last }
    let memory = Self.read(status).flatMap { ProcessFigures.footprint($0) } ?? own
    let figures = Figures(cpu: cpu, memory: memory, threads: times.threads)
    last = figures
    return figures
  }

  private static func lastDescendant(of pid: Int32) -> Int32 {
    var last = pid
    // The launcher makes two generations at most.
    for _ in 0..<4 {
      let descriptor = open("/proc/\(last)/task/\(last)/children", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { break }
      defer { close(descriptor) }
      guard let child = read(descriptor).flatMap({ ProcessFigures.children($0).first }) else { break }
      last = child
    }
    return last
  }

  private static func read(_ descriptor: Int32) -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? bytes[..<count] : nil
  }
}
