import PostgreSQL
import TestSupport
import Testing

@testable import DataConnectMigration

/// What a change of the database does without consent, and between its plan and its end.
@Suite(.timeLimit(.minutes(1)))
struct `A change that would lose something` {
  private let simple = "type Film @table { title: String! minutes: Int }"
  private let less = "type Film @table { title: String! }"

  private func plan(
    _ evolution: Evolution, _ schema: String, _ consent: MigrationConsent, ignoringUnknown: Bool = false
  ) async throws -> MigrationPlan {
    try await DatabaseMigration.plan(
      TestDatabase.schema(schema), namespace: "public", on: evolution.database.connection,
      ignoringUnknown: ignoringUnknown, consent: consent, within: TestDatabase.limit)
  }

  private func apply(_ plan: MigrationPlan, _ evolution: Evolution) async throws -> MigrationReport {
    try await DatabaseMigration.apply(
      plan, on: evolution.database.connection, allowingLoss: true, dumpFolder: evolution.folder.file("dumps"),
      within: TestDatabase.limit)
  }

  @Test func `leaves a column with values and a table with rows alone, and the rest goes`() async throws {
    let evolution = try await Evolution(
      "\(simple) type Rating @table { stars: Int } type Empty @table { no: Int } type Other @table { a: Int b: Int }")
    try await evolution.database.run(
      "INSERT INTO film (title, minutes) VALUES ('One', 1), ('Two', NULL); INSERT INTO rating (stars) VALUES (5)")
    let plan = try await plan(evolution, "\(less) type Other @table { a: Int }", .only([]))
    #expect(plan.refused.map(\.subject) == ["rating", "film.minutes"])
    #expect(
      plan.refused.map(\.loss) == [
        "The table rating goes, with 1 rows.", "The column film.minutes goes, with 1 values.",
      ])
    #expect(plan.isServable && plan.losses.isEmpty && plan.obstacles.isEmpty)
    #expect(
      plan.steps.map(\.sql) == [
        #"DROP TABLE "public"."empty""#, #"ALTER TABLE "public"."other" DROP COLUMN "b""#,
      ])
    _ = try await apply(plan, evolution)
    #expect(try await evolution.database.rows("SELECT count(minutes) FROM film") == ["1"])
    // Consent to one of them is none to the other.
    for subject in ["film.minutes", "rating"] {
      let next = try await self.plan(evolution, "\(less) type Other @table { a: Int }", .only([subject]))
      #expect(next.losses.count == 1 && next.steps.map(\.subject) == [subject])
      #expect(next.refused.map(\.subject) == (subject == "rating" ? ["film.minutes"] : ["rating"]))
    }
    let whole = try await self.plan(evolution, "\(less) type Other @table { a: Int }", .everything)
    #expect(whole.losses.count == 2 && whole.refused.isEmpty)
  }

  @Test func `lets what stays without a value be null, so that rows can be added`() async throws {
    let evolution = try await Evolution(
      "type Film @table { title: String! minutes: Int! stars: Int! @default(value: 3) }")
    try await evolution.database.run("INSERT INTO film (title, minutes) VALUES ('One', 1)")
    let plan = try await plan(evolution, less, .only([]))
    #expect(plan.refused.map(\.subject) == ["film.minutes", "film.stars"] && plan.isServable)
    #expect(plan.steps.map(\.sql) == [#"ALTER TABLE "public"."film" ALTER COLUMN "minutes" DROP NOT NULL"#])
    #expect(plan.steps.map(\.isAdditive) == [false])
    _ = try await apply(plan, evolution)
    try await evolution.database.run("INSERT INTO film (title) VALUES ('Two')")
    #expect(try await evolution.database.rows("SELECT minutes, stars FROM film ORDER BY title") == ["1,3", "NULL,3"])
  }

  @Test func `is not served where a type would have to change, but what only adds is done`() async throws {
    let evolution = try await Evolution("type Film @table { title: String! minutes: Int score: Float }")
    try await evolution.database.run("INSERT INTO film (title, minutes, score) VALUES ('One', 1, 1.5)")
    let after =
      "type Film @table { title: String! minutes: Int64 score: Int more: Int mood: Mood } enum Mood { DULL BRIGHT } "
      + "type Rating @table { stars: Int mood: Mood }"
    let plan = try await plan(evolution, after, .only(["film.minutes"]))
    #expect(plan.refused.map(\.subject) == ["film.score"] && !plan.isServable)
    #expect(plan.refused[0].loss == "film.score was double precision and is integer: 1 of 1 values change.")
    let additive = plan.additive
    #expect(!additive.isServable && additive.refused == plan.refused && additive.steps.count < plan.steps.count)
    _ = try await apply(additive, evolution)
    #expect(try await evolution.database.rows("SELECT minutes, score, more, mood FROM film") == ["1,1.5,NULL,NULL"])
    #expect(try await evolution.database.rows("SELECT count(*) FROM rating") == ["0"])
    let types = try await evolution.database.rows("SELECT pg_typeof(minutes)::text, pg_typeof(score)::text FROM film")
    #expect(types == ["integer,double precision"])
  }

  @Test func `leaves the values of an enumeration where one of them is used, and goes where none is`() async throws {
    let film = "type Film @table { mood: Mood moods: [Mood!] }"
    for (rows, isRefused) in [("('B', NULL)", false), ("('D', NULL)", true), ("(NULL, '{B,D}')", true)] {
      let evolution = try await Evolution("enum Mood { B D } \(film)")
      try await evolution.database.run("INSERT INTO film (mood, moods) VALUES \(rows)")
      let plan = try await plan(evolution, "enum Mood { B } \(film)", .only([]))
      #expect(plan.refused.map(\.subject) == (isRefused ? ["mood"] : []), "\(rows)")
      #expect(plan.isServable != isRefused)
    }
  }

  @Test func `is made anew when rows came after the plan, and nothing is lost then`() async throws {
    let schemas = [
      ("\(simple) type Rating @table { stars: Int }", "INSERT INTO rating (stars) VALUES (5)", simple),
      (simple, "INSERT INTO film (title, minutes) VALUES ('One', 7)", less),
    ]
    for (before, rows, after) in schemas {
      let evolution = try await Evolution(before)
      let plan = try await plan(evolution, after, .only([]))
      #expect(plan.losses.isEmpty && plan.steps.count == 1)
      try await evolution.database.run(rows)
      let error = await #expect(throws: MigrationError.self) { try await apply(plan, evolution) }
      guard case .loss(let losses)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(losses.count == 1 && losses[0].contains("was empty"))
      // The connection is in no transaction any more.
      #expect(try await self.plan(evolution, before, .only([])).isEmpty)
    }
  }

  @Test(arguments: [1, 49, 50, 51, 100]) func `keeps every row in a file, whatever their number`(count: Int)
    async throws
  {
    let evolution = try await Evolution(simple)
    try await evolution.database.run(
      "INSERT INTO film (title, minutes) SELECT 'Film', n FROM generate_series(1, \(count)) n")
    let report = try await evolution.change(less, allowingLoss: true)
    let lines = try evolution.text(try #require(report.dumps.first)).split(separator: "\n")
    #expect(report.dumps.count == 1 && lines.count == count && Set(lines).count == count)
  }

  @Test func `is none where a table has another name only`() async throws {
    let evolution = try await Evolution(simple)
    try await evolution.database.run("INSERT INTO film (title) VALUES ('One')")
    let renamed = simple.replacing("@table", with: "@table(name: \"movies\")")
    let plan = try await plan(evolution, renamed, .only([]))
    #expect(plan.steps.map(\.sql) == [#"ALTER TABLE "public"."film" RENAME TO "movies""#])
    try await evolution.change(renamed)
    #expect(try await evolution.database.rows("SELECT title FROM movies") == ["One"])
    // Where both are there nothing is renamed.
    try await evolution.database.run("CREATE TABLE film (a integer)")
    let both = try await self.plan(evolution, renamed, .only([]))
    #expect(both.steps.map(\.sql) == [#"DROP TABLE "public"."film""#])
  }

  @Test func `leaves to others what the schema does not know, when it is to be left`() async throws {
    let evolution = try await Evolution(simple)
    try await evolution.database.run(
      """
      CREATE TABLE other (id integer PRIMARY KEY); ALTER TABLE film ADD COLUMN other_id integer REFERENCES other (id);
      ALTER TABLE film ADD COLUMN must integer NOT NULL; CREATE INDEX slow ON film (title);
      CREATE UNIQUE INDEX film_title_uidx ON film (title); CREATE TYPE mood AS ENUM ('A')
      """)
    let plan = try await plan(evolution, simple, .everything, ignoringUnknown: true)
    #expect(plan.steps.map(\.sql) == [#"DROP INDEX "public"."film_title_uidx""#])
    #expect(
      plan.notices == [
        "The table other is left alone: the schema does not know it.",
        "The column film.other_id is left alone: the schema does not know it.",
        "The column film.must is left alone: the schema does not know it. It cannot be null, so that nothing can be "
          + "inserted.",
      ])
    let strict = try await self.plan(evolution, simple, .everything)
    #expect(strict.steps.contains { $0.sql == #"DROP INDEX "public"."slow""# })
    #expect(strict.steps.last?.sql == #"DROP TYPE "public"."mood""#)
    try await evolution.change(simple)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A plan of a change` {
  @Test func `is a script whose notes cannot become statements`() {
    let plan = MigrationPlan(
      steps: [
        .init("ALTER TYPE a ADD VALUE 'b'", isSeparate: true), .init("DROP TABLE a", loss: "It goes\n; DROP TABLE b"),
        .init("SELECT 1"),
      ], obstacles: ["One\r\ntwo"], notices: ["Three\u{2028}four"], namespace: "a\"b")
    let lines = plan.sql.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(
      lines[0...4].joined(separator: "|")
        == "-- Note: Three four|-- Cannot be done: One two|ALTER TYPE a ADD VALUE 'b';|BEGIN;|" + lines[4])
    #expect(lines[4].contains("\"a\"\"b\"") && lines[4].hasSuffix(";"))
    #expect(
      Array(lines[5...]) == ["-- Loss: It goes ; DROP TABLE b", "DROP TABLE a;", "SELECT 1;", "COMMIT;", ""])
    #expect(plan.losses == ["It goes\n; DROP TABLE b"] && !plan.isEmpty)
  }

  @Test func `is empty only where there is neither a step nor an obstacle`() {
    #expect(MigrationPlan(steps: [], notices: ["A note."]).isEmpty)
    #expect(MigrationPlan(steps: []).sql == "" && MigrationPlan(steps: []).isServable)
    #expect(!MigrationPlan(steps: [], obstacles: ["One."]).isEmpty)
    let separate = MigrationPlan(steps: [.init("A", isAdditive: true, isSeparate: true), .init("B")])
    #expect(separate.sql.hasPrefix("A;\nBEGIN;") && !separate.isEmpty)
    #expect(separate.additive.steps.map(\.sql) == ["A"] && separate.additive.sql == "A;\n")
  }

  @Test func `covers what was consented to, by its name`() {
    #expect(MigrationConsent.everything.covers("a"))
    let some = MigrationConsent.only(["film.minutes"])
    #expect(some.covers("film.minutes") && !some.covers("film") && !some.covers("film.minutes2"))
  }

  @Test func `quotes names and texts`() {
    #expect(
      SQL.name("a\"b") == "\"a\"\"b\"" && SQL.name("a", "b") == "\"a\".\"b\""
        && SQL.names(["a", "b"]) == "\"a\", \"b\"")
    #expect(SQL.text("it's") == "'it''s'" && SQL.text("a\\'b") == "E'a\\\\''b'")
    #expect(SQL.operand("1") == "(1)" && SQL.operand("1 -- x") == "(1 -- x\n)")
    let most = String(repeating: "a", count: 63)
    #expect(SQL.kept(most) == most && SQL.kept(most + "b") == most)
    #expect(SQL.kept(String(most.dropLast()) + "é") == String(most.dropLast()))
    #expect(SQL.kept(String(most.dropLast(2)) + "é") == String(most.dropLast(2)) + "é")
  }
}
