import CLinux
import Files
import Glibc

/// Looks at one extension's process. It keeps no descriptors: the start time tells whether a number still means the same
/// process, and the processor time whether there is anything new to read.
struct ProcessSampler: Sendable {
  /// The measured use of a process.
  struct Figures: Equatable {
    var cpu: Duration
    /// See ``ExtensionLimits/memory``, in bytes.
    var memory: UInt64
    var threads: UInt64
  }

  enum Look: Equatable {
    case figures(Figures)
    /// The process runs but cannot be measured: none of its threads is readable, or the host has no free descriptor.
    case hidden
    case ended
  }

  private let pid: Int32
  /// In ticks since the start of the machine.
  private let startTime: UInt64
  /// The processor time in nanoseconds before the last look that came to something.
  private var timeAtLook: UInt64?
  /// The last measurement. A process that has not run since then uses the same.
  private var last: Figures?

  private static let pageSize = UInt64(max(4096, getpagesize()))
  private static let tick = Duration.nanoseconds(1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
  private static let flags = O_RDONLY | O_CLOEXEC

  /// - Parameter launcher: the process that the host started. The extension is its last descendant, because the sandbox
  ///   forbids fork.
  init?(launcher: Int32) {
    pid = Self.lastDescendant(of: launcher)
    guard case .bytes(let text) = ProcessFile.read("/proc/\(pid)/stat"), let times = ProcessFigures.Times(text) else {
      return nil
    }
    startTime = times.startTime
  }

  /// Whether the process has used the processor since the last look, to the nanosecond. One that has not run has taken no
  /// memory, started no thread and written no file; a process that took its number has another time.
  var hasRun: Bool {
    var time: UInt64 = 0
    guard let timeAtLook, ProcessorClock.isFine, clinux_process_time(pid, &time) == 0 else { return true }
    return time != timeAtLook
  }

  /// The process, and the processor time in nanoseconds before the last look that came to something: while it is the
  /// same, nothing is new. `nil` where that is no sign.
  var mark: (pid: Int32, time: UInt64)? {
    guard let timeAtLook, ProcessorClock.isFine else { return nil }
    return (pid, timeAtLook)
  }

  /// The processor time at the last look, finer than in its figures.
  var processorTime: Duration? { timeAtLook.map { .nanoseconds(Int64(clamping: $0)) } }

  mutating func look() -> Look {
    // Before anything is read: what it does meanwhile is seen at the next look.
    var time: UInt64 = 0
    let isTimed = clinux_process_time(pid, &time) == 0
    let seen = read()
    if case .figures = seen { timeAtLook = isTimed ? time : nil }
    return seen
  }

  private mutating func read() -> Look {
    let times: ProcessFigures.Times
    switch ProcessFile.read("/proc/\(pid)/stat") {
    case .bytes(let text):
      guard let found = ProcessFigures.Times(text), found.startTime == startTime else { return .ended }
      times = found
    case .none: return .ended
    case .lacksDescriptors: return .hidden
    }
    var folder = "/proc/\(pid)"
    var pages: ProcessFigures.Pages?
    switch ProcessFile.read("\(folder)/statm") {
    case .bytes(let text): pages = ProcessFigures.Pages(text)
    case .none: break
    case .lacksDescriptors: return .hidden
    }
    if pages?.size ?? 0 == 0, times.threads > 1 {
      // The first thread has ended, and shows no memory. All have the same. Threads may come and go while they are listed.
      for _ in 0..<8 where pages?.size ?? 0 == 0 {
        guard let (found, thread) = livingThread() else { continue }
        (pages, folder) = (found, "/proc/\(pid)/task/\(thread)")
      }
      if pages?.size ?? 0 == 0 { return .hidden }
    }
    guard let pages else { return .ended }
    let cpu = Self.tick * Int(clamping: times.ticks)
    let own = (pages.resident - pages.shared) &* Self.pageSize
    if let last, last.cpu == cpu, last.threads == times.threads, own <= last.memory { return .figures(last) }
    var memory = own
    if case .bytes(let text) = ProcessFile.read("\(folder)/status") { memory = ProcessFigures.footprint(text) ?? own }
    let figures = Figures(cpu: cpu, memory: memory, threads: times.threads)
    last = figures
    return .figures(figures)
  }

  /// A thread that runs, and the memory that it shows.
  private func livingThread() -> (ProcessFigures.Pages, thread: String)? {
    for thread in Folder.names(in: "/proc/\(pid)/task") {
      guard case .bytes(let text) = ProcessFile.read("/proc/\(pid)/task/\(thread)/statm"),
        let pages = ProcessFigures.Pages(text), pages.size > 0
      else { continue }
      return (pages, thread)
    }
    return nil
  }

  /// A descriptor of the process's folder in `/proc`, for the caller to close: what is opened below it never speaks of
  /// another process. `nil` when it has ended, or no descriptor is left.
  func openFolder() -> Int32? {
    let folder = open("/proc/\(pid)", Self.flags | O_DIRECTORY)
    guard folder >= 0 else { return nil }
    if case .bytes(let text) = ProcessFile.read("stat", in: folder),
      ProcessFigures.Times(text)?.startTime == startTime
    {
      return folder
    }
    close(folder)
    return nil
  }

  private static func lastDescendant(of pid: Int32) -> Int32 {
    var last = pid
    // The launcher makes two generations at most.
    for _ in 0..<4 {
      guard case .bytes(let text) = ProcessFile.read("/proc/\(last)/task/\(last)/children"),
        let child = ProcessFigures.children(text).first
      else { break }
      last = child
    }
    return last
  }
}
