import Glibc
import PostgreSQL
import TestPrograms
import Testing

@testable import GroupStore
@testable import PostgreSQLGroupStore

private let suite: SuiteID = "group.standby"
private let limit = Duration.seconds(20)

/// A server with a standby, which every commit waits for.
struct ReplicatedServers: Sendable {
  let primary: TestPostgreSQLServer
  let standby: TestPostgreSQLServer
  /// Connections to the first alone.
  let admin: PostgreSQLPool

  init() async throws {
    // From its start: its checkpointer, which tells commits to wait, learns of a setting some time after it was made.
    primary = try TestPostgreSQLServer(settings: "-c synchronous_standby_names=standby")
    standby = try TestPostgreSQLServer(settings: "-c cluster_name=standby", copying: primary)
    admin = try PostgreSQLPool(.init(target: PostgreSQLTarget(primary.url())))
    _ = try await asked("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") { $0 == 1 }
  }

  /// Both, of which a store uses the one that takes writes.
  var url: String { "postgresql://annex@/postgres?host=\(primary.directory),\(standby.directory)" }

  /// Asks the first server until the number that it answers is the one that is wanted.
  func asked(_ sql: String, until isWanted: (Int64) -> Bool = { _ in true }) async throws -> Int64 {
    var last: Int64?
    do {
      while true {
        let number = try await admin.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
          try await connection.query(sql, within: limit).first?.integer(at: 0) ?? 0
        }
        if isWanted(number) { return number }
        last = number
      }
    } catch {
      Issue.record("“\(sql)” answered \(last.map { "\($0)" } ?? "nothing") until: \(error)")
      throw error
    }
  }

  /// Stops what sends to the standby.
  ///
  /// - Returns: its process.
  func stall() async throws -> Int32 {
    // One that the standby has left may be there for a while.
    _ = try await asked("SELECT count(*) FROM pg_stat_replication") { $0 == 1 }
    let sender = Int32(try await asked("SELECT pid FROM pg_stat_replication"))
    try #require(sender > 1)
    kill(sender, SIGSTOP)
    return sender
  }
}

@Suite(.timeLimit(.minutes(2)))
struct `A standby that stalls` {
  /// How many connections wait for the standby with a commit.
  private static let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

  private func backend(_ servers: ReplicatedServers, timeout: Duration) throws -> PostgreSQLGroupBackend {
    var options = PostgreSQLGroupBackend.Options(target: try PostgreSQLTarget(servers.url))
    options.timeout = timeout
    return PostgreSQLGroupBackend(options)
  }

  @Test func `and is promoted lacks nothing that was acknowledged`() async throws {
    let servers = try await ReplicatedServers()
    let store = try backend(servers, timeout: .seconds(2))
    #expect(try await store.apply(suite, [.set("before", [1])]) == 1)
    let lease = try #require(try await store.acquire("held", owner: "me", for: .seconds(600)))
    _ = try await servers.stall()

    // Neither the writer nor anybody else learns of what no standby has.
    let unsaved = await #expect(throws: GroupStoreError.self) { try await store.apply(suite, [.set("during", [2])]) }
    #expect(unsaved?.description.contains("Whether the write was stored is not known.") == true)
    await #expect(throws: GroupStoreError.self) { _ = try await store.acquire("taken", owner: "me", for: limit) }
    await #expect(throws: GroupStoreError.self) { _ = try await store.renew(lease, for: limit) }
    #expect(try await store.snapshot(suite).entries.keys.sorted() == ["before"])
    #expect(try await servers.asked(Self.waiting) == 3)

    try await servers.primary.kill()
    try await servers.standby.promote()
    let after = try backend(servers, timeout: limit)
    #expect(try await after.snapshot(suite).entries.keys.sorted() == ["before"])
    #expect(try await after.apply(suite, [.set("after", [3])]) == 2)
    #expect(try await after.acquire("taken", owner: "other", for: limit)?.token == 1)
    #expect(try await after.acquire("held", owner: "other", for: limit) == nil)
  }

  @Test func `is waited for again when somebody ends the wait, and the write is made once`() async throws {
    let servers = try await ReplicatedServers()
    let store = try backend(servers, timeout: .seconds(60))
    _ = try await store.apply(suite, [.set("before", [1])])
    let sender = try await servers.stall()
    async let revision = store.apply(suite, [.set("during", [2])], require: [.absent("during")])
    _ = try await servers.asked(Self.waiting) { $0 == 1 }
    let first = try await servers.asked("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    let cancelled = try await servers.asked("SELECT pg_cancel_backend(\(first))::int::bigint")
    #expect(cancelled == 1)
    // Committed on this server, where everybody sees it, and asked for again under its number.
    _ = try await servers.asked("SELECT revision FROM annex.suites") { $0 == 2 }
    _ = try await servers.asked(Self.waiting) { $0 == 1 }
    kill(sender, SIGCONT)
    #expect(try await revision == 2)
    #expect(try await store.snapshot(suite).revision == 2)
  }

  @Test func `leaves a commit unknown that was to be given up`() async throws {
    let servers = try await ReplicatedServers()
    _ = try await servers.asked("SELECT 1")
    let sender = try await servers.stall()
    let caught = await #expect(throws: PostgreSQLError.self) {
      try await servers.admin.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        try await connection.query("CREATE TABLE unsaved (a int)", within: .milliseconds(300))
      }
    }
    #expect(caught?.kind == .timedOut && caught?.isOutcomeUnknown == true)
    kill(sender, SIGCONT)
  }
}
