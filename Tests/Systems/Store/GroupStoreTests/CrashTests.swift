import Foundation
import TestSupport
import Testing

@testable import GroupStore

private let suite: SuiteID = "group.crash"

/// The program that writes, and what it acknowledged before it ended.
struct Writer {
  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent("StoreWriter").path
  static var isBuilt: Bool { access(program, X_OK) == 0 }

  let path: String

  /// Runs a writer to its end; the numbers that it printed.
  func run(_ name: String, first: Int, count: Int, before: String = "") throws -> [Int] {
    let stream = try #require(popen("\(before) '\(Self.program)' '\(path)' \(name) \(first) \(count) 2>&1", "r"))
    defer { pclose(stream) }
    var numbers: [Int] = []
    var buffer = [CChar](repeating: 0, count: 4096)
    while fgets(&buffer, Int32(buffer.count), stream) != nil {
      let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let number = Int(line.trimmingCharacters(in: .newlines)) { numbers.append(number) }
    }
    return numbers
  }

  /// Every acknowledged write is there, and no write is there by half.
  ///
  /// - Parameter kept: how many of the last keys the writer leaves.
  func check(_ name: String, acknowledged: Int, kept: Int = .max) async throws -> Int {
    let state = try await SQLiteGroupBackend(.init(path: path)).snapshot(suite)
    let numbers = state.entries.keys.compactMap { key in
      key.hasPrefix("\(name).") ? Int(key.dropFirst(name.count + 1)) : nil
    }
    let last = state.entries["\(name).last"].flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) } ?? 0
    #expect(numbers.sorted() == Array(max(1, last - min(kept, last) + 1)..<(last + 1)), "last is \(last)")
    #expect(last >= acknowledged && last <= acknowledged + 1, "\(last) are there, \(acknowledged) were acknowledged")
    #expect(state.revision == Int64(last))
    return last
  }
}

/// Rounds of a longer run: `ANNEX_SOAK_ROUNDS=5000`.
private let rounds = ProcessInfo.processInfo.environment["ANNEX_SOAK_ROUNDS"].flatMap(Int.init) ?? 60

@Suite(
  .timeLimit(rounds > 60 ? .minutes(60) : .minutes(1)), .enabled("StoreWriter is not built", { Writer.isBuilt }))
struct `A writer that is killed` {
  @Test(arguments: CrashPoint.allCases)
  func `at a step of a write has lost nothing that was acknowledged`(point: CrashPoint) async throws {
    let directory = try TemporaryDirectory()
    let writer = Writer(path: "\(directory.path)/groups.sqlite")
    var last = 0
    for number in 1...4 {
      let printed = try writer.run("w", first: last + 1, count: 8, before: "STORE_CRASH=\(point.rawValue):\(number)")
      #expect(printed.count < 8, "it was not killed")
      last = try await writer.check("w", acknowledged: last + printed.count)
    }
    // Whoever comes next finds the gate open.
    #expect(try writer.run("w", first: last + 1, count: 2).count == 2)
  }

  @Test(arguments: ["normal", "strict"])
  func `at any moment has lost nothing that was acknowledged`(durability: String) async throws {
    let directory = try TemporaryDirectory()
    let writer = Writer(path: "\(directory.path)/groups.sqlite")
    let kept = 150
    var last = 0
    for round in 0..<rounds / 2 {
      let time = String(format: "%.4f", Double.random(in: 0.005...0.06))
      let printed = try writer.run(
        "w", first: last + 1, count: 200,
        before: "STORE_DURABILITY=\(durability) STORE_KEEP=\(kept) timeout -s KILL \(time)")
      last = try await writer.check("w", acknowledged: last + printed.count, kept: kept)
      if round.isMultiple(of: 20) {
        #expect(try await SQLiteGroupBackend(.init(path: writer.path)).delta(suite, after: 0).through == Int64(last))
      }
    }
  }

  @Test func `leaves a log of which every beginning is a whole state`() async throws {
    let directory = try TemporaryDirectory()
    let writer = Writer(path: "\(directory.path)/groups.sqlite")
    _ = try writer.run("w", first: 1, count: 20, before: "STORE_CRASH=gateGiven:12")
    let database = try Data(contentsOf: URL(fileURLWithPath: writer.path))
    let log = try Data(contentsOf: URL(fileURLWithPath: writer.path + "-wal"))
    #expect(log.count > 4096)
    var (previous, whole) = (-1, 0)
    for length in Array(stride(from: 0, to: log.count, by: 2999)) + [log.count] {
      let cut = Writer(path: "\(directory.path)/cut-\(length).sqlite")
      try database.write(to: URL(fileURLWithPath: cut.path))
      try log.prefix(length).write(to: URL(fileURLWithPath: cut.path + "-wal"))
      let state = try await SQLiteGroupBackend(.init(path: cut.path)).snapshot(suite)
      let last = state.entries["w.last"].flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) } ?? 0
      #expect(state.entries.count == (last == 0 ? 0 : last + 1) && state.revision == Int64(last))
      #expect(last >= previous)
      (previous, whole) = (last, whole + 1)
    }
    #expect(whole > 10 && previous == 12)
  }

  @Test func `does not disturb two others that write at the same time, and none loses an update`() async throws {
    let directory = try TemporaryDirectory()
    let writer = Writer(path: "\(directory.path)/groups.sqlite")
    _ = try writer.run("z", first: 1, count: 3, before: "STORE_CRASH=beforeCommit:2")
    let streams = try ["a", "b", "c"].map { name in
      try #require(popen("exec '\(Writer.program)' '\(writer.path)' \(name) 1 200", "r"))
    }
    var lines = 0
    for stream in streams {
      while case let byte = fgetc(stream), byte != EOF { lines += byte == 10 ? 1 : 0 }
      pclose(stream)
    }
    #expect(lines == 600)
    let state = try await SQLiteGroupBackend(.init(path: writer.path)).snapshot(suite)
    #expect(state.revision == 601)
    #expect(state.entries.count == 605)
  }
}
