import Files
import SQLite
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A cache in a file` {
  /// What the cache reported.
  private final class Reports {
    var sentences: [String] = []
  }

  let directory: TemporaryDirectory
  private let reports = Reports()
  var path: String { directory.file("cache.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  private func cache(suffix: String? = nil, at path: String?) -> CacheFile {
    let options = CacheFile.Options(
      name: "The test cache", applicationID: 7, migrations: Migrations(["CREATE TABLE item (text TEXT) STRICT"]),
      maximumBytes: 100_000, damagedSuffix: suffix)
    return CacheFile(options, report: { [reports] in reports.sentences.append($0) }, path: { path })
  }

  private func add(_ text: String, to cache: CacheFile) -> Int? {
    cache.use { database throws(SQLiteError) in try database.run("INSERT INTO item VALUES (?)", text) }
  }

  private func count(_ cache: CacheFile) -> SQLiteValue? {
    cache.use { database throws(SQLiteError) in try database.scalar("SELECT count(*) FROM item") } ?? nil
  }

  @Test func `is made at the first use, and found again`() {
    let first = cache(at: path)
    #expect(FileIdentity(path: path) == nil)
    #expect(add("a", to: first) == 1)
    #expect(count(cache(at: path)) == .integer(1))
    #expect(reports.sentences.isEmpty)
  }

  @Test func `is replaced when it is damaged, and only the newest damaged one is kept`() throws {
    for _ in 0..<2 {
      try File.replace(path, with: [UInt8]("this is no database".utf8))
      #expect(add("a", to: cache(at: path)) == 1)
      let aside = DamagedDatabase.all(beside: path)
      #expect(aside.count == 1)
      #expect(
        reports.sentences.last
          == "The test cache at \(path) was damaged. It is now \(aside.first ?? "?"), and a new one is in use.")
      for suffix in ["", "-wal", "-shm"] { File.remove(path + suffix) }
    }
    #expect(reports.sentences.count == 2)
  }

  @Test func `is set aside under the name that its owner chose`() throws {
    try File.replace(path, with: [UInt8]("this is no database".utf8))
    #expect(add("a", to: cache(suffix: ".damaged", at: path)) == 1)
    #expect(FileIdentity(path: "\(path).damaged") != nil)
    #expect(DamagedDatabase.all(beside: path).isEmpty)
    #expect(reports.sentences.count == 1)
  }

  @Test func `is replaced each time that it is found damaged later`() {
    let cache = cache(at: path)
    for round in 1...3 {
      var isDamaged = true
      let found: Int? = cache.use { database throws(SQLiteError) -> Int in
        if isDamaged {
          isDamaged = false
          throw SQLiteError(kind: .corrupt, message: "Torn.", path: path)
        }
        return try database.run("INSERT INTO item VALUES ('a')")
      }
      #expect(found == 1 && count(cache) == .integer(1))
      #expect(reports.sentences.count == round && DamagedDatabase.all(beside: path).count == 1)
    }
  }

  @Test func `is off after damage that comes again at once`() {
    let cache = cache(at: path)
    for _ in 0..<2 {
      let found: Int? = cache.use { _ throws(SQLiteError) in
        throw SQLiteError(kind: .corrupt, message: "Torn.", path: path)
      }
      #expect(found == nil)
    }
    // Replaced once, then off.
    #expect(reports.sentences.count == 2)
    #expect(add("a", to: cache) == nil)
  }

  @Test(arguments: [
    (SQLiteError.Kind.busy, true), (.full, true), (.interrupted, true), (.tooBig, true), (.io, false),
    (.readOnly, false), (.misuse, false),
  ])
  func `goes on after what passes, and is off after the rest`(kind: SQLiteError.Kind, goesOn: Bool) {
    let cache = cache(at: path)
    let found: Int? = cache.use { _ throws(SQLiteError) in
      throw SQLiteError(kind: kind, message: "No.", path: path)
    }
    #expect(found == nil)
    #expect((add("a", to: cache) != nil) == goesOn)
    #expect(reports.sentences.count == (goesOn ? 0 : 1))
  }

  @Test func `of a newer version or of another program is left alone`() throws {
    add("a", to: cache(at: path)).map { #expect($0 == 1) }
    let other = try Database(
      path: path, options: DatabaseOptions(applicationID: 7),
      migrations: Migrations(["", "CREATE TABLE newer (text TEXT)"]))
    try other.script("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(add("b", to: cache(at: path)) == nil)
    #expect(reports.sentences.count == 1)
    #expect(reports.sentences.first?.hasPrefix("The test cache is not used: ") == true)
    #expect(DamagedDatabase.all(beside: path).isEmpty)
  }

  @Test func `without a place is off, and asks for it once`() {
    var asked = 0
    let options = CacheFile.Options(
      name: "The test cache", applicationID: 7, migrations: Migrations([]), maximumBytes: 100_000)
    let cache = CacheFile(options, report: { [reports] in reports.sentences.append($0) }) {
      asked += 1
      return nil
    }
    for _ in 0..<2 { #expect(add("a", to: cache) == nil) }
    #expect(asked == 1)
    #expect(reports.sentences.isEmpty)
  }

  @Test func `in memory ends with the object, and has nothing to set aside`() {
    let cache = cache(at: ":memory:")
    #expect(add("a", to: cache) == 1)
    let found: Int? = cache.use { _ throws(SQLiteError) in
      throw SQLiteError(kind: .corrupt, message: "Torn.", path: ":memory:")
    }
    #expect(found == nil)
    #expect(add("a", to: cache) == nil)
    #expect(reports.sentences.count == 1)
  }
}
