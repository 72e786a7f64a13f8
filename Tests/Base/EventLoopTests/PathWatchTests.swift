@testable import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A watch of paths` {
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  /// Runs a change while a loop watches, and waits until it is heard of.
  private func hears(
    of paths: Set<String>, _ events: PathWatch.Events, when change: @escaping @Sendable () throws -> Void
  ) async throws {
    let loop = EventLoop.onThread(name: "watch-test")
    defer { loop.stop() }
    let (news, continuation) = AsyncStream.makeStream(of: Void.self)
    loop.execute {
      guard let watch = PathWatch(on: loop, changed: { continuation.yield() }) else { return continuation.finish() }
      #expect(watch.follow(paths, for: events))
      do { try change() } catch { Issue.record(error) }
      // Keeps the watch until the loop is gone.
      _ = loop.schedule(after: .seconds(60)) { watch.stop() }
    }
    #expect(await news.first { _ in true } != nil)
  }

  @Test func `hears of a file that is put into a folder`() async throws {
    try await withFolder { folder in
      try await hears(of: [folder], .entries) { try Data([1]).write(to: URL(filePath: "\(folder)/new")) }
    }
  }

  @Test func `hears of a file that is taken away`() async throws {
    try await withFolder { folder in
      try Data([1]).write(to: URL(filePath: "\(folder)/old"))
      try await hears(of: [folder], .entries) { try FileManager.default.removeItem(atPath: "\(folder)/old") }
    }
  }

  @Test func `hears of what is written into a file`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/file"
      try Data([1]).write(to: URL(filePath: path))
      try await hears(of: [path], .contents) {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.write(contentsOf: Data([2]))
        try handle.close()
      }
    }
  }

  @Test func `leaves out paths that are not there`() async throws {
    try await withFolder { folder in
      let loop = EventLoop.onThread(name: "watch-test")
      defer { loop.stop() }
      let isComplete = await withCheckedContinuation { continuation in
        loop.execute {
          let watch = PathWatch(on: loop) {}
          continuation.resume(returning: watch?.follow([folder, "\(folder)/absent"], for: .entries))
          watch?.stop()
        }
      }
      #expect(isComplete == false)
    }
  }

  @Test func `lets go of what it was to call when it ends, and ends once`() async {
    final class Listener: Sendable {}
    let loop = EventLoop.onThread(name: "watch-test")
    defer { loop.stop() }
    let isHeld: [Bool] = await withCheckedContinuation { continuation in
      loop.execute {
        var listener: Listener? = Listener()
        weak let held = listener
        let watch = PathWatch(on: loop) { [listener] in _ = listener }
        listener = nil
        var isHeld = [held != nil]
        for _ in 0..<2 {
          watch?.stop()
          isHeld.append(held != nil)
        }
        continuation.resume(returning: isHeld)
      }
    }
    #expect(isHeld == [true, false, false])
  }

  @Test func `forgets a file that another one has taken the place of`() async throws {
    try await withFolder { folder in
      let loop = EventLoop.onThread(name: "watch-test")
      defer { loop.stop() }
      let watched: Int? = await withCheckedContinuation { continuation in
        loop.execute {
          guard let watch = PathWatch(on: loop, changed: {}) else { return continuation.resume(returning: nil) }
          for number in 0..<10 {
            mkdir("\(folder)/current", 0o700)
            if !watch.follow(["\(folder)/current"], for: .entries) { Issue.record("\(number) is not watched") }
            rename("\(folder)/current", "\(folder)/\(number)")
          }
          mkdir("\(folder)/current", 0o700)
          watch.follow(["\(folder)/current"], for: .entries)
          let kernels = try? String(contentsOfFile: "/proc/self/fdinfo/\(watch.descriptor)", encoding: .utf8)
          continuation.resume(returning: kernels.map { $0.split(separator: "\n").count { $0.hasPrefix("inotify ") } })
          watch.stop()
        }
      }
      #expect(watched == 1)
    }
  }

  @Test func `follows the paths that it was given last, and no others`() async throws {
    try await withFolder { folder in
      for name in ["a", "b", "c"] { mkdir("\(folder)/\(name)", 0o700) }
      let loop = EventLoop.onThread(name: "watch-test")
      defer { loop.stop() }
      let watched: [Int?] = await withCheckedContinuation { continuation in
        loop.execute {
          guard let watch = PathWatch(on: loop, changed: {}) else { return continuation.resume(returning: []) }
          var watched: [Int?] = []
          for names in [["a", "b"], ["b"], ["c", "a"], ["nowhere", "c"], [], ["a"]] {
            let isComplete = watch.follow(Set(names.map { "\(folder)/\($0)" }), for: .entries)
            if isComplete == names.contains("nowhere") { Issue.record("\(names)") }
            let kernels = try? String(contentsOfFile: "/proc/self/fdinfo/\(watch.descriptor)", encoding: .utf8)
            watched.append(kernels.map { $0.split(separator: "\n").count { $0.hasPrefix("inotify ") } })
          }
          watch.stop()
          continuation.resume(returning: watched)
        }
      }
      #expect(watched == [2, 1, 2, 1, 0, 1])
    }
  }

  /// What some watches of one loop heard of the changes that the body makes.
  private func heard(
    _ body:
      @escaping @Sendable (_ make: (@escaping () -> Void) -> PathWatch?, _ note: @escaping (String) -> Void) ->
      Void
  ) async -> [String] {
    let loop = EventLoop.onThread(name: "watch-test")
    defer { loop.stop() }
    return await withCheckedContinuation { continuation in
      loop.execute {
        var heard: [String] = []
        body({ PathWatch(on: loop, changed: $0) }, { heard.append($0) })
        loop.afterWhatIsReady { continuation.resume(returning: heard.sorted()) }
      }
    }
  }

  @Test func `shares the kernel's watches, and hears of its own only`() async throws {
    try await withFolder { folder in
      for name in ["a", "b"] { mkdir("\(folder)/\(name)", 0o700) }
      let heard = await heard { make, note in
        let watches = ["a", "b", "both"].map { name in make { note(name) } }
        watches[0]?.follow(["\(folder)/a"], for: .entries)
        watches[1]?.follow(["\(folder)/b"], for: .entries)
        watches[2]?.follow(["\(folder)/a", "\(folder)/b"], for: .entries)
        if Set(watches.map { $0?.descriptor }).count != 1 { note("several descriptors") }
        mkdir("\(folder)/a/1", 0o700)
        mkdir("\(folder)/a/2", 0o700)
      }
      #expect(heard == ["a", "both"])
    }
  }

  @Test func `goes on when another watch of the same path ends, or wants to hear of something else`() async throws {
    try await withFolder { folder in
      let heard = await heard { make, note in
        let ended = make { note("ended") }
        ended?.follow([folder], for: .entries)
        let left = make { note("left") }
        left?.follow([folder], for: .entries)
        let other = make { note("other") }
        other?.follow([folder], for: .itself)
        ended?.stop()
        mkdir("\(folder)/new", 0o700)
      }
      #expect(heard == ["left"])
    }
  }

  @Test func `hears that what it watches is gone, and can watch what comes instead`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/current"
      mkdir(path, 0o700)
      let loop = EventLoop.onThread(name: "watch-test")
      defer { loop.stop() }
      let (news, continuation) = AsyncStream.makeStream(of: Void.self)
      let holder = Holder()
      loop.execute {
        holder.watch = PathWatch(on: loop) { continuation.yield() }
        holder.watch?.follow([path], for: .contents)
        rmdir(path)
      }
      var changes = news.makeAsyncIterator()
      #expect(await changes.next() != nil)
      loop.execute {
        mkdir(path, 0o700)
        if holder.watch?.follow([path], for: .entries) != true { continuation.finish() }
        mkdir("\(path)/new", 0o700)
      }
      #expect(await changes.next() != nil)
      loop.execute { holder.watch?.stop() }
    }
  }

  /// Used on the loop's thread only.
  private final class Holder: @unchecked Sendable { var watch: PathWatch? }

  @Test func `hears of everything that may have changed when the kernel remembers no more`() async throws {
    let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let limit = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    try await withFolder { folder in
      for name in ["a", "b", "a/0"] { mkdir("\(folder)/\(name)", 0o700) }
      let heard = await heard { make, note in
        for name in ["a", "b"] { make { note(name) }?.follow(["\(folder)/\(name)"], for: .entries) }
        // Two changes each.
        for number in 0...limit / 2 { rename("\(folder)/a/\(number)", "\(folder)/a/\(number + 1)") }
      }
      #expect(heard == ["a", "b"])
    }
  }

  @Test func `needs no more of the kernel's instances than one for all`() async throws {
    try await withFolder { folder in
      let heard = await heard { make, note in
        // A user has 128.
        let watches = (0..<300).map { number in make { note("\(number)") } }
        if watches.contains(where: { $0?.follow([folder], for: .entries) != true }) { note("not watched") }
        watches[1]?.stop()
        mkdir("\(folder)/new", 0o700)
      }
      #expect(heard.count == 299 && !heard.contains("1") && !heard.contains("not watched"))
    }
  }
}
