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

  enum Look: Equatable {
    case figures(Figures)
    /// It runs, and none of its threads could be looked at.
    case hidden
    case ended
  }

  /// Its folder in `/proc`, for looks at its files.
  let folder: Int32
  private let times: Int32
  /// Of a thread that runs: all have the same memory, and that of a thread that has ended reads as none.
  private var memory: Int32
  private var status: Int32
  /// What was seen last: a process that has not run since uses no more.
  private var last: Figures?

  private static let pageSize = UInt64(max(4096, getpagesize()))
  private static let tick = Duration.nanoseconds(1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
  private static let flags = O_RDONLY | O_CLOEXEC

  /// - Parameter launcher: the process that the host started; the extension is the last of its descendants, since the
  ///   sandbox lets nobody fork.
  init?(launcher: Int32) {
    let folder = open("/proc/\(Self.lastDescendant(of: launcher))", Self.flags | O_DIRECTORY)
    guard folder >= 0 else { return nil }
    let memory = openat(folder, "statm", Self.flags)
    let times = openat(folder, "stat", Self.flags)
    let status = openat(folder, "status", Self.flags)
    guard memory >= 0, times >= 0, status >= 0 else {
      for descriptor in [folder, memory, times, status] where descriptor >= 0 { close(descriptor) }
      return nil
    }
    self.folder = folder
    self.memory = memory
    self.times = times
    self.status = status
  }

  deinit {
    close(folder)
    close(memory)
    close(times)
    close(status)
  }

  mutating func look() -> Look {
    guard let times = Self.read(times).flatMap({ ProcessFigures.Times($0) }) else { return .ended }
    var pages = Self.read(memory).flatMap { ProcessFigures.Pages($0) }
    if pages?.size ?? 0 == 0, times.threads > 1 {
      // Threads may come and go while they are listed.
      for _ in 0..<8 where pages?.size ?? 0 == 0 { pages = followLivingThread() }
      if pages?.size ?? 0 == 0 { return .hidden }
    }
    guard let pages else { return .ended }
    let cpu = Self.tick * Int(clamping: times.ticks)
    let own = (pages.resident - pages.shared) &* Self.pageSize
    if let last, last.cpu == cpu, last.threads == times.threads, own <= last.memory { return .figures(last) }
    let memory = Self.read(status).flatMap { ProcessFigures.footprint($0) } ?? own
    let figures = Figures(cpu: cpu, memory: memory, threads: times.threads)
    last = figures
    return .figures(figures)
  }

  /// Looks through a thread that runs from now on.
  private mutating func followLivingThread() -> ProcessFigures.Pages? {
    let tasks = openat(folder, "task", Self.flags | O_DIRECTORY)
    guard tasks >= 0 else { return nil }
    guard let stream = fdopendir(tasks) else {
      close(tasks)
      return nil
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let thread = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !thread.hasPrefix(".") else { continue }
      let memory = openat(tasks, "\(thread)/statm", Self.flags)
      let status = openat(tasks, "\(thread)/status", Self.flags)
      let pages = memory < 0 ? nil : Self.read(memory).flatMap { ProcessFigures.Pages($0) }
      guard status >= 0, let pages, pages.size > 0 else {
        for descriptor in [memory, status] where descriptor >= 0 { close(descriptor) }
        continue
      }
      close(self.memory)
      close(self.status)
      self.memory = memory
      self.status = status
      return pages
    }
    return nil
  }

  private static func lastDescendant(of pid: Int32) -> Int32 {
    var last = pid
    // The launcher makes two generations at most.
    for _ in 0..<4 {
      let descriptor = open("/proc/\(last)/task/\(last)/children", flags)
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
