import DataConnectMigration
import Files
import PostgreSQL
import TestSupport
import Testing

/// A database that follows a schema through its changes.
struct Evolution {
  let database: TestDatabase
  let folder: TemporaryDirectory

  init(_ schema: String) async throws {
    database = try await TestDatabase()
    folder = try TemporaryDirectory()
    try await database.run(DatabaseMigration.creation(of: TestDatabase.schema(schema), namespace: "public"))
  }

  func plan(_ schema: String, ignoringUnknown: Bool = false) async throws -> MigrationPlan {
    try await DatabaseMigration.plan(
      TestDatabase.schema(schema), namespace: "public", on: database.connection, ignoringUnknown: ignoringUnknown,
      within: TestDatabase.limit)
  }

  /// Applies a change, after which nothing is left to do.
  @discardableResult
  func change(_ schema: String, allowingLoss: Bool = false) async throws -> MigrationReport {
    let plan = try await plan(schema)
    let report = try await DatabaseMigration.apply(
      plan, on: database.connection, allowingLoss: allowingLoss, dumpFolder: folder.file("dumps"),
      within: TestDatabase.limit)
    #expect(try await self.plan(schema).sql == "")
    return report
  }

  /// What a file of rows holds.
  func text(_ path: String) throws -> String { String(decoding: try File.read(path, limit: 1 << 20), as: UTF8.self) }
}

@Suite(.timeLimit(.minutes(1)))
struct `A change of the schema` {
  private let simple = "type Film @table { title: String! minutes: Int }"

  @Test func `is nothing where nothing changed, whatever the schema has`() async throws {
    for namespace in ["public", "My \"films\""] {
      let (database, schema) = (try await TestDatabase(), try TestDatabase.schema(CreationFixture.films))
      try await database.run(DatabaseMigration.creation(of: schema, namespace: namespace))
      let plan = try await DatabaseMigration.plan(
        schema, namespace: namespace, on: database.connection, within: TestDatabase.limit)
      #expect(plan.steps == [] && plan.obstacles == [])
      #expect(plan.notices.count == 1)
      #expect(try await database.rows("SELECT nspname FROM pg_namespace WHERE nspname = 'annex_plan'") == [])
    }
  }

  @Test func `makes everything where there is nothing`() async throws {
    let (database, schema) = (try await TestDatabase(), try TestDatabase.schema(CreationFixture.films))
    for namespace in ["public", "other"] {
      let plan = try await DatabaseMigration.plan(
        schema, namespace: namespace, on: database.connection, within: TestDatabase.limit)
      #expect(plan.losses == [])
      _ = try await DatabaseMigration.apply(plan, on: database.connection, dumpFolder: "/nowhere")
      let next = try await DatabaseMigration.plan(
        schema, namespace: namespace, on: database.connection, within: TestDatabase.limit)
      #expect(next.steps == [])
    }
  }

  @Test func `adds columns to rows that are there, with a value or with advice`() async throws {
    let evolution = try await Evolution(simple)
    try await evolution.database.run("INSERT INTO film (title) VALUES ('One')")
    let more =
      "type Film @table { title: String! minutes: Int stars: Int! sequel: Film at: Timestamp! @default(expr: \"request.time\") }"
    let plan = try await evolution.plan(more)
    #expect(plan.obstacles.count == 1 && plan.obstacles[0].hasPrefix("Film.stars is new and cannot be null"))
    #expect(plan.sql.contains("-- Cannot be done: Film.stars"))
    await #expect(throws: MigrationError.obstacles(plan.obstacles)) {
      try await DatabaseMigration.apply(plan, on: evolution.database.connection, dumpFolder: "/nowhere")
    }
    try await evolution.change(more.replacing("stars: Int!", with: "stars: Int! @default(value: 3)"))
    #expect(
      try await evolution.database.rows("SELECT title, stars, sequel_id, at <= now() FROM film") == ["One,3,NULL,true"])
    try await evolution.change(more.replacing("stars: Int!", with: "stars: Int"))
    #expect(try await evolution.database.rows("SELECT stars FROM film") == ["3"])
  }

  @Test func `takes columns and tables away only when it is allowed, and keeps what was in them`() async throws {
    let both = "\(simple) type Rating @table(name: \"ra/ting\") { film: Film! stars: Int }"
    let evolution = try await Evolution(both)
    try await evolution.database.run(
      """
      INSERT INTO film (title, minutes) SELECT 'Film ' || n, nullif(n, 1) FROM generate_series(1, 120) n;
      INSERT INTO "ra/ting" (film_id, stars) SELECT id, 5 FROM film
      """)
    let less = "type Film @table { title: String! }"
    let plan = try await evolution.plan(less)
    #expect(
      plan.losses == ["The table ra/ting goes, with 120 rows.", "The column film.minutes goes, with 119 values."])
    await #expect(throws: MigrationError.loss(plan.losses)) {
      try await DatabaseMigration.apply(plan, on: evolution.database.connection, dumpFolder: "/nowhere")
    }
    // Where they cannot be kept they stay.
    await #expect(throws: MigrationError.self) {
      try await DatabaseMigration.apply(
        plan, on: evolution.database.connection, allowingLoss: true, dumpFolder: "/proc/nowhere")
    }
    #expect(try await evolution.database.rows("SELECT count(minutes) FROM film") == ["119"])
    let ignoring = try await evolution.plan(less, ignoringUnknown: true)
    #expect(ignoring.isEmpty && ignoring.notices.count == 2)
    let report = try await evolution.change(less, allowingLoss: true)
    let texts = try report.dumps.map { try evolution.text($0).split(separator: "\n") }
    #expect(texts.map(\.count) == [120, 119])
    // Of a name, what a path must not have is another character.
    for (path, name) in zip(report.dumps, ["ra_ting.jsonl.", "film.minutes.jsonl."]) {
      #expect(path.contains("/\(name)"), "\(path)")
    }
    #expect(texts[0][0].contains("\"stars\":5") && texts[1].contains { $0.hasSuffix("\"minutes\":120}") })
    #expect(texts[1].allSatisfy { $0.contains("\"id\":\"") }, "a value is told with the key of its row")
    #expect(report.dumps.allSatisfy { FileStatus($0)?.mode == 0o100600 })
  }

  @Test func `converts types where every value stays, and says where one does not`() async throws {
    let before = """
      enum Mood { DULL BRIGHT }
      type Film @table { a: Int b: String c: String @col(dataType: "varchar(5)") d: Date e: Int64 f: String g: Mood h: String
        i: [String!] j: Vector @col(size: 2) k: Float }
      """
    let evolution = try await Evolution(before)
    try await evolution.database.run(
      "INSERT INTO film (a, b, c, d, e, f, g, h, i, j, k) VALUES (1, '7', 'abc', '2026-01-31', 5, 'x', 'DULL', 'BRIGHT', '{a}', '{1,2}', 1.5)"
    )
    let after = """
      enum Mood { DULL BRIGHT }
      type Film @table { a: Int64 b: Int c: String @col(dataType: "varchar(3)") d: Timestamp e: Int f: [String] g: String h: Mood
        i: [String!] j: Vector @col(size: 2) k: Float }
      """
    try await evolution.change(after)
    #expect(
      try await evolution.database.rows("SELECT a, b, c, d AT TIME ZONE 'UTC', e, f, g, h FROM film")
        == ["1,7,abc,2026-01-31T00:00:00,5,[\"x\"],DULL,BRIGHT"])
    let worse = after.replacing("k: Float", with: "k: Int").replacing("g: String", with: "g: Int! @default(value: 4)")
      .replacing("size: 2", with: "size: 3")
    let plan = try await evolution.plan(worse)
    #expect(
      plan.losses == [
        "film.g was text and is integer: its 1 values go.", "1 vectors of film.j go: their length is not 3.",
        "film.k was double precision and is integer: 1 of 1 values change.",
      ])
    let report = try await evolution.change(worse, allowingLoss: true)
    #expect(report.dumps.count == 3)
    #expect(try await evolution.database.rows("SELECT g, j, k FROM film") == ["4,NULL,2"])
    #expect(try await evolution.plan(worse.replacing("k: Int", with: "k: Date!")).obstacles.count == 1)
  }

  @Test func `changes enumerations in their order`() async throws {
    let start = "type Film @table { mood: Mood! @default(value: B) moods: [Mood!] other: Mood }"
    let evolution = try await Evolution("enum Mood { B D } \(start)")
    try await evolution.database.run("INSERT INTO film (moods, other) VALUES ('{B,D}', 'D')")
    let report = try await evolution.change("enum Mood { A B C D E } \(start.replacing("value: B", with: "value: A"))")
    #expect(report.steps.filter(\.isSeparate).count == 3)
    #expect(
      try await evolution.database.rows("SELECT array_agg(e::text) FROM unnest(enum_range(NULL::mood)) e") == [
        #"["A","B","C","D","E"]"#
      ])
    let less = "enum Mood { C B A } \(start)"
    let plan = try await evolution.plan(less)
    #expect(plan.losses.first == "The enumeration mood loses D, E.")
    #expect(plan.losses.count == 3)
    try await evolution.change(less, allowingLoss: true)
    #expect(try await evolution.database.rows("SELECT mood, moods, other FROM film") == [#"B,["B"],NULL"#])
    #expect(
      try await evolution.plan("enum Mood { C A } \(start.replacing("value: B", with: "value: A"))").obstacles.count
        == 1)
  }

  @Test func `converts once what has an enumeration no longer, while the order of its values changes`() async throws {
    let evolution = try await Evolution("enum Mood { A B } type Film @table { g: Mood h: Mood }")
    try await evolution.database.run("INSERT INTO film (g, h) VALUES ('B', 'A')")
    let report = try await evolution.change("enum Mood { B A } type Film @table { g: String h: Mood }")
    #expect(report.steps.filter { $0.sql.contains("ALTER COLUMN \"g\" TYPE") }.count == 1)
    #expect(report.steps.filter { $0.sql.contains("ALTER COLUMN \"h\" TYPE") }.count == 1)
    #expect(try await evolution.database.rows("SELECT g, h FROM film") == ["B,A"])
  }

  @Test func `changes keys, uniques, references and views`() async throws {
    let evolution = try await Evolution(
      """
      type Film @table { title: String! @unique no: Int! text: String @searchable }
      type Rating @table { film: Film! stars: Int @index }
      type Stars @view(sql: "SELECT film_id, stars FROM rating") { filmId: UUID stars: Int }
      type Best @view(sql: "SELECT film_id FROM stars WHERE stars > 4") { filmId: UUID }
      """)
    try await evolution.database.run(
      """
      INSERT INTO film (title, no) VALUES ('One', 1), ('Two', 2);
      INSERT INTO rating (film_id, stars) SELECT id, 5 FROM film
      """)
    try await evolution.change(
      """
      type Film @table(key: ["no"]) { id: UUID! @unique title: String! no: Int64! text: String @searchable(language: "german") }
      type Rating @table { film: Film @ref(fields: "filmId", references: "id") filmId: UUID stars: Int! @index(order: [DESC]) visitor: Visitor }
      type Visitor @table { name: String }
      type Stars @view(sql: "SELECT film_id, stars * 2 AS stars FROM rating") { filmId: UUID stars: Int }
      type Best @view(sql: "SELECT film_id FROM stars WHERE stars > 4") { filmId: UUID }
      """)
    #expect(
      try await evolution.database.rows("SELECT count(*), max(stars) FROM best JOIN stars USING (film_id)") == ["2,10"])
    #expect(
      try await evolution.database.refusal("INSERT INTO film (id, title, no) VALUES (gen_random_uuid(), 'x', 1)")
        == "23505")
    try await evolution.database.run("DELETE FROM film WHERE no = 1")
    #expect(try await evolution.database.rows("SELECT film_id IS NULL FROM rating ORDER BY 1") == ["false", "true"])
  }

  @Test func `tells the rows that a constraint would not allow`() async throws {
    let evolution = try await Evolution("type Film @table { title: String no: Int sequelId: UUID }")
    try await evolution.database.run(
      """
      INSERT INTO film (title, no, sequel_id) VALUES ('One', 1, NULL), ('One', 1, gen_random_uuid()), (NULL, 2, NULL),
        (NULL, 3, NULL)
      """)
    let strict = "type Film @table(key: \"no\") { id: UUID! @unique no: Int! title: String @unique sequelId: UUID "
    let plan = try await evolution.plan(strict + "sequel: Film @ref(fields: \"sequelId\", references: \"id\") }")
    let starts = [
      "no of Film is to be different", "title of Film is to be different", "Film.sequel leads nowhere in 1 rows",
    ]
    #expect(plan.obstacles.count == 3)
    for (obstacle, start) in zip(plan.obstacles, starts) { #expect(obstacle.hasPrefix(start)) }
    try await evolution.database.run("DELETE FROM film WHERE title = 'One'")
    try await evolution.change(strict + "sequel: Film @ref(fields: \"sequelId\", references: \"id\") }")
  }

  @Test func `counts where a number did not count`() async throws {
    let evolution = try await Evolution("type Film @table { no: Int! many: Int! @col(dataType: \"serial\") }")
    try await evolution.database.run("INSERT INTO film (no) VALUES (7)")
    for _ in 0..<2 {
      try await evolution.change("type Film @table { no: Int64! @col(dataType: \"bigserial\") many: Int! }")
      try await evolution.database.run("INSERT INTO film (many) VALUES (2)")
      try await evolution.change("type Film @table { no: Int64! many: Int! }")
    }
    #expect(try await evolution.database.rows("SELECT no FROM film ORDER BY no") == ["7", "8", "9"])
  }

  @Test func `is refused by the server before anything is touched`() async throws {
    let evolution = try await Evolution(simple)
    await #expect(throws: PostgreSQLError.self) {
      try await evolution.plan("type Film @table { title: String! @default(sql: \"no_such()\") }")
    }
    await #expect(throws: PostgreSQLError.self) {
      try await evolution.plan("type Film @table { title: String! @col(dataType: \"no_such\") }")
    }
    #expect(try await evolution.plan(simple).isEmpty)
  }
}
