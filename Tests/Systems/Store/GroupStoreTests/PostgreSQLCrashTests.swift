import EventLoop
import Foundation
import PostgreSQL
import Synchronization
import TestPrograms
import Testing

@testable import GroupStore
@testable import PostgreSQLGroupStore

private let suite: SuiteID = "group.crash"

private func backend(_ url: String, schema: String = "annex") throws -> PostgreSQLGroupBackend {
  var options = PostgreSQLGroupBackend.Options(target: try PostgreSQLTarget(url))
  options.schema = schema
  options.timeout = .seconds(40)
  return PostgreSQLGroupBackend(options)
}

/// What the writers of a test were told, and whether they go on.
private final class Progress: Sendable {
  private let counts: Mutex<[Int]>
  private let isOver = Atomic<Bool>(false)
  private let signal = Signal()

  init(writers: Int) { counts = Mutex([Int](repeating: 0, count: writers)) }

  var acknowledged: [Int] { counts.withLock { $0 } }
  var total: Int { acknowledged.reduce(0, +) }
  var goesOn: Bool { !isOver.load(ordering: .relaxed) }

  func acknowledge(_ writer: Int) {
    counts.withLock { $0[writer] += 1 }
    signal.send()
  }
  func end() { isOver.store(true, ordering: .relaxed) }

  /// Waits until so many more writes were acknowledged.
  func wait(for count: Int) async throws {
    let start = total
    while case let seen = signal.count, total < start + count { try await signal.wait(past: seen) }
  }

  /// Writes one number after the other. Each write is only right after the one before: one that was lost or made twice
  /// is a conflict.
  func write(to store: PostgreSQLGroupBackend, as writer: Int) async throws {
    var (number, revision): (Int, Int64) = (0, 0)
    while goesOn {
      number += 1
      revision = try await store.apply(
        suite, [.set("\(writer)", Array("\(number)".utf8))], require: [.revision("\(writer)", revision)])
      acknowledge(writer)
    }
  }

  func check(_ store: PostgreSQLGroupBackend) async throws {
    let state = try await store.snapshot(suite)
    for (writer, count) in acknowledged.enumerated() {
      #expect(state.entries["\(writer)"]?.bytes == Array("\(count)".utf8))
    }
    #expect(state.revision == Int64(total), "a write was made twice")
  }
}

/// A program that writes, which a test reads a line at a time.
private final class RunningWriter {
  private let stream: UnsafeMutablePointer<FILE>
  let process: Int32

  init(_ url: String, _ name: String, count: Int, environment: String) throws {
    let command = "echo $$; exec env \(environment) '\(Writer.program)' '\(url)' \(name) 1 \(count)"
    stream = try #require(popen(command, "r"))
    process = try #require(Self.line(from: stream).flatMap { Int32($0) })
  }

  func line() -> String? { Self.line(from: stream) }

  /// Its exit status, when it has ended.
  func end() -> Int32 { pclose(stream) >> 8 }

  private static func line(from stream: UnsafeMutablePointer<FILE>) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    guard fgets(&buffer, Int32(buffer.count), stream) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

@Suite(.timeLimit(.minutes(2)))
struct `A PostgreSQL server that is killed` {
  @Test func `among writes loses none that was acknowledged, and none is made twice`() async throws {
    let server = try TestPostgreSQLServer()
    let store = try backend(server.url())
    let progress = Progress(writers: 3)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 { group.addTask { try await progress.write(to: store, as: writer) } }
      group.addTask {
        defer { progress.end() }
        for _ in 0..<4 {
          try await progress.wait(for: .random(in: 20...200))
          try await server.kill()
          try await server.restart()
        }
      }
      try await group.waitForAll()
    }
    try await progress.check(store)
  }

  @Test func `has a standby, which takes over with every write that was acknowledged`() async throws {
    let servers = try await ReplicatedServers()
    let store = try backend(servers.url)
    let progress = Progress(writers: 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await progress.write(to: store, as: 0) }
      group.addTask {
        defer { progress.end() }
        try await progress.wait(for: 50)
        try await servers.primary.kill()
        try await servers.standby.promote()
        try await progress.wait(for: 20)
      }
      try await group.waitForAll()
    }
    try await progress.check(store)
  }
}

@Suite(.timeLimit(.minutes(1)), .enabled("StoreWriter is not built", { Writer.isBuilt }))
struct `Two machines with one PostgreSQL store` {
  @Test func `make its tables at once, and lose no write`() async throws {
    let url = try TestPostgreSQLServer.shared.get().url()
    let schema = "test-\(UInt64.random(in: 0...(.max)))"
    let writers = try ["a", "b", "c", "d"].map {
      try RunningWriter(url, $0, count: 50, environment: "STORE_SCHEMA=\(schema)")
    }
    for writer in writers {
      var numbers: [String] = []
      while let line = writer.line() { numbers.append(line) }
      #expect(numbers == (1...50).map(String.init))
      #expect(writer.end() == 0)
    }
    let state = try await backend(url, schema: schema).snapshot(suite)
    #expect(state.revision == 200 && state.entries.count == 204)
  }

  @Test func `tell each other of their writes`() async throws {
    let url = try TestPostgreSQLServer.shared.get().url()
    let schema = "test-\(UInt64.random(in: 0...(.max)))"
    var options = PostgreSQLGroupBackend.Options(target: try PostgreSQLTarget(url))
    options.schema = schema
    // So long that only a notification can be what is heard.
    options.pollInterval = .seconds(600)
    let (one, other) = (PostgreSQLGroupBackend(options), try backend(url, schema: schema))
    _ = try await other.apply(suite, [.set("a", [1])])
    var batches = one.changes(suite, after: 0).makeAsyncIterator()
    #expect(try await batches.next() == .changed([Change(key: "a", bytes: [1], revision: 1)], through: 1))
    // The listener looks once more when it is connected: after this write it may be told twice, never too late.
    for number in 2...5 {
      #expect(try await other.apply(suite, [.set("a", [UInt8(number)])]) == Int64(number))
      #expect(
        try await batches.next()
          == .changed([Change(key: "a", bytes: [UInt8(number)], revision: Int64(number))], through: Int64(number)))
    }
    _ = try await other.apply(suite, [.removeAll])
    #expect(try await batches.next() == .changed([Change(key: "a", bytes: nil, revision: 6)], through: 6))
  }

  @Test func `have one owner of a lease: who was stopped is fenced off when it goes on`() async throws {
    let url = try TestPostgreSQLServer.shared.get().url()
    let schema = "test-\(UInt64.random(in: 0...(.max)))"
    let stopped = try RunningWriter(
      url, "stopped", count: 1_000_000, environment: "STORE_SCHEMA=\(schema) STORE_LEASE=session STORE_KEEP=10")
    #expect(stopped.line() == "leased")
    #expect(stopped.line() == "1")
    kill(stopped.process, SIGSTOP)
    let other = try backend(url, schema: schema)
    var taken: Lease?
    while taken == nil { taken = try await other.acquire("session", owner: "other", for: .seconds(50)) }
    let lease = try #require(taken)
    #expect(lease.token == 2)
    let before = try await other.apply(suite, [.set("other", [1])], require: [], fence: lease)
    kill(stopped.process, SIGCONT)
    var last: String?
    while let line = stopped.line() { last = line }
    #expect(last?.hasPrefix("error: The lease session is no longer held.") == true, "\(last ?? "nothing")")
    #expect(stopped.end() == 65)
    #expect(try await other.apply(suite, [.set("other", [2])], require: [], fence: lease) == before + 1)
  }
}
