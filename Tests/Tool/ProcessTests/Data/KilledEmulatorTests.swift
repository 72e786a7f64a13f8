import JSONRPC
import Foundation
import Glibc
import JSON
import Synchronization
import Testing

/// What is killed.
enum EmulatorVictim: String, CaseIterable, Sendable {
  case connection, server, emulator

  /// Kills it, as the system does when there is no memory left.
  func kill(_ stage: EmulatorStage) throws {
    if self == .emulator { return stage.emulator.signal(SIGKILL) }
    let server = try Self.server(of: stage)
    guard self == .connection else {
      Glibc.kill(server, SIGKILL)
      return
    }
    let children = try String(contentsOfFile: "/proc/\(server)/task/\(server)/children", encoding: .utf8)
    for child in children.split(separator: " ").compactMap({ Int32($0) }) {
      let title = (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)) ?? ""
      if title.hasPrefix("postgres: annex movies") {
        Glibc.kill(child, SIGKILL)
        return
      }
    }
    Issue.record("there is no connection to kill")
  }

  private static func server(of stage: EmulatorStage) throws -> Int32 {
    let folder = "\(stage.host.home)/data/movies"
    let elsewhere = try? String(contentsOfFile: "\(folder)/location", encoding: .utf8)
    let base = elsewhere.map { String($0.dropLast()) } ?? folder
    let text = try String(contentsOfFile: "\(base)/data/postmaster.pid", encoding: .utf8)
    return try #require(Int32(text.prefix { $0.isNumber }))
  }
}

/// Three rows and a change of one of them.
private let transaction = """
  mutation($title: String!) @transaction {
    a: movie_insert(data: {title: $title, imageUrl: "a"})
    b: movie_insert(data: {title: $title, imageUrl: "b"})
    c: movie_updateMany(where: {title: {eq: $title}, imageUrl: {eq: "a"}}, data: {imageUrl: "c"})
    query { movies(where: {title: {eq: $title}}) { id } }
    d: movie_insert(data: {title: $title, imageUrl: "d"})
  }
  """

@Suite(.serialized, .timeLimit(.minutes(2)))
struct `A killed part of the emulator` {
  /// What several clients write at one time.
  private final class Writers: Sendable {
    let acknowledged = Mutex<Set<String>>([])
    let isOver = Atomic(false)

    /// - Returns: whether the emulator was there to the end.
    func write(_ lane: Int, to stage: EmulatorStage) async -> Bool {
      var number = 0
      while !isOver.load(ordering: .relaxed) {
        number += 1
        let title = "\(lane)-\(number)"
        guard let answer = try? await stage.execute(transaction, ["title": .string(title)]) else { return false }
        if answer["errors"] == nil, answer["data"] != nil { acknowledged.withLock { _ = $0.insert(title) } }
      }
      return true
    }

    /// Returns when so many more have been acknowledged.
    func more(_ count: Int) async throws {
      let target = acknowledged.withLock { $0.count } + count
      let end = ContinuousClock.now + .seconds(60)
      while acknowledged.withLock({ $0.count }) < target {
        try #require(ContinuousClock.now < end)
        await Task.yield()
      }
    }
  }

  @Test(arguments: EmulatorVictim.allCases)
  func `leaves no half of a transaction, and all that was acknowledged`(victim: EmulatorVictim) async throws {
    var stage = try await EmulatorStage()
    for _ in 0..<2 {
      let writers = Writers()
      let before = stage
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for lane in 0..<4 { group.addTask { await writers.write(lane, to: before) } }
        try await writers.more(20)
        try victim.kill(before)
        // Without a restart by hand they go on, but for those of an emulator that is gone.
        if victim != .emulator { try await writers.more(20) }
        writers.isOver.store(true, ordering: .relaxed)
        for try await isThere in group where victim != .emulator { #expect(isThere) }
      }
      if victim == .emulator {
        _ = try await stage.emulator.finish()
        try await stage.start()
      }
      let found = try await stage.execute("{ movies(limit: 5000) { title imageUrl } }")
      var parts: [String: [String]] = [:]
      for row in try #require(found["data"]?["movies"]?.arrayValue) {
        parts[row["title"]?.stringValue ?? "", default: []].append(row["imageUrl"]?.stringValue ?? "")
      }
      for (title, images) in parts { #expect(images.sorted() == ["b", "c", "d"], "\(title)") }
      let acknowledged = writers.acknowledged.withLock { $0 }
      #expect(acknowledged.isSubset(of: parts.keys), "\(acknowledged.subtracting(parts.keys))")
      #expect(try await stage.execute("mutation { movie_deleteMany(all: true) }")["errors"] == nil)
    }
    try await stage.end()
  }
}
