import EventLoop
import Glibc
import TestPrograms
import Testing

@testable import PostgreSQL

private let limit = Duration.seconds(30)

/// A pool of connections to the shared server.
private func pool(maximumCount: Int = 4, _ url: String? = nil) throws -> PostgreSQLPool {
  var options = PostgreSQLPool.Options(target: try PostgreSQLTarget(url ?? TestPostgreSQLServer.shared.get().url()))
  options.maximumCount = maximumCount
  return try PostgreSQLPool(options)
}

@Suite(.timeLimit(.minutes(1)))
struct `A connection to PostgreSQL` {
  @Test func `binds every sort of value, and reads it again`() async throws {
    let row = try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      try await connection.query(
        """
        SELECT $1::bool, $2::bigint, $3::float8, $4::text, $5::bytea, $6::bytea[] = ARRAY['\\x01', NULL, '']::bytea[],
          $7::bigint[] = ARRAY[1, -2]::bigint[], $8::text, 7::int4, (-3)::int2, 1.5::float4, $9::date::text, $10::bytea
        """,
        [
          .boolean(true), .integer(.min), .real(-0.5), .text("é€"), .bytes([0, 255]), .manyBytes([[1], nil, []]),
          .integers([1, -2]), .null, .text("2026-01-31"), .bytes([]),
        ], within: limit)
    }.first
    let found = try #require(row)
    #expect(found.boolean(at: 0) && found.integer(at: 1) == .min && found.real(at: 2) == -0.5)
    #expect(found.text(at: 3) == "é€" && found.bytes(at: 4) == [0, 255])
    #expect(found.boolean(at: 5) && found.boolean(at: 6))
    #expect(found.isNull(at: 7) && found.text(at: 7) == "" && found.integer(at: 7) == 0)
    #expect(found.integer(at: 8) == 7 && found.integer(at: 9) == -3 && found.real(at: 10) == 1.5)
    #expect(found.text(at: 11) == "2026-01-31" && !found.isNull(at: 12) && found.bytes(at: 12) == [])
    #expect(found.count == 13 && found.name(at: 8) == "int4")
  }

  @Test func `says what the server refuses, and goes on`() async throws {
    try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      for _ in 0..<2 {
        do throws(PostgreSQLError) {
          try await connection.query("SELECT 1 / $1::int", [.text("0")], within: limit)
          Issue.record("nothing was refused")
        } catch {
          #expect(error.kind == .refused && error.sqlState == "22012" && !error.isRetryable && !error.isOutcomeUnknown)
          #expect(error.message == "The server refused the statement: division by zero.")
        }
      }
      #expect(try await connection.query("SELECT 2", within: limit).first?.integer(at: 0) == 2)
    }
  }

  @Test func `prepares a statement for the same bytes only`() async throws {
    try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      let composed = try await connection.query("SELECT octet_length('\u{E9}')", within: limit).first
      let combined = try await connection.query("SELECT octet_length('e\u{301}')", within: limit).first
      #expect(composed?.integer(at: 0) == 2 && combined?.integer(at: 0) == 3)
    }
  }

  @Test func `tells how many rows a statement changes`() async throws {
    try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      try await connection.run(script: "CREATE TEMPORARY TABLE counted (a int)", within: limit)
      func change(_ sql: String, _ values: [PostgreSQLValue] = []) async throws(PostgreSQLError) -> Int {
        try await connection.change(sql, values, within: limit)
      }
      let insert = "INSERT INTO counted SELECT generate_series(1, $1::int)"
      #expect(try await change(insert, [.text("3")]) == 3)
      #expect(try await change(insert, [.text("0")]) == 0)
      #expect(try await change("UPDATE counted SET a = a + 1 WHERE a > 1 RETURNING a") == 2)
      #expect(try await change("SELECT a FROM counted") == 3)
      #expect(try await change("DELETE FROM counted") == 3)
      #expect(try await change("CREATE TEMPORARY TABLE other (a int)") == 0)
      _ = await #expect(throws: PostgreSQLError.self) { try await change("DELETE FROM nowhere") }
    }
  }

  @Test func `refuses text with a NUL and more statements at once`() async throws {
    try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      do throws(PostgreSQLError) {
        try await connection.query("SELECT $1::text", [.text("a\0b")], within: limit)
        Issue.record("NUL was taken")
      } catch { #expect(error.kind == .misuse) }
      #expect(await connection.isUsable)
    }
  }

  @Test func `gives a statement up when its time is over, and is not used again`() async throws {
    let pool = try pool(maximumCount: 1)
    let start = ContinuousClock.now
    let caught = await #expect(throws: PostgreSQLError.self) {
      try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        _ = try await connection.query("SELECT pg_sleep(50)", within: .milliseconds(50))
      }
    }
    #expect(caught?.kind == .timedOut && caught?.isOutcomeUnknown == false)
    #expect(ContinuousClock.now - start < .seconds(20))
    let second = try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      try await connection.query("SELECT 2", within: limit).first?.integer(at: 0)
    }
    #expect(second == 2)
  }

  @Test func `does not say of what ends well after it was given up that it was done`() async throws {
    // It is done when the server hears that nobody waits for it any longer.
    let work = "DO $$ BEGIN PERFORM pg_sleep(50); EXCEPTION WHEN query_canceled THEN NULL; END $$"
    let caught = await #expect(throws: PostgreSQLError.self) {
      try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        _ = try await connection.query(work, within: .seconds(1))
      }
    }
    #expect(caught?.kind == .timedOut && caught?.isOutcomeUnknown == true)
  }

  @Test func `gives a statement up with the task that waits for it`() async throws {
    let pool = try pool(maximumCount: 1)
    let outcome = await withTaskGroup(of: PostgreSQLError?.self) { group in
      group.addTask {
        do throws(PostgreSQLError) {
          try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
            _ = try await connection.query("SELECT pg_sleep(50)", within: limit)
          }
          return nil
        } catch { return error }
      }
      group.cancelAll()
      return await group.next() ?? nil
    }
    #expect(outcome?.kind == .cancelled)
  }

  @Test func `takes no larger answer than is wanted`() async throws {
    let caught = await #expect(throws: PostgreSQLError.self) {
      try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        _ = try await connection.query(
          "SELECT repeat('x', 1000) FROM generate_series(1, 1000000)", within: limit, maximumBytes: 1 << 20)
      }
    }
    #expect(caught?.kind == .tooLarge)
  }

  @Test func `is not used again after an answer that is too large, of which the rest may be on its way`() async throws {
    try await pool(maximumCount: 1).withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      do throws(PostgreSQLError) {
        try await connection.query(
          "SELECT repeat('x', 1000) FROM generate_series(1, 1000000)", within: limit, maximumBytes: 1 << 20)
        Issue.record("a gigabyte was taken")
      } catch {
        #expect(error.kind == .tooLarge && !error.isOutcomeUnknown)
      }
      #expect(await !connection.isUsable)
    }
  }

  @Test func `rolls a transaction back whose body throws`() async throws {
    let pool = try pool(maximumCount: 1)
    struct Missing: Error {}
    let name = "t\(UInt32.random(in: 0...(.max)))"
    await #expect(throws: PostgreSQLError.self) {
      try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        try await connection.transaction(within: limit) { (connection) async throws(PostgreSQLError) in
          try await connection.run(script: "CREATE TABLE \(name) (a int)", within: limit)
          throw PostgreSQLError(.misuse, "No.")
        }
      }
    }
    let exists = try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      try await connection.query("SELECT to_regclass($1) IS NOT NULL", [.text(name)], within: limit).first?.boolean(
        at: 0)
    }
    #expect(exists == false)
  }

  @Test func `says so when the server undoes a transaction in which a statement was refused`() async throws {
    let pool = try pool(maximumCount: 1)
    let caught = await #expect(throws: PostgreSQLError.self) {
      try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        try await connection.transaction(within: limit) { (connection) async throws(PostgreSQLError) in
          _ = try? await connection.query("SELECT 1/0", within: limit)
        }
      }
    }
    #expect(caught?.kind == .refused && caught?.isOutcomeUnknown == false)
    let one = try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      try await connection.query("SELECT 1", within: limit).first?.integer(at: 0)
    }
    #expect(one == 1)
  }

  @Test func `hears what others tell`() async throws {
    let (one, other) = (try pool(), try pool())
    let heard = try await one.withConnection(within: limit) { (listener) async throws(PostgreSQLError) in
      try await listener.run(script: "LISTEN news", within: limit)
      try await other.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        try await connection.run(script: "NOTIFY news, 'a'; NOTIFY news, 'b'", within: limit)
      }
      var heard: [String] = []
      while heard.count < 2 {
        let some = try await listener.notifications(within: limit)
        if some.isEmpty { break }
        heard += some.map(\.payload)
      }
      return heard
    }
    #expect(heard == ["a", "b"])
  }

  @Test func `sends and takes megabytes both ways`() async throws {
    let bytes = [UInt8](repeating: 7, count: 6 << 20)
    let back = try await pool().withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      try await connection.query("SELECT $1::bytea", [.bytes(bytes)], within: limit).first?.bytes(at: 0)
    }
    #expect(back == bytes)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A pool of connections` {
  @Test func `lends each connection to one at a time, and serves all`() async throws {
    let pool = try pool(maximumCount: 2)
    let processes = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<40 {
        group.addTask {
          try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
            // The threads that all tasks share may be busy.
            #expect(pool.loop.isOnLoop)
            return try await connection.query("SELECT pg_backend_pid()", within: limit).first?.integer(at: 0) ?? 0
          }
        }
      }
      return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
    }
    #expect((1...2).contains(processes.count) && !processes.contains(0))
  }

  @Test func `makes a connection again that the server ended`() async throws {
    let (pool, other) = (try pool(maximumCount: 1), try pool())
    let ask: @Sendable (PostgreSQLConnection, Duration) async throws(PostgreSQLError) -> Int64 = {
      (connection, time) async throws(PostgreSQLError) in
      try await connection.query("SELECT pg_backend_pid()", within: time).first?.integer(at: 0) ?? 0
    }
    let first = try await pool.retrying(within: limit, ask)
    try await other.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
      _ = try await connection.query("SELECT pg_terminate_backend($1::int8::int4)", [.integer(first)], within: limit)
    }
    let second = try await pool.retrying(within: limit, ask)
    #expect(second != first)
  }

  @Test func `lends no connection whose server is gone, though nobody has noticed`() async throws {
    let pool = try pool(maximumCount: 1)
    for _ in 0..<5 {
      let process = try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        await connection.server?.processID ?? 0
      }
      try #require(process > 1)
      // Nothing that comes is looked at meanwhile.
      pool.loop.execute {
        kill(process, SIGTERM)
        while kill(process, 0) == 0 { sched_yield() }
      }
      // Nothing is repeated here.
      let next = try await pool.withConnection(within: limit) { (connection) async throws(PostgreSQLError) in
        try await connection.query("SELECT pg_backend_pid()", within: limit).first?.integer(at: 0) ?? 0
      }
      #expect(next != Int64(process) && next > 1)
    }
  }

  @Test func `says in time that no server can be reached, and names no password`() async throws {
    let pool = try pool("postgresql://me:Secret1@127.0.0.1:1,127.0.0.1:1/db")
    let caught = await #expect(throws: PostgreSQLError.self) {
      try await pool.retrying(within: .milliseconds(200)) { (_, _) async throws(PostgreSQLError) in }
    }
    #expect(caught?.kind == .cannotConnect && caught?.isOutcomeUnknown == false)
    #expect(caught?.description.contains("Secret1") == false)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The URL of a database` {
  @Test func `is shown without user, password and options`() throws {
    let target = try PostgreSQLTarget("postgresql://me:Secret1@a:1,b:2/db?sslmode=require")
    #expect(target.description == "db on a,b" && target.hasPassword)
    #expect(try !PostgreSQLTarget("postgresql://me@a/db").hasPassword)
    #expect(try PostgreSQLTarget("postgresql://?service=x").description == "the service x")
    #expect(try PostgreSQLTarget("postgresql://me@a/db?password=Secret1").hasPassword)
  }

  @Test(arguments: [
    "postgresql://me:Secret1@a:b:c/db", "postgresql://me:x@Secret1@a/db", "postgresql://me:Sec/ret1@a/db",
    "postgresql://me:123/Secret1@a/db", "postgresql://me:Sec%ret1@a/db", "mysql://me:Secret1@a", "",
    "postgresql://me:Secret1@a,b,c:1,2/db?nothing=1", "postgresql://me:Secret1@a/\0",
  ])
  func `that cannot be read is not repeated`(url: String) {
    let caught = #expect(throws: PostgreSQLError.self) { try PostgreSQLTarget(url) }
    #expect(caught?.kind == .invalidTarget && caught?.description.contains("Sec") == false)
  }

  private static func modes(_ url: String) throws -> [String] {
    let target = try PostgreSQLTarget(url).keepingPasswordsPrivate()
    return target.servers.flatMap { server in
      target.parameters(for: server).filter { $0.0 == "sslmode" }.map(\.1)
    }
  }

  @Test(arguments: ["disable", "allow", "prefer"])
  func `lets no password go in clear text to another machine`(mode: String) throws {
    for place in [
      "db.example.com/x?", "10.0.0.1/x?", "/x?host=db.example.com&", "localhost/x?hostaddr=10.0.0.1&",
      "localhost,db.example.com/x?", "a,b/x?hostaddr=127.0.0.1,10.0.0.1&", "/x?service=s&", "localhost,a/x?hostaddr=,&",
      "localhost,localhost/x?hostaddr=,10.0.0.1&", "127.0.0.1.example.com/x?",
    ] {
      let url = "postgresql://me@\(place)sslmode=\(mode)"
      let caught = #expect(throws: PostgreSQLError.self) { try Self.modes(url) }
      #expect(caught?.kind == .invalidTarget, "\(url)")
    }
    for place in [
      "localhost/x?", "127.0.0.1:5433/x?", "[::1]/x?", "/x?host=/run/postgresql&", "a/x?hostaddr=127.0.0.1&",
    ] {
      #expect(try Self.modes("postgresql://me@\(place)sslmode=\(mode)") == [])
    }
    // The variables of the environment count for less.
    #expect(try Self.modes("postgresql://me@db.example.com/x") == ["require"])
    #expect(try Self.modes("postgresql:///x") == ["require"])
    #expect(try Self.modes("postgresql://me@db.example.com/x?sslmode=verify-full") == ["verify-full"])
  }
}
