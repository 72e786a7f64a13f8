import EventLoop
import Synchronization
import TestPrograms
import Testing

@testable import PostgreSQL

private let limit = Duration.seconds(30)

/// A pool with one connection to the shared server.
private func pool(
  _ url: String? = nil, prepare: (@Sendable (PostgreSQLConnection) async throws(PostgreSQLError) -> Void)? = nil
) throws -> PostgreSQLPool {
  var options = PostgreSQLPool.Options(target: try PostgreSQLTarget(url ?? TestPostgreSQLServer.shared.get().url()))
  options.maximumCount = 1
  if let prepare { options.prepare = prepare }
  return try PostgreSQLPool(options)
}

/// How often something was done.
private final class Tally: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }

  /// - Returns: how often it was done before.
  @discardableResult
  func add() -> Int {
    number.withLock { number in
      defer { number += 1 }
      return number
    }
  }
}

private func one(_ connection: PostgreSQLConnection) async throws(PostgreSQLError) -> Int64 {
  try await connection.query("SELECT 1", within: limit).first?.integer(at: 0) ?? 0
}

@Suite(.timeLimit(.minutes(1)))
struct `The places of a pool` {
  @Test func `are free again after a wait in vain, whether its time was over or its task was cancelled`() async throws {
    let pool = try pool()
    try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      for _ in 0..<2 {
        let late = await #expect(throws: PostgreSQLError.self) {
          try await pool.withConnection(within: .zero) { (_) async throws(PostgreSQLError) in }
        }
        #expect(late?.kind == .timedOut && late?.message == "Every connection to the database was in use for too long.")
        let waiting = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          try await pool.withConnection(within: limit) { (_) async throws(PostgreSQLError) in }
        }
        let cancelled = await #expect(throws: PostgreSQLError.self) { try await waiting.value }
        #expect(cancelled?.kind == .cancelled)
      }
      #expect(try await one(connection) == 1)
    }
    for _ in 0..<2 { #expect(try await pool.withConnection(within: limit, one) == 1) }
  }

  @Test func `are four where nobody says otherwise`() throws {
    let options = PostgreSQLPool.Options(target: try PostgreSQLTarget("postgresql://localhost/db"))
    #expect(options.maximumCount == 4 && options.connectTimeout == .seconds(3) && options.cancelsStatements)
  }

  @Test func `are handed on to whoever waits, one after the other`() async throws {
    let pool = try pool()
    let done = Tally()
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
            #expect(try await one(connection) == 1)
            done.add()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(done.count == 8)
    #expect(try await pool.withConnection(within: limit, one) == 1)
  }

  @Test func `are free again when no server is reached, or its connection cannot be prepared`() async throws {
    let away = try pool("postgresql://me@127.0.0.1:1/db")
    for _ in 0..<3 {
      let error = await #expect(throws: PostgreSQLError.self) {
        try await away.withConnection(within: limit) { (_) async throws(PostgreSQLError) in }
      }
      #expect(error?.kind == .cannotConnect && error?.isOutcomeUnknown == false)
    }
    let prepared = Tally()
    let odd = try pool { (_) async throws(PostgreSQLError) in
      if prepared.add() < 2 { throw PostgreSQLError(.tooPowerful, "No.", isOutcomeUnknown: true) }
    }
    for _ in 0..<2 {
      let error = await #expect(throws: PostgreSQLError.self) { try await odd.withConnection(within: limit, one) }
      #expect(error?.kind == .tooPowerful && error?.isOutcomeUnknown == false, "nothing was sent")
    }
    for _ in 0..<2 { #expect(try await odd.withConnection(within: limit, one) == 1) }
    #expect(prepared.count == 3, "each connection once")
  }

  @Test func `are taken again after what passes, and the error tells whether any attempt may have had an effect`()
    async throws
  {
    let pool = try pool()
    let tries = Tally()
    let error = await #expect(throws: PostgreSQLError.self) {
      try await pool.retrying(within: limit) { (_, time) async throws(PostgreSQLError) in
        #expect(time > .zero && time <= limit)
        switch tries.add() {
        case 0: throw PostgreSQLError(.refused, "a", sqlState: "40001")
        case 1: throw PostgreSQLError(.connectionLost, "b", isOutcomeUnknown: true)
        default: throw PostgreSQLError(.refused, "c", sqlState: "23505")
        }
      }
    }
    #expect(error?.message == "c" && error?.isOutcomeUnknown == true && tries.count == 3)
    let once = await #expect(throws: PostgreSQLError.self) {
      try await pool.retrying(within: limit) { (_, _) async throws(PostgreSQLError) in
        tries.add()
        throw PostgreSQLError(.misuse, "d")
      }
    }
    #expect(once?.message == "d" && once?.isOutcomeUnknown == false && tries.count == 4)
    let found = try await pool.retrying(within: limit) { (connection, _) async throws(PostgreSQLError) in
      try await one(connection)
    }
    #expect(found == 1)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The state of a connection` {
  @Test func `is usable behind a transaction, whether it was committed or rolled back`() async throws {
    try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      try await connection.run(script: "CREATE TEMPORARY TABLE kept (a int)", within: limit)
      let count = try await connection.transaction(within: limit) { (connection) async throws(PostgreSQLError) in
        try await connection.change("INSERT INTO kept VALUES (1), (2)", within: limit)
      }
      #expect(count == 2)
      #expect(await connection.isUsable)
      let caught = await #expect(throws: PostgreSQLError.self) {
        try await connection.transaction(within: limit) { (connection) async throws(PostgreSQLError) in
          try await connection.change("DELETE FROM kept", within: limit)
          throw PostgreSQLError(.misuse, "No.")
        }
      }
      #expect(caught?.message == "No.")
      #expect(await connection.isFresh)
      #expect(try await connection.query("SELECT a FROM kept", within: limit).count == 2)
      try await connection.run(script: "BEGIN", within: limit)
      #expect(await !connection.isUsable, "it is in a transaction")
    }
  }

  @Test func `takes an answer up to its last byte, and none that is larger`() async throws {
    let pool = try pool()
    let sql = "VALUES ('abcd'::text), ('é'), (NULL)"
    try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      #expect(try await connection.query(sql, within: limit, maximumBytes: 6).count == 3)
    }
    // With four bytes, what comes first is just what there may be.
    for most in [5, 4, 3] {
      try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        let error = await #expect(throws: PostgreSQLError.self) {
          try await connection.query(sql, within: limit, maximumBytes: most)
        }
        #expect(error?.kind == .tooLarge)
        #expect(await !connection.isUsable)
      }
    }
    #expect(try await pool.withConnection(within: limit, one) == 1)
  }

  @Test func `has nothing done of a statement that is given up while the server prepares it`() async throws {
    let (one, other) = (try pool(), try pool())
    let name = "t\(UInt32.random(in: 0...(.max)))"
    try await one.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      try await connection.run(script: "CREATE TABLE \(name) (a int)", within: limit)
      // Who has the table alone keeps others from preparing what reads it.
      try await connection.transaction(within: limit) { (connection) async throws(PostgreSQLError) in
        try await connection.run(script: "LOCK TABLE \(name)", within: limit)
        let error = await #expect(throws: PostgreSQLError.self) {
          try await other.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
            _ = try await connection.query("SELECT a FROM \(name)", within: .milliseconds(20))
          }
        }
        #expect(error?.kind == .timedOut && error?.isOutcomeUnknown == false)
      }
      try await connection.run(script: "DROP TABLE \(name)", within: limit)
    }
  }

  @Test func `sends no statement that was prepared only after it was given up`() async throws {
    var options = PostgreSQLPool.Options(target: try PostgreSQLTarget(TestPostgreSQLServer.shared.get().url()))
    (options.maximumCount, options.cancelsStatements) = (1, false)
    let pool = try PostgreSQLPool(options)
    let name = "t\(UInt32.random(in: 0...(.max)))"
    let (process, error) = try await pool.withConnection(within: limit) {
      (connection) async throws(PostgreSQLError) -> (Int32, PostgreSQLError?) in
      try await connection.run(script: "CREATE TABLE \(name) (a int)", within: limit)
      let process = await connection.server?.processID ?? 0
      let writing = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try await connection.change("INSERT INTO \(name) VALUES (1)", within: limit)
      }
      do { try await writing.value } catch { return (process, error as? PostgreSQLError) }
      return (process, nil)
    }
    try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      // What was sent is done when the server's process for that connection has ended.
      let sql = "SELECT pid FROM pg_stat_activity WHERE pid = $1"
      while try await !connection.query(sql, [.integer(Int64(process))], within: limit).isEmpty { await Task.yield() }
      let count = try await connection.query("SELECT a FROM \(name)", within: limit).count
      try await connection.run(script: "DROP TABLE \(name)", within: limit)
      // It may have been prepared before anybody saw that the task is cancelled, and done then.
      if error?.isOutcomeUnknown != true { #expect(count == (error == nil ? 1 : 0), "\(String(describing: error))") }
    }
  }

  @Test func `is in use by one at a time, and free when that one has what it waited for`() async throws {
    let (one, other) = (try pool(), try pool())
    try await one.withConnection(within: limit) { (listener) async throws(PostgreSQLError) in
      try await listener.run(script: "LISTEN place", within: limit)
      #expect(try await listener.notifications(within: .zero) == [], "there is nothing yet")
      for _ in 0..<2 {
        #expect(await listener.isUsable)
        let waiting = Task { try await listener.notifications(within: limit) }
        while await listener.isUsable { await Task.yield() }
        let error = await #expect(throws: PostgreSQLError.self) { try await listener.query("SELECT 1", within: limit) }
        #expect(error?.kind == .misuse)
        let sender = try await other.withConnection(within: limit) {
          (connection) async throws(PostgreSQLError) -> Int32? in
          try await connection.run(script: "NOTIFY place, 'é'", within: limit)
          return await connection.server?.processID
        }
        let heard = try? await waiting.value
        #expect(heard?.map(\.payload) == ["é"] && heard?.map(\.channel) == ["place"])
        #expect(sender != nil && heard?.first?.processID == sender)
      }
    }
  }

  @Test func `names its server until it is closed`() async throws {
    try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      let row = try await connection.query("SELECT pg_backend_pid(), current_database(), current_user", within: limit)
      let server = await connection.server
      #expect(server.map { Int64($0.processID) } == row.first?.integer(at: 0) && server?.port.isEmpty == false)
      #expect(server?.database == row.first?.text(at: 1) && server?.user == row.first?.text(at: 2))
      #expect((server?.version ?? 0) >= 100_000 && server?.host.isEmpty == false)
      await connection.close()
      for _ in 0..<2 {
        let error = await #expect(throws: PostgreSQLError.self) {
          try await connection.query("SELECT 1", within: limit)
        }
        #expect(error?.kind == .connectionLost && error?.isOutcomeUnknown == false)
      }
      #expect(await !connection.isUsable)
      #expect(await connection.server == nil)
    }
  }
}
