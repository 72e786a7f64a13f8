import Files
import Glibc
import PostgreSQL
import TestSupport
import Testing

@testable import DataConnectMigration

/// Changes of one thing at a time, where there are rows and where there are none.
@Suite(.timeLimit(.minutes(1)))
struct `A change of one thing` {
  private func plan(
    _ evolution: Evolution, _ schema: String, _ consent: MigrationConsent = .everything, ignoringUnknown: Bool = false
  ) async throws -> MigrationPlan {
    try await DatabaseMigration.plan(
      TestDatabase.schema(schema), namespace: "public", on: evolution.database.connection,
      ignoringUnknown: ignoringUnknown, consent: consent, within: TestDatabase.limit)
  }

  @Test func `gives a new column that cannot be null to a table without rows alone`() async throws {
    let evolution = try await Evolution("type Film @table { title: String }")
    let more = "type Film @table { title: String stars: Int! }"
    let empty = try await plan(evolution, more)
    #expect(empty.obstacles == [] && empty.steps.map(\.isAdditive) == [false])
    let filled = try await plan(
      evolution, more.replacing("Int!", with: "Int! @default(value: 3) note: String"))
    #expect(filled.steps.map(\.isAdditive) == [true, true])
    try await evolution.database.run("INSERT INTO film (title) VALUES ('One')")
    #expect(
      try await plan(evolution, more).obstacles == [
        "Film.stars is new and cannot be null, and film has 1 rows, which would have no value in it. Give it a @default "
          + "with a value, or make it nullable until they have one."
      ])
  }

  @Test func `of null to not null takes what has a value, or a default`() async throws {
    let (before, after) = ("type Film @table { no: Int! a: Int }", "type Film @table { no: Int! a: Int! }")
    let evolution = try await Evolution(before)
    try await evolution.database.run("INSERT INTO film (no, a) VALUES (1, 5)")
    try await evolution.change(after)
    #expect(try await evolution.database.refusal("INSERT INTO film (no) VALUES (2)") == "23502")
    try await evolution.change(before)
    try await evolution.database.run("INSERT INTO film (no) VALUES (2)")
    #expect(try await plan(evolution, after).obstacles.map { $0.contains("is null in 1 rows.") } == [true])
    try await evolution.database.run("INSERT INTO film (no) VALUES (3)")
    let plan = try await plan(evolution, after)
    #expect(
      plan.obstacles == [
        "Film.a cannot be null any more, and is null in 2 rows. Give them a value first: "
          + #"UPDATE "public"."film" SET "a" = … WHERE "a" IS NULL."#
      ])
    try await evolution.change(after.replacing("a: Int!", with: "a: Int! @default(value: 9)"))
    #expect(try await evolution.database.rows("SELECT a FROM film ORDER BY no") == ["5", "9", "9"])
  }

  @Test func `of a default is one for new rows, with another type too, and may go`() async throws {
    let evolution = try await Evolution("type Film @table { no: Int! a: Int @default(value: 3) }")
    var number = 0
    for (field, value) in [
      ("a: Int @default(value: 4)", "4"), ("a: Int64 @default(value: 4)", "4"), ("a: Int64 @default(value: 5)", "5"),
      ("a: Int64", "NULL"), ("a: Int64 @default(sql: \"1 + 1\")", "2"), ("a: String @default(value: \"x\")", "x"),
    ] {
      try await evolution.change("type Film @table { no: Int! \(field) }")
      number += 1
      try await evolution.database.run("INSERT INTO film (no) VALUES (\(number))")
      #expect(try await evolution.database.rows("SELECT a FROM film WHERE no = \(number)") == [value], "\(field)")
    }
    #expect(try await evolution.database.rows("SELECT a FROM film WHERE no < 4 ORDER BY no") == ["4", "4", "5"])
  }

  @Test func `of a type loses nothing where there is no value, and null stays null`() async throws {
    let evolution = try await Evolution("type Film @table { no: Int! a: String b: String c: [String] }")
    try await evolution.database.run("INSERT INTO film (no, b) VALUES (1, NULL), (2, 'x')")
    let after = "type Film @table { no: Int! a: Date b: [String!] c: [Int] }"
    let plan = try await plan(evolution, after, .only([]))
    #expect(plan.losses == [] && plan.refused == [] && plan.steps.allSatisfy { $0.dump == nil })
    try await evolution.change(after)
    #expect(
      try await evolution.database.rows("SELECT a, b, c FROM film ORDER BY no") == [
        "NULL,NULL,NULL", #"NULL,["x"],NULL"#,
      ])
    try await evolution.database.run("UPDATE film SET a = '2026-01-31' WHERE no = 1")
    let lossy = "type Film @table { no: Int! a: Boolean b: [String!] c: [Int] }"
    let refused = try await self.plan(evolution, lossy, .only([]))
    #expect(refused.refused.map(\.loss) == ["film.a was date and is boolean: its 1 values go."] && refused.steps == [])
  }

  @Test func `leaves checks and foreign keys of the developer's names alone`() async throws {
    let schema = "type Film @table { title: String! print: Vector @col(size: 2) sequel: Film }"
    let evolution = try await Evolution(schema)
    let key = try await evolution.database.rows("SELECT conname FROM pg_constraint WHERE contype = 'f'")
    #expect(key.count == 1)
    try await evolution.database.run(
      """
      ALTER TABLE film ADD CONSTRAINT mine CHECK (title <> '');
      ALTER TABLE film RENAME CONSTRAINT \(key[0]) TO other_name
      """)
    #expect(try await plan(evolution, schema).steps == [])
    // One of ours, for a column that has no such check.
    try await evolution.database.run("ALTER TABLE film ADD CONSTRAINT film_title_length CHECK (length(title) < 9)")
    #expect(
      try await plan(evolution, schema).steps.map(\.sql)
        == [#"ALTER TABLE "public"."film" DROP CONSTRAINT "film_title_length""#])
    try await evolution.change(schema)
    try await evolution.change(schema.replacing("size: 2", with: "size: 3"))
    #expect(try await evolution.database.refusal("INSERT INTO film (title, print) VALUES ('a', '{1,2}')") == "23514")
    #expect(try await evolution.database.refusal("INSERT INTO film (title) VALUES ('')") == "23514")
    // A second foreign key goes, unless what is unknown is left alone.
    try await evolution.database.run(
      "ALTER TABLE film ADD COLUMN more uuid; ALTER TABLE film ADD CONSTRAINT more_key FOREIGN KEY (more) REFERENCES film (id)"
    )
    let wide = schema.replacing("size: 2", with: "size: 3").replacing("sequel: Film", with: "sequel: Film more: UUID")
    let sql = #"ALTER TABLE "public"."film" DROP CONSTRAINT "more_key""#
    #expect(try await plan(evolution, wide, ignoringUnknown: true).steps == [])
    #expect(try await plan(evolution, wide).steps.map(\.sql) == [sql])
  }

  @Test func `of the order of an enumeration loses no value`() async throws {
    let film = "type Film @table { mood: Mood! @default(value: B) moods: [Mood!] no: Int! }"
    let evolution = try await Evolution("enum Mood { A B D } \(film)")
    try await evolution.database.run("INSERT INTO film (no, mood, moods) VALUES (1, 'A', '{B,D}'), (2, 'D', NULL)")
    let after = "enum Mood { D B A } \(film)"
    let plan = try await plan(evolution, after, .only([]))
    #expect(plan.losses == [] && plan.refused == [] && plan.obstacles == [])
    for schema in [after, "enum Mood { A B D } \(film)", after] {
      try await evolution.change(schema)
      try await evolution.database.run("INSERT INTO film (no) VALUES (3)")
      #expect(
        try await evolution.database.rows("SELECT mood, moods FROM film WHERE no < 3 ORDER BY no")
          == [#"A,["B","D"]"#, "D,NULL"])
      #expect(try await evolution.database.rows("SELECT DISTINCT mood FROM film WHERE no = 3") == ["B"])
    }
    #expect(try await evolution.database.rows("SELECT no FROM film WHERE no < 3 ORDER BY mood") == ["2", "1"])
    let types = "SELECT count(*) FROM pg_type WHERE typtype = 'e'"
    #expect(try await evolution.database.rows(types) == ["1"])
  }

  @Test func `keeps an enumeration as long as something that stays has it`() async throws {
    let evolution = try await Evolution(
      "enum Mood { A } enum Other { B } type Film @table { no: Int! mood: Mood } type Rating @table { others: [Other!] }"
    )
    let after = "type Film @table { no: Int! }"
    let none = try await plan(evolution, after, .only([]))
    let drops = [#"DROP TYPE "public"."mood""#, #"DROP TYPE "public"."other""#]
    #expect(none.refused == [] && none.steps.map(\.sql).filter { $0.hasPrefix("DROP TYPE") } == drops)
    try await evolution.database.run(
      "INSERT INTO film (no, mood) VALUES (1, 'A'); INSERT INTO rating (others) VALUES ('{B}')")
    for (subjects, dropped) in [
      ([], []), (["film.mood"], [drops[0]]), (["rating"], [drops[1]]), (["film.mood", "rating"], drops),
    ] as [([String], [String])] {
      let plan = try await plan(evolution, after, .only(Set(subjects)))
      #expect(plan.steps.map(\.sql).filter { $0.hasPrefix("DROP TYPE") } == dropped, "\(subjects)")
      #expect(plan.isServable && plan.refused.count == 2 - subjects.count)
    }
    try await evolution.change(after, allowingLoss: true)
    #expect(try await evolution.database.rows("SELECT count(*) FROM pg_type WHERE typtype = 'e'") == ["0"])
  }

  @Test func `takes tables away that lead to each other`() async throws {
    let evolution = try await Evolution("type A @table { b: B } type B @table { a: A } type C @table { c: Int }")
    let plan = try await plan(evolution, "type C @table { c: Int }", .only([]))
    #expect(
      plan.refused == []
        && plan.steps.suffix(2).map(\.sql) == [#"DROP TABLE "public"."a""#, #"DROP TABLE "public"."b""#])
    try await evolution.change("type C @table { c: Int }")
    #expect(try await evolution.database.rows("SELECT relname FROM pg_class WHERE relname IN ('a', 'b', 'c')") == ["c"])
  }

  @Test func `to a reference says which rows lead to a table that is new`() async throws {
    let evolution = try await Evolution("type Film @table { no: Int! clubId: UUID }")
    try await evolution.database.run("INSERT INTO film (no, club_id) VALUES (1, NULL), (2, gen_random_uuid())")
    let after =
      "type Club @table { name: String } type Film @table { no: Int! clubId: UUID "
      + "club: Club @ref(fields: \"clubId\", references: \"id\") }"
    let plan = try await plan(evolution, after)
    #expect(
      plan.obstacles == [
        "Film.club leads nowhere in 1 rows: Club has no such row. Find them with SELECT * FROM \"public\".\"film\" own "
          + "WHERE own.\"club_id\" IS NOT NULL."
      ])
    try await evolution.database.run("DELETE FROM film WHERE no = 2")
    try await evolution.change(after)
  }

  @Test func `of a key is one of what leads to it, and of the views that show it`() async throws {
    func schema(_ type: String, _ more: String) -> String {
      "type Club @table(key: \"no\") { no: \(type)! \(more) } type Member @table { club: Club a: Int } "
        + "type Shown @view(sql: \"SELECT * FROM club\") { no: \(type) }"
    }
    let evolution = try await Evolution(schema("Int", "name: String"))
    try await evolution.database.run("INSERT INTO club (no) VALUES (1); INSERT INTO member (club_no, a) VALUES (1, 2)")
    for (type, more) in [("String", "name: String"), ("String", ""), ("Int", "")] {
      try await evolution.change(schema(type, more))
      let rows = try await evolution.database.rows("SELECT c.no, m.a FROM shown c JOIN member m ON m.club_no = c.no")
      #expect(rows == ["1,2"], "\(type) \(more)")
    }
    #expect(try await evolution.database.refusal("INSERT INTO member (club_no) VALUES (7)") == "23503")
  }

  @Test func `of the length of vectors asks before it takes those away that have another`() async throws {
    let schema = "type Film @table { no: Int! print: Vector @col(size: 2) }"
    let evolution = try await Evolution(schema)
    try await evolution.database.run("INSERT INTO film (no, print) VALUES (1, '{1,2}')")
    let longer = schema.replacing("size: 2", with: "size: 3")
    let loss = "1 vectors of film.print go: their length is not 3."
    let refused = try await plan(evolution, longer, .only([]))
    #expect(refused.refused.map(\.loss) == [loss] && refused.losses == [] && !refused.isServable)
    let allowed = try await plan(evolution, longer, .only(["film.print"]))
    #expect(allowed.refused == [] && allowed.losses == [loss] && allowed.obstacles == [] && allowed.isServable)
    #expect(
      try await plan(evolution, longer.replacing("Vector", with: "Vector!")).obstacles == [
        "Film.print has vectors of another length than 3 in 1 rows, and cannot be null. Make it nullable until they are "
          + "replaced."
      ])
  }

  @Test func `leaves views of others alone, and asks before it replaces one`() async throws {
    let film = "type Film @table { no: Int! }"
    let view = "type Best @view(sql: \"SELECT no FROM film\") { no: Int }"
    let evolution = try await Evolution("\(film) \(view)")
    try await evolution.database.run("CREATE VIEW mine AS SELECT 1 AS a")
    #expect(try await plan(evolution, "\(film) \(view)").steps == [])
    #expect(try await plan(evolution, film).steps.map(\.sql) == [#"DROP VIEW "public"."best""#])
    try await evolution.change(film)
    #expect(try await evolution.database.rows("SELECT a FROM mine") == ["1"])
    try await evolution.database.run("CREATE VIEW best AS SELECT 2 AS no")
    let loss = "The view best, which something else made, is replaced."
    let refused = try await plan(evolution, "\(film) \(view)", .only([]))
    #expect(refused.refused.map(\.loss) == [loss] && !refused.isServable)
    #expect(refused.refused.map(\.subject) == ["best"])
    let allowed = try await plan(evolution, "\(film) \(view)", .only(["best"]))
    #expect(allowed.losses == [loss] && allowed.refused == [] && allowed.isServable)
    try await evolution.change("\(film) \(view)", allowingLoss: true)
    #expect(try await evolution.database.rows("SELECT no FROM best") == [])
    #expect(try await plan(evolution, "\(film) \(view)", .only([])).isEmpty)
  }

  @Test func `is no other name where another table has the old one`() async throws {
    let evolution = try await Evolution("type Film @table { a: Int }")
    try await evolution.database.run("INSERT INTO film (a) VALUES (1)")
    let plan = try await plan(
      evolution, "type Film @table(name: \"movies\") { a: Int } type Other @table(name: \"film\") { a: Int }", .only([])
    )
    #expect(plan.steps.count == 1 && plan.steps[0].sql.hasPrefix(#"CREATE TABLE "public"."movies""#))
    #expect(plan.refused == [])
  }

  @Test func `makes the functions of vectors again when one is gone`() async throws {
    let schema = "type Film @table { print: Vector @col(size: 2) }"
    let evolution = try await Evolution(schema)
    #expect(try await plan(evolution, schema).steps == [])
    for _ in 0..<2 {
      try await evolution.database.run("DROP FUNCTION annex.inner_product(real[], real[])")
      let plan = try await plan(evolution, schema, .only([]))
      #expect(plan.steps.count == 6 && plan.steps.allSatisfy(\.isAdditive))
      try await evolution.change(schema)
      #expect(try await evolution.database.rows("SELECT annex.inner_product('{1,2}', '{3,4}')") == ["11"])
    }
  }

  @Test func `warns of a column that nothing can be inserted without, and of no other`() async throws {
    let schema = "type Film @table { no: Int! }"
    let evolution = try await Evolution(schema)
    try await evolution.database.run(
      """
      ALTER TABLE film ADD a integer GENERATED ALWAYS AS IDENTITY; ALTER TABLE film ADD b integer NOT NULL DEFAULT 3;
      ALTER TABLE film ADD c integer NOT NULL; ALTER TABLE film ADD d integer
      """)
    let left = "is left alone: the schema does not know it."
    #expect(
      try await plan(evolution, schema, ignoringUnknown: true).notices == [
        "The column film.a \(left)", "The column film.b \(left)",
        "The column film.c \(left) It cannot be null, so that nothing can be inserted.", "The column film.d \(left)",
      ])
    try await evolution.database.run("INSERT INTO film (no, c) VALUES (1, 2)")
    let plan = try await plan(evolution, schema, .only([]))
    #expect(plan.refused.map(\.subject) == ["film.a", "film.b", "film.c"])
    #expect(
      plan.steps.map(\.sql) == [
        #"ALTER TABLE "public"."film" ALTER COLUMN "c" DROP NOT NULL"#, #"ALTER TABLE "public"."film" DROP COLUMN "d""#,
      ])
  }
}

/// A change that fails on its way.
@Suite(.timeLimit(.minutes(1)))
struct `A change that fails` {
  @Test func `leaves the rows where they were, and no file of them`() async throws {
    let evolution = try await Evolution(
      "type Film @table { title: String! minutes: Int } type Rating @table { a: Int }")
    try await evolution.database.run(
      "INSERT INTO film (title, minutes) SELECT 'Film', n FROM generate_series(1, 60) n; INSERT INTO rating (a) VALUES (1)"
    )
    let after = "type Film @table { title: String! }"
    let plan = try await evolution.plan(after)
    let folder = evolution.folder.file("dumps")
    func apply(_ steps: [MigrationPlan.Step]) async throws -> MigrationReport {
      try await DatabaseMigration.apply(
        MigrationPlan(steps: steps), on: evolution.database.connection, allowingLoss: true, dumpFolder: folder,
        within: TestDatabase.limit)
    }
    for _ in 0..<2 {
      let error = await #expect(throws: MigrationError.self) {
        try await apply(plan.steps + [.init(sql: "SELECT 1 / 0")])
      }
      guard case .database(let cause)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(cause.sqlState == "22012")
      #expect(Folder.names(in: folder) == [])
      #expect(try await evolution.database.rows("SELECT count(minutes) FROM film") == ["60"])
    }
    // Rows that cannot be read leave no file either.
    let broken = MigrationPlan.Dump(
      name: "broken", table: #""public"."film""#, query: "SELECT 1 / (60 - minutes) FROM film ORDER BY minutes")
    await #expect(throws: MigrationError.self) {
      try await apply(plan.steps + [.init("SELECT 1", loss: "All.", dump: broken)])
    }
    #expect(Folder.names(in: folder) == [])
    let report = try await apply(plan.steps)
    #expect(Folder.names(in: folder).count == 2 && report.dumps.count == 2 && report.steps == plan.steps)
    #expect(try await evolution.plan(after).isEmpty)
  }

  /// In a process of its own, whose files take nothing for a while.
  @Test func `takes nothing away when the rows cannot be written`() async {
    await #expect(processExitsWith: .success) {
      let evolution = try await Evolution("type Film @table { title: String! minutes: Int }")
      try await evolution.database.run("INSERT INTO film (title, minutes) VALUES ('Film', 1)")
      let plan = try await evolution.plan("type Film @table { title: String! }")
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), [rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)])
      let folder = evolution.folder.file("dumps")
      let error = await #expect(throws: MigrationError.self) {
        try await DatabaseMigration.apply(
          plan, on: evolution.database.connection, allowingLoss: true, dumpFolder: folder, within: TestDatabase.limit)
      }
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      if case .dump? = error {} else { Issue.record("\(String(describing: error))") }
      #expect(Folder.names(in: folder) == [])
      #expect(try await evolution.database.rows("SELECT minutes FROM film") == ["1"])
    }
  }

  @Test func `says what happened, and what helps`() {
    let cases: [(MigrationError, String)] = [
      (
        .loss(["One.", "Two."]),
        "The change of the database would lose data. One. Two. Allow the loss, or put back into the schema what is gone "
          + "from it."
      ),
      (.obstacles(["One.", "Two."]), "The database cannot be changed. One. Two. Follow the advice, and try again."),
      (
        .dump(FileError(.notRegular, "It is a folder.")),
        "What the change of the database takes away cannot be kept: It is a folder. Choose another folder for it."
      ),
      (
        .dump(FileError(.notRegular, "It is full.", recovery: "Make room.")),
        "What the change of the database takes away cannot be kept: It is full. Make room."
      ),
      (
        .database(PostgreSQLError(.refused, "No.", sqlState: "55P03", detail: "Locked")),
        "No. Locked. Something else uses the tables: try again."
      ), (.database(PostgreSQLError(.refused, "No.", sqlState: "22012")), "No. Look into the log of the server."),
    ]
    for (error, text) in cases { #expect(error.description == text) }
  }
}
