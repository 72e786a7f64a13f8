import JSONRPC
import EventLoop
import ExtensionProtocol
import Files
import Foundation
import JSON
import Synchronization
import Testing

@testable import ExtensionHosting

/// What is logged, for a look at it.
final class KeptLog: LogSink {
  private let kept = Mutex<[String]>([])
  private let least: LogLevel

  init(from least: LogLevel = .error) { self.least = least }

  var lines: [String] { kept.withLock(\.self) }

  func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
    if level >= least { kept.withLock { $0.append(message) } }
  }
}

/// Holds a lock as a program does that was stopped and never gives it back, until it is released here.
final class HeldLock: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
  }

  deinit { close(descriptor) }

  func release() { flock(descriptor, LOCK_UN) }
}

/// Contents for tests.
private struct Counter: StateContent {
  @NonNegative<Int> var count = 0
  @Timestamp<Double?> var time: Double?
  @Timestamp<[Double]> var times: [Double] = []
  var text = ""
}

@Suite(.timeLimit(.minutes(1))) struct `A file of the host's state` {
  private let folder: TemporaryFolder
  private let log = KeptLog()
  private var path: String { "\(folder.path)/state/counter.json" }

  init() throws { folder = try TemporaryFolder() }

  private func file(
    _ rule: StateFile<Counter>.DamageRule = .setAside, isDurable: Bool = false, timeout: Duration = .seconds(1)
  ) -> StateFile<Counter> {
    StateFile(path: path, name: "The counter", damage: rule, isDurable: isDurable, timeout: timeout, log: log)
  }

  private func count(_ file: StateFile<Counter>) async throws {
    try await file.change(or: Counter()) { $0.count += 1 }
  }

  private func hold() throws -> HeldLock {
    try Folder.make(Folder.parent(of: path))
    return try HeldLock("\(path).lock")
  }

  private var setAside: [String] {
    Folder.names(in: "\(folder.path)/state").filter { $0.hasPrefix("counter.json.damaged-") }
  }

  @Test(arguments: [false, true]) func `is made, read and changed`(isDurable: Bool) async throws {
    let file = file(isDurable: isDurable)
    #expect(file.read() == nil && file.stamp == nil)
    #expect(try file.load() == nil)
    for _ in 0..<3 { try await count(file) }
    #expect(file.read()?.count == 3)
    #expect(FileStatus(path).map { $0.mode & 0o777 } == 0o600)
    #expect(Set(Folder.names(in: "\(folder.path)/state")) == ["counter.json", "counter.json.lock"])
    let stamp = file.stamp
    try await file.change(or: Counter()) { $0.text = "" }
    #expect(file.stamp == stamp, "what changes nothing writes nothing")
    #expect(log.lines.isEmpty)
  }

  @Test func `loses no change of several hosts`() async throws {
    let file = file(timeout: .seconds(30))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<10 { try await count(file) } } }
      try await group.waitForAll()
    }
    #expect(file.read()?.count == 80)
  }

  @Test func `keeps what it had when the change throws`() async throws {
    let file = file()
    try await count(file)
    await #expect(throws: ExtensionError(.invalidParams, "")) {
      try await file.change(or: Counter()) { counter throws(ExtensionError) in
        counter.count = 7
        throw ExtensionError(.invalidParams, "No.")
      }
    }
    #expect(file.read()?.count == 1)
    try await count(file)
  }

  // MARK: Locks

  @Test func `that a stopped host keeps locked is an error after a limited time, and can be read`() async throws {
    let file = file(timeout: .milliseconds(20))
    try await count(file)
    let holder = try hold()
    let error = await #expect(throws: ExtensionError.self) { try await count(file) }
    #expect(error?.code == .storeFailed && error?.details["retryable"] == true)
    #expect(error?.message.contains("is locked by another program") == true)
    #expect(file.read()?.count == 1)
    holder.release()
    try await count(file)
    #expect(file.read()?.count == 2)
  }

  @Test func `that is locked does not hold the loop up`() async throws {
    let file = file(timeout: .seconds(30))
    let holder = try hold()
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) { try await count(file) }
      // Runs only when the loop goes on turning.
      group.addTask(executorPreference: loop) {
        for _ in 0..<50 { await Task.yield() }
        holder.release()
      }
      try await group.waitForAll()
    }
    #expect(file.read()?.count == 1)
  }

  // MARK: Damage

  private static let damage = [
    "", "{", "[]", "null", #"{"count":1}"#, #"{"count":"1","times":[],"text":""}"#,
    #"{"count":9223372036854775807,"times":[],"text":""}"#, #"{"count":-1,"times":[],"text":""}"#,
    #"{"count":1,"time":1e300,"times":[],"text":""}"#, #"{"count":1,"times":[1,-1],"text":""}"#,
    String(repeating: "x", count: StateFile<Counter>.limit + 1),
  ]

  @Test(arguments: damage.indices) func `that is damaged is set aside, kept and reported, once`(index: Int) async throws
  {
    let text = Self.damage[index]
    try folder.write("state/counter.json", text.utf8)
    let file = file()
    for _ in 0..<2 { #expect(file.read() == nil) }
    let name = try #require(setAside.first)
    #expect(setAside.count == 1)
    #expect(try String(contentsOfFile: "\(folder.path)/state/\(name)", encoding: .utf8) == text)
    #expect(log.lines.count == 1 && log.lines.first?.contains(name) == true, "\(log.lines)")
    try await count(file)
    #expect(file.read()?.count == 1)
  }

  @Test func `that is damaged is set aside by a change too`() async throws {
    try folder.write("state/counter.json", "{".utf8)
    try await count(file())
    #expect(file().read()?.count == 1)
    #expect(setAside.count == 1 && log.lines.count == 1)
  }

  @Test func `that is damaged while another host has the lock is reported, and left to that host`() async throws {
    try folder.write("state/counter.json", "{".utf8)
    let holder = try hold()
    #expect(file().read() == nil)
    #expect(setAside.isEmpty && log.lines.count == 1)
    holder.release()
    #expect(file().read() == nil)
    #expect(setAside.count == 1)
  }

  @Test func `that must not be lost is refused when it is damaged, and stays`() async throws {
    try folder.write("state/counter.json", "{".utf8)
    #expect(throws: ExtensionError(.storeFailed, "")) { try file(.refuse).load() }
    await #expect(throws: ExtensionError(.storeFailed, "")) { try await count(file(.refuse)) }
    #expect(file(.refuse).read() == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{")
    #expect(setAside.isEmpty)
  }

  @Test func `that is no file or a link is neither read nor written over`() async throws {
    try Folder.make("\(folder.path)/state")
    try folder.write("other", #"{"count":1,"times":[],"text":""}"#.utf8)
    #expect(symlink("\(folder.path)/other", path) == 0)
    #expect(file().read() == nil)
    await #expect(throws: ExtensionError(.storeFailed, "")) { try await count(file()) }
    #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    #expect(file().read() == nil)
    await #expect(throws: ExtensionError(.storeFailed, "")) { try await count(file()) }
    #expect(throws: ExtensionError(.storeFailed, "")) { try file().load() }
    #expect(FileStatus(path)?.kind == .other)
    #expect(log.lines.count == 2)
  }

  @Test func `has 4 MiB at most`() { #expect(StateFile<Counter>.limit == 4_194_304) }

  @Test func `is never written so that it could not be read`() async throws {
    let file = file()
    try await count(file)
    let long = String(repeating: "x", count: StateFile<Counter>.limit)
    for change in [{ $0.text = long }, { $0.count = -1 }, { $0.time = .nan }] as [@Sendable (inout Counter) -> Void] {
      await #expect(throws: ExtensionError(.storeFailed, "")) {
        try await file.change(or: Counter()) { counter throws(ExtensionError) in change(&counter) }
      }
    }
    #expect(file.read() == Counter(count: 1))
  }

  @Test func `says a number that is absent by leaving it out`() throws {
    #expect(String(decoding: try Counter().fileBytes, as: UTF8.self) == #"{"count":0,"times":[],"text":""}"#)
    let with = Counter(count: 2, time: 1.5, times: [1])
    #expect(try Counter(parsing: with.fileBytes) == with)
  }
}
