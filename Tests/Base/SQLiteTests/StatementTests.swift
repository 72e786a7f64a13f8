import SQLite
import Testing

private let migrations = Migrations(["CREATE TABLE entry (id INTEGER PRIMARY KEY, value ANY) STRICT"])

private func makeDatabase() throws -> Database {
  try Database.inMemory(options: DatabaseOptions(applicationID: 1), migrations: migrations)
}

@Suite(.timeLimit(.minutes(1)))
struct `A statement` {
  @Test(arguments: [
    SQLiteValue.null, .integer(.min), .integer(.max), .real(0.1), .real(-.infinity), .text(""), .text("é\u{0}x 🧭"),
    .blob([]), .blob([0, 255, 0]),
  ])
  func `gives back every value as it was bound`(value: SQLiteValue) throws {
    let database = try makeDatabase()
    try database.run("INSERT INTO entry VALUES (1, ?)", value)
    #expect(try database.scalar("SELECT value FROM entry") == value)
  }

  @Test func `binds values of Swift`() throws {
    let database = try makeDatabase()
    let rows: [any SQLiteBindable] = [true, 3, Int64(4), 2.5, "x", [UInt8(1)], String?.none, Int32(6)]
    let expected: [SQLiteValue] = [
      .integer(1), .integer(3), .integer(4), .real(2.5), .text("x"), .blob([1]), .null, .integer(6),
    ]
    for (row, value) in zip(rows, expected) {
      #expect(try database.scalar("SELECT ?", row.sqliteValue) == value)
    }
  }

  @Test func `runs again with other values`() throws {
    let database = try makeDatabase()
    let statement = try database.prepare("INSERT INTO entry VALUES (?, ?)")
    for number in 1...3 {
      try statement.bind([number, "value \(number)"])
      let hasRow = try statement.step()
      #expect(!hasRow)
    }
    let texts = try database.rows("SELECT id, value FROM entry ORDER BY id DESC") { row throws(SQLiteError) in
      "\(row.integer(at: 0)) \(row.text(at: 1))"
    }
    #expect(texts == ["3 value 3", "2 value 2", "1 value 1"])
    #expect(database.lastInsertedRow == 3)
  }

  @Test func `does not keep values for the next use of its text`() throws {
    let database = try makeDatabase()
    #expect(try database.scalar("SELECT ?", "secret") == .text("secret"))
    let again = try database.prepare("SELECT ?")
    let hasRow = try again.step()
    let isNull = again.isNull(at: 0)
    #expect(hasRow && isNull)
  }

  @Test func `is used again for the same bytes only`() throws {
    let database = try makeDatabase()
    #expect(try database.scalar("SELECT hex('\u{E9}')") == .text("C3A9"))
    #expect(try database.scalar("SELECT hex('e\u{301}')") == .text("65CC81"))
  }

  @Test func `may be in use twice with one text`() throws {
    let database = try makeDatabase()
    for number in 1...3 { try database.run("INSERT INTO entry VALUES (?, NULL)", number) }
    var pairs = 0
    _ = try database.rows("SELECT id FROM entry") { (_) throws(SQLiteError) in
      pairs += try database.rows("SELECT id FROM entry") { (_) throws(SQLiteError) in 0 }.count
    }
    #expect(pairs == 9)
  }

  @Test func `gives the first row only when asked for one`() throws {
    let database = try makeDatabase()
    for number in 1...3 { try database.run("INSERT INTO entry VALUES (?, NULL)", number) }
    #expect(try database.first("SELECT id FROM entry ORDER BY id") { r throws(SQLiteError) in r.integer(at: 0) } == 1)
    let none = try database.first("SELECT id FROM entry WHERE id > 9") { r throws(SQLiteError) in r.integer(at: 0) }
    #expect(none == nil)
  }

  @Test func `outlives its database without harm`() throws {
    func orphan() throws -> Statement { try makeDatabase().prepare("SELECT 42") }
    let statement = try orphan()
    let hasRow = try statement.step()
    let value = statement.integer(at: 0)
    #expect(hasRow && value == 42)
  }

  @Test(arguments: [
    ("SELEC 1", SQLiteError.Kind.misuse), ("SELECT 1; SELECT 2", .misuse), ("", .misuse), ("-- nothing", .misuse),
    ("SELECT 1\u{0}", .misuse), ("INSERT INTO entry VALUES ('no number', 1)", .constraint),
    ("SELECT ?", .misuse),
  ])
  func `is refused with the text that is wrong`(sql: String, kind: SQLiteError.Kind) throws {
    let database = try makeDatabase()
    let error = #expect(throws: SQLiteError.self) { try database.run(sql) }
    #expect(error?.kind == kind)
    #expect(error?.sql == sql)
  }

  @Test func `names the rule that was broken`() throws {
    let database = try makeDatabase()
    try database.run("INSERT INTO entry VALUES (1, NULL)")
    let error = #expect(throws: SQLiteError.self) { try database.run("INSERT INTO entry VALUES (1, NULL)") }
    #expect(error?.kind == .constraint)
    #expect(error?.code == 19)
    #expect(error?.extendedCode == 1555)
    #expect(error?.message.contains("entry.id") == true)
  }
}
