import EventLoop
import ExtensionProtocol
import Glibc
import JSONRPC
import Synchronization
import Testing

@testable import ExtensionHosting

/// A thread of this process, which stands in for an extension: it has no children, whatever else runs here.
private final class WatchedThread: Sendable {
  let loop = EventLoop.onThread(name: "watched")
  let number: Int32

  init() async throws {
    let loop = loop
    let text = await withCheckedContinuation { continuation in
      loop.execute {
        var bytes = [CChar](repeating: 0, count: 256)
        let count = readlink("/proc/thread-self", &bytes, bytes.count - 1)
        continuation.resume(returning: String(decoding: bytes.prefix(max(0, count)).map(UInt8.init), as: UTF8.self))
      }
    }
    number = try #require(text.split(separator: "/").last.flatMap { Int32($0) })
  }

  deinit { loop.stop() }

  /// Waits until it has ended.
  func end() async {
    loop.stop()
    await until { access("/proc/\(number)", F_OK) != 0 }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A sampler of a process` {
  @Test func `sees what it uses, as long as it is there`() async throws {
    let thread = try await WatchedThread()
    var sampler = try #require(ProcessSampler(launcher: thread.number))
    #expect(sampler.hasRun && sampler.processorTime == nil)
    for _ in 0..<2 {
      guard case .figures(let figures) = sampler.look() else {
        Issue.record("Nothing is seen.")
        return
      }
      #expect(figures.memory > 1 << 20 && figures.threads > 1)
    }
    let folder = try #require(sampler.openFolder())
    defer { close(folder) }
    guard case .bytes(let text) = ProcessFile.read("stat", in: folder) else {
      Issue.record("The folder is that of no process.")
      return
    }
    #expect(ProcessFigures.Times(text) != nil)
    await thread.end()
    #expect(sampler.look() == .ended)
    #expect(sampler.openFolder() == nil)
    #expect(ProcessSampler(launcher: thread.number) == nil)
  }

  @Test func `is none of a process that is not there`() {
    // Above the largest number that the kernel gives.
    #expect(ProcessSampler(launcher: .max) == nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A file of the kernel about a process` {
  /// In a process of its own, which has no descriptor left.
  @Test func `is read with the last descriptor, again and again`() async {
    await #expect(processExitsWith: .success) {
      let name = "/proc/self/stat"
      func isRead() -> Bool {
        if case .bytes(let text) = ProcessFile.read(name) { ProcessFigures.Times(text) != nil } else { false }
      }
      func lacksDescriptors() -> Bool { if case .lacksDescriptors = ProcessFile.read(name) { true } else { false } }
      #expect(isRead())
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), [rlimit(rlim_cur: 256, rlim_max: 256)])
      var taken: [Int32] = []
      /// Takes all descriptors that are left; how many.
      func takeAll() -> Int {
        let before = taken.count
        while case let one = open("/dev/null", O_RDONLY | O_CLOEXEC), one >= 0 { taken.append(one) }
        return taken.count - before
      }
      #expect(takeAll() > 2 && lacksDescriptors() && lacksDescriptors())
      // One is kept, however often that is asked.
      for one in taken.suffix(2) { close(one) }
      taken.removeLast(2)
      for _ in 0..<3 { ProcessFile.keepSpare() }
      #expect(takeAll() == 1)
      for _ in 0..<3 {
        #expect(isRead())
        #expect(takeAll() == 0, "the one to spare is kept for the next time")
        // A process that has ended is no lack of descriptors.
        #expect(ProcessFile.read("/proc/self/none") == .none && takeAll() == 0)
      }
      // It is not given up where another one is free.
      if let last = taken.popLast() { close(last) }
      #expect(isRead() && takeAll() == 1 && isRead() && takeAll() == 0)
    }
  }

  @Test func `is none of what is not there, nor where it is empty`() throws {
    let folder = try TemporaryFolder()
    let empty = try folder.write("empty", [])
    for path in ["/proc/self/none", empty] {
      guard case .none = ProcessFile.read(path) else {
        Issue.record("There is something at \(path).")
        continue
      }
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A watch over what a process uses` {
  /// How a process was ended.
  private final class Ends: Sendable {
    private let state = Mutex<[ExitReason]>([])
    var reasons: [ExitReason] { state.withLock { $0 } }
    func end(_ reason: ExitReason) { state.withLock { $0.append(reason) } }
  }

  private let loop = EventLoop.onThread(name: "resource-watch")
  private let ends = Ends()

  /// What this process, which is watched, stays within.
  private var wide: ExtensionLimits {
    var limits = ExtensionLimits(memoryMiB: 1 << 30)
    limits.threads = .max
    limits.idleCPU = .seconds(1 << 30)
    limits.requestCPU = .seconds(1 << 30)
    return limits
  }

  private func watch(_ limits: ExtensionLimits, folders: [[String]] = []) -> ResourceWatch {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let connection = Connection(on: loop, input: null, output: null, configuration: Connection.Configuration())
    return ResourceWatch(
      quota: DiskQuota(folders, limits: limits), connection: connection, work: OpenWork(), loop: loop,
      diskLoop: DiskLoop())
  }

  /// The reasons for which a process was ended, once there is one.
  private func reasons(_ watch: ResourceWatch, _ process: Int32) async -> [ExitReason] {
    let ends = ends
    await watch.begin(process) { ends.end($0) }
    await until { !ends.reasons.isEmpty }
    return ends.reasons
  }

  @Test func `ends it for its memory, and has seen it`() async throws {
    defer { loop.stop() }
    let thread = try await WatchedThread()
    var limits = wide
    limits.memory = 0
    let watch = watch(limits)
    let reasons = await reasons(watch, thread.number)
    guard reasons.count == 1, case .memory(let used, ceiling: 0)? = reasons.first else {
      Issue.record("\(reasons)")
      return
    }
    #expect(used > 1 << 20)
    #expect(await watch.use?.peakMemory == used)
  }

  @Test func `ends it for its threads`() async throws {
    defer { loop.stop() }
    let thread = try await WatchedThread()
    var limits = wide
    limits.threads = 1
    let reasons = await reasons(watch(limits), thread.number)
    guard reasons.count == 1, case .threads(let used, ceiling: 1)? = reasons.first else {
      Issue.record("\(reasons)")
      return
    }
    #expect(used > 1)
  }

  @Test func `ends it when it cannot be seen`() async throws {
    defer { loop.stop() }
    let watch = watch(wide)
    #expect(await reasons(watch, .max) == [.watchdog("what it uses could not be seen")])
    #expect(await watch.use == nil)
  }

  @Test func `ends it for its files`() async throws {
    defer { loop.stop() }
    let (thread, folder) = (try await WatchedThread(), try TemporaryFolder())
    for name in ["a", "b"] { try folder.write(name, "x".utf8) }
    var limits = wide
    limits.containerFiles = 1
    let reasons = await reasons(watch(limits, folders: [[folder.path]]), thread.number)
    #expect(reasons == [.diskQuota(DiskExcess(folder: folder.path, used: 2, ceiling: 1, unit: .files))])
  }

  @Test func `takes the folders for counted when it begins`() async throws {
    defer { loop.stop() }
    let thread = try await WatchedThread()
    let (watch, ends) = (watch(wide), ends)
    #expect(await watch.scanned == 0)
    await watch.begin(thread.number) { ends.end($0) }
    #expect(await watch.scanned > 0)
  }

  @Test func `has the most of two looks for the statistics, of each figure by itself`() {
    let (one, other) = (
      ProcessUse(peakMemory: 2, processorTime: .seconds(1)), ProcessUse(peakMemory: 1, processorTime: .seconds(2))
    )
    let most = ProcessUse(peakMemory: 2, processorTime: .seconds(2))
    #expect(one.joined(with: other) == most && other.joined(with: one) == most && one.joined(with: nil) == one)
  }

  @Test func `looks once more for the statistics while it is there, and ends nothing for that`() async throws {
    defer { loop.stop() }
    let thread = try await WatchedThread()
    var limits = wide
    limits.memory = 0
    let ends = ends
    let uses = await watch(limits).looks(thread.number) { ends.end($0) }
    #expect(uses.map { $0 != nil } == [false, false, true, true, true])
    let use = try #require(uses[2])
    #expect(use.peakMemory > 1 << 20 && use.processorTime > .zero)
    #expect(uses[3] == use && uses[4] == use && ends.reasons == [])
  }
}

extension ResourceWatch {
  fileprivate func begin(_ launcher: Int32, end: @escaping @Sendable (ExitReason) -> Void) {
    start(launcher, end: end)
  }

  /// What has been seen before the start, after it, after a look, after the stop, and after a look that comes too late;
  /// all at once, so that no other look is between.
  fileprivate func looks(_ launcher: Int32, end: @escaping @Sendable (ExitReason) -> Void) -> [ProcessUse?] {
    lookLast()
    var uses = [use]
    start(launcher, end: end)
    uses.append(use)
    lookLast()
    uses.append(use)
    stop()
    uses.append(use)
    lookLast()
    return uses + [use]
  }
}
