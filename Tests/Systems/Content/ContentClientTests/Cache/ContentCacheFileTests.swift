import JSON
import ContentClient
import Foundation
import HTTPClient
import SQLite
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The file of a content cache` {
  let directory: TemporaryDirectory
  var path: String { directory.file("content.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  private func answer(_ name: String, padding: Int = 0) -> FakeAEM.Answer {
    let body = #"{"data":{"name":"\#(name)","x":"\#(String(repeating: "x", count: padding))"}}"#
    return .json(body, ["Cache-Control": "max-age=60"])
  }

  static let damage = [
    "this is not a database", String(repeating: "SQLite format 3\0 and then nothing of it. ", count: 200),
  ]

  @Test(arguments: damage.indices) func `is set aside when it is damaged`(index: Int) async throws {
    let content = Self.damage[index]
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    let server = FakeAEM(answer("a"))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    #expect(try await client.execute(query: adventures).source == .cache)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".damaged")) == Data(content.utf8))
    #expect(server.reports.count == 1)
    #expect(server.reports.first?.contains("\(path).damaged") == true)
  }

  @Test func `is set aside when it is damaged while in use`() async throws {
    let server = FakeAEM(answer("a", padding: 20_000), answer("b"))
    do {
      let first = server.client(cache: path)
      _ = try await first.execute(query: adventures)
    }
    // The tables stay, their content goes.
    let database = try Database(
      path: path, options: DatabaseOptions(applicationID: 0x414E_4343), migrations: Migrations(["", ""]))
    try database.script("PRAGMA wal_checkpoint(TRUNCATE)")
    let pages = try database.scalar("PRAGMA page_count")
    guard case .integer(let count) = pages else { throw CocoaError(.fileReadCorruptFile) }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    for page in 1..<UInt64(count) {
      try file.seek(toOffset: page * 4096)
      try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
    }
    try file.close()
    let client = server.client(cache: path)
    #expect(try await client.execute(query: adventures).data["name"] == "b")
    #expect(try await client.execute(query: adventures).source == .cache)
    #expect(server.reports.count == 1)
  }

  @Test func `is left alone when it belongs to another program`() async throws {
    _ = try Database(
      path: path, options: DatabaseOptions(applicationID: 7), migrations: Migrations(["CREATE TABLE t (a INTEGER)"]))
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let server = FakeAEM(answer("a"), answer("b"))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    #expect(try await client.execute(query: adventures).data["name"] == "b")
    #expect(server.reports.count == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `begins anew when it is of the time before identities were digests`() async throws {
    let server = FakeAEM(answer("a"), answer("b"))
    do { _ = try await server.client(cache: path).execute(query: adventures) }
    do {
      let old = try Database(
        path: path, options: DatabaseOptions(applicationID: 0x414E_4343), migrations: Migrations(["", ""]))
      try old.script("PRAGMA user_version = 1")
    }
    let client = server.client(cache: path)
    #expect(try await client.execute(query: adventures).data["name"] == "b")
    #expect(try await client.execute(query: adventures).source == .cache)
    #expect(server.reports.isEmpty)
  }

  @Test func `may have no place`() async throws {
    struct Missing: Error {}
    let server = FakeAEM(answer("a"), answer("b"))
    let client = server.client(cacheBy: { throw Missing() })
    _ = try await client.execute(query: adventures)
    #expect(try await client.execute(query: adventures).data["name"] == "b")
    #expect(server.reports.count == 1)
    let elsewhere = FakeAEM(answer("a"))
    _ = try await elsewhere.client(cache: "/nowhere/at/all.sqlite").execute(query: adventures)
    #expect(elsewhere.reports.count == 1)
  }

  @Test func `is for its owner only, and made at the first use`() async throws {
    let server = FakeAEM(answer("a"))
    let client = server.client(cache: path)
    #expect(!FileManager.default.fileExists(atPath: path))
    _ = try await client.execute(query: adventures)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `stays small: what was used last stays`() async throws {
    var limits = ContentClient.Limits()
    limits.maximumCacheBytes = 100_000
    let server = FakeAEM()
    let client = server.client(cache: path, limits: limits)
    for number in 0..<5 {
      server.answer(answer("\(number)", padding: 30_000))
      _ = try await client.execute(query: adventures, variables: ["n": .integer(Int64(number))])
      server.advance(by: 1)
    }
    for number in [2, 3, 4] {
      let kept = try await client.execute(query: adventures, variables: ["n": .integer(Int64(number))])
      #expect(kept.source == .cache)
    }
    server.answer(answer("0"))
    #expect(try await client.execute(query: adventures, variables: ["n": 0]).source == .network)
    // An answer that would push out most of the others is not kept.
    server.answer(answer("5", padding: 60_000), answer("5"))
    for _ in 0..<2 { #expect(try await client.execute(query: adventures, variables: ["n": 5]).source == .network) }
    #expect(try await client.execute(query: adventures, variables: ["n": 4]).source == .cache)
  }

  @Test func `serves many at once`() async throws {
    let server = FakeAEM()
    for _ in 0..<50 { server.answer(answer("a")) }
    try await withThrowingTaskGroup { group in
      for _ in 0..<5 {
        let client = server.client(cache: path)
        for number in Int64(0)..<10 {
          group.addTask { _ = try await client.execute(query: adventures, variables: ["n": .integer(number)]) }
        }
      }
      try await group.waitForAll()
    }
    #expect(server.reports.isEmpty)
    #expect(try await server.client(cache: path).execute(query: adventures, variables: ["n": 3]).source == .cache)
  }
}
