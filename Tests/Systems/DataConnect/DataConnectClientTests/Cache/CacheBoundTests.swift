import JSON
import SQLite
import Testing

@testable import DataConnectClient

@Suite(.timeLimit(.minutes(1)))
struct `A result that is kept` {
  private static let hint = CacheHint(path: [.name("a")], entity: "e")

  /// Runs `body` on the tables of a cache, in memory.
  private func withTables(_ body: (borrowing Database) throws(SQLiteError) -> Void) throws {
    let options = CacheFile.Options(
      name: "The cache", applicationID: 1, migrations: ResultTable.migrations, maximumBytes: 1 << 20)
    let isDone: Void? = CacheFile(options, report: { _ in }, path: { ":memory:" }).use(body)
    try #require(isDone != nil)
  }

  private func result(_ key: String, _ data: JSONValue, _ hints: [CacheHint] = []) -> StoredResult {
    StoredResult(key: key, parts: SplitResult(data, hints: hints), maximumAge: nil)
  }

  private func size(_ result: StoredResult) -> Int {
    JSONCoding.text(of: result.parts.tree).utf8.count + result.key.utf8.count
  }

  @Test func `is fresh until its age is over, and never before it was stored`() {
    func isFresh(_ now: Int, own: Int? = nil, isStale: Bool = false) -> Bool {
      KeptResult(data: [:], maximumAge: own, storedAt: 1_000, isStale: isStale).isFresh(now: now, maximumAge: 100)
    }
    #expect(isFresh(1_000) && isFresh(1_099) && !isFresh(1_100) && !isFresh(999))
    #expect(isFresh(1_000, own: 5) && isFresh(1_004, own: 5) && !isFresh(1_005, own: 5))
    #expect(isFresh(1_199, own: 200) && !isFresh(1_200, own: 200))
    #expect(!isFresh(1_000, own: 0) && !isFresh(1_000, isStale: true))
  }

  @Test func `has half of the space at most, and gives way to what was used later`() throws {
    let small = result("é", ["n": .string(String(repeating: "é", count: 40))])
    let size = size(small)
    try withTables { tables throws(SQLiteError) in
      #expect(try tables.store(small, now: 0, limit: 2 * size) == ["é"])
      #expect(try tables.result("é", now: 0) != nil)
      #expect(try tables.store(small, now: 0, limit: 2 * size - 1) == [])
      #expect(try tables.result("é", now: 0) == nil, "what is too large now is kept no longer")
    }
    try withTables { tables throws(SQLiteError) in
      for (place, key) in ["a", "b", "c"].enumerated() {
        var one = small
        one.key = key + "x"
        _ = try tables.store(one, now: place, limit: 3 * size)
      }
      for key in ["ax", "bx", "cx"] { #expect(try tables.result(key, now: 3) != nil) }
      // A minute later the first is used again, and the second gives way.
      #expect(try tables.result("ax", now: ResultTable.touchInterval) != nil)
      var next = small
      next.key = "dx"
      _ = try tables.store(next, now: ResultTable.touchInterval + 1, limit: 3 * size)
      #expect(try tables.result("bx", now: 0) == nil)
      for key in ["ax", "cx", "dx"] { #expect(try tables.result(key, now: 3) != nil) }
    }
    try withTables { tables throws(SQLiteError) in
      for (place, key) in ["ax", "bx"].enumerated() {
        var one = small
        one.key = key
        _ = try tables.store(one, now: place, limit: 2 * size)
      }
      // A moment earlier than a minute is no use that is noted.
      #expect(try tables.result("ax", now: ResultTable.touchInterval - 1) != nil)
      var next = small
      next.key = "cx"
      _ = try tables.store(next, now: ResultTable.touchInterval, limit: 2 * size)
      #expect(try tables.result("ax", now: 0) == nil)
      #expect(try tables.result("bx", now: 0) != nil)
    }
  }

  @Test func `says which results are others now, and is fresh again when it is stored anew`() throws {
    func entity(_ number: Int) -> JSONValue { ["a": ["n": JSONValue(number)]] }
    try withTables { tables throws(SQLiteError) in
      #expect(try tables.store(result("one", entity(1), [Self.hint]), now: 0, limit: 10_000) == ["one"])
      #expect(try tables.store(result("one", entity(1), [Self.hint]), now: 1, limit: 10_000) == [])
      #expect(try tables.store(result("two", entity(1), [Self.hint]), now: 2, limit: 10_000) == ["two"])
      #expect(try tables.store(result("two", entity(2), [Self.hint]), now: 3, limit: 10_000) == ["one", "two"])
      #expect(try tables.result("one", now: 3)?.data == entity(2))
      // A member that is new changes no result.
      #expect(try tables.touch(["e": ["m": 1]]) == [])
      #expect(try tables.result("one", now: 3)?.isStale == true)
      #expect(try tables.result("two", now: 3)?.isStale == true)
      #expect(try tables.store(result("one", entity(2), [Self.hint]), now: 4, limit: 10_000) == [])
      #expect(try tables.result("one", now: 4)?.isStale == false)
      #expect(try tables.result("two", now: 4)?.isStale == true)
      #expect(try tables.result("one", now: 4)?.storedAt == 4)
      #expect(try tables.touch(["e": ["n": 3]]) == ["one", "two"])
      #expect(try tables.touch(["e": ["n": 3]]) == [])
      // What no mutation makes is not there afterwards.
      #expect(try tables.touch(["f": ["n": 3]]) == [])
      #expect(try tables.scalar("SELECT count(*) FROM entity") == .integer(1))
    }
  }

  @Test func `leaves no entity behind that nobody has`() throws {
    func count(_ tables: borrowing Database) throws(SQLiteError) -> SQLiteValue? {
      try tables.scalar("SELECT count(*) FROM entity")
    }
    try withTables { tables throws(SQLiteError) in
      let data: JSONValue = ["a": ["n": 1]]
      _ = try tables.store(result("one", data, [Self.hint]), now: 0, limit: 10_000)
      _ = try tables.store(result("two", data, [Self.hint]), now: 0, limit: 10_000)
      _ = try tables.store(result("one", data), now: 1, limit: 10_000)
      #expect(try count(tables) == .integer(1), "another result has it")
      _ = try tables.store(result("two", data), now: 2, limit: 10_000)
      #expect(try count(tables) == .integer(0))
      _ = try tables.store(result("two", data, [Self.hint]), now: 3, limit: 10_000)
      try tables.remove("two")
      #expect(try count(tables) == .integer(0))
      #expect(try tables.result("two", now: 3) == nil)
      #expect(try tables.result("one", now: 3) != nil)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A hint of an answer` {
  private func hint(_ change: (inout JSONObject) -> Void) -> CacheHint? {
    var object: JSONObject = ["path": ["a", 0], "entityId": "e"]
    change(&object)
    return CacheHint(.object(object))
  }

  @Test func `has a path of 64 steps at most, of names and places`() {
    func path(_ count: Int) -> JSONValue { .array((0..<count).map { JSONValue($0) }) }
    #expect(hint { $0["path"] = path(64) }?.path.count == 64)
    #expect(hint { $0["path"] = path(65) } == nil)
    #expect(hint { $0["path"] = [] }?.path == [])
    #expect(hint { _ in }?.path == [.name("a"), .index(0)])
    #expect(hint { $0["path"] = nil } == nil)
    for step in [-1, 1.5, .null, true] as [JSONValue] { #expect(hint { $0["path"] = [step] } == nil, "\(step)") }
  }

  @Test func `names entities of 256 bytes at most`() {
    let longest = String(repeating: "é", count: 128)
    #expect(hint { $0["entityId"] = .string(longest) }?.entity == longest)
    for value in [.string(longest + "a"), "", 1] as [JSONValue] {
      #expect(hint { $0["entityId"] = value }?.entity == nil, "\(value)")
    }
    let list = hint { $0["entityIds"] = ["b", "", 1, .string(longest), .string(longest + "a")] }
    #expect(list?.entities == ["b", "", "", longest, ""])
    #expect(hint { _ in }?.entities == [])
  }

  @Test(
    arguments: [
      ("0s", 0), ("3.5s", 3_500), ("0.0019s", 1), ("31536000s", 31_536_000_000), ("31536001s", 31_536_000_000),
      ("-1s", nil), ("1", nil), ("s", nil), ("", nil), ("1ms", nil), ("nans", nil),
      ("0000000000000000000000000000001s", 1_000), ("00000000000000000000000000000001s", nil),
    ] as [(String, Int?)])
  func `keeps for a year at most`(text: String, milliseconds: Int?) {
    #expect(CacheHint.duration(text) == milliseconds.map { .milliseconds($0) })
    #expect(hint { $0["maxAge"] = .string(text) }?.maximumAge == milliseconds.map { .milliseconds($0) })
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The code of a refusal` {
  @Test(
    arguments: [
      ("INVALID_ARGUMENT", 500, .invalidArgument), ("UNAUTHENTICATED", 403, .unauthenticated),
      ("PERMISSION_DENIED", 401, .permissionDenied), ("NOT_FOUND", 400, .notFound), ("UNAVAILABLE", 400, .unavailable),
      ("RESOURCE_EXHAUSTED", 400, .unavailable), ("DEADLINE_EXCEEDED", 400, .timedOut), ("ABORTED", 404, .failed),
      ("ALREADY_EXISTS", 404, .failed), ("FAILED_PRECONDITION", 404, .failed), ("INTERNAL", 404, .failed),
      ("ODD", 404, .notFound), (nil, 400, .invalidArgument), (nil, 401, .unauthenticated),
      (nil, 403, .permissionDenied),
      (nil, 404, .notFound), (nil, 408, .timedOut), (nil, 504, .timedOut), (nil, 413, .tooLarge),
      (nil, 429, .unavailable),
      (nil, 502, .unavailable), (nil, 503, .unavailable), (nil, 500, .failed), (nil, nil, .failed),
      ("ODD", nil, .failed),
    ] as [(String?, Int?, DataConnectFailure.Code)])
  func `is that of its name, else of its status`(name: String?, status: Int?, code: DataConnectFailure.Code) {
    #expect(DataConnectFailure.code(name, status) == code)
  }

  @Test(
    arguments: [
      (3, "INVALID_ARGUMENT"), (4, "DEADLINE_EXCEEDED"), (5, "NOT_FOUND"), (7, "PERMISSION_DENIED"),
      (8, "RESOURCE_EXHAUSTED"), (14, "UNAVAILABLE"), (16, "UNAUTHENTICATED"), (2, nil), (404, nil),
    ] as [(Int64, String?)])
  func `may be a number`(number: Int64, name: String?) {
    #expect(DataConnectFailure.Refusal(["error": ["code": .integer(number)]]).status == name)
    #expect(DataConnectFailure.Refusal(["code": .integer(number), "status": "X"]).status == "X")
    #expect(DataConnectFailure.Refusal(nil) == DataConnectFailure.Refusal(status: nil))
  }
}
