import JSONRPC
import Foundation
import JSON
import Testing

/// `host data emulate`, and the commands that ask it, on a PostgreSQL of its own.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `An emulator of Data Connect` {
  @Test func `executes operations for an administrator, and for whom it is told`() async throws {
    let stage = try await EmulatorStage("--ephemeral")
    let seeded = try await stage.data("execute seed.gql Seed")
    #expect(seeded.status == 0, "\(seeded)")
    #expect(try seeded.json["heat"]?["id"]?.stringValue?.count == 32)
    let crime = try await stage.data("execute seed.gql Titles -v '{\"genre\": \"crime\"}' --as nobody")
    #expect(try crime.json["movies"] == [["title": "Heat"]], "\(crime)")
    let change = "execute seed.gql Rename -v '{\"old\": \"Heat\", \"new\": \"Cold\"}'"
    let refused = try await stage.data("\(change) --as nobody")
    #expect(
      refused.status == 77 && refused.stderr.contains("not authorized") && refused.stderr.contains("--as"), "\(refused)"
    )
    let done = try await stage.data("\(change) --as alice")
    #expect(try done.status == 0 && done.json["movie_updateMany"] == 1, "\(done)")
    let wrong = try await stage.data("execute seed.gql Titles -v '{\"genre\": 7}' --json")
    #expect(wrong.status != 0, "\(wrong)")
    try await stage.end()
  }

  @Test func `is a local server, too`() async throws {
    let stage = try await EmulatorStage("--ephemeral", by: ["serve", "data"])
    #expect(try await stage.data("execute seed.gql Seed").status == 0)
    let crime = try await stage.data("execute seed.gql Titles -v '{\"genre\": \"crime\"}' --as nobody")
    #expect(try crime.json["movies"] == [["title": "Heat"]], "\(crime)")
    try await stage.end()
    let outside = try await stage.host("serve", "data", "--dir", "\(stage.host.folder.path)/home", "--port", "0")
    #expect(outside.status == 66, "\(outside)")
  }

  @Test func `shows rows as a table, and changes them only when it may`() async throws {
    let stage = try await EmulatorStage("--ephemeral")
    #expect(try await stage.data("execute seed.gql Seed").status == 0)
    let table = try await stage.data("shell -c 'SELECT title, release_year FROM movie ORDER BY title'")
    #expect(table.stdout == "title    release_year\nHeat     1995\nSolaris\n", "\(table)")
    for statement in ["DELETE FROM movie", "WITH x AS (DELETE FROM movie RETURNING id) SELECT * FROM x"] {
      #expect(try await stage.data("shell -c '\(statement)'").status == 1)
    }
    #expect(try await stage.data("shell -c 'mutation { movie_deleteMany(all: true) }'").status != 0)
    let left = try await stage.data("shell --json -c '{ movies { title } }'")
    #expect(try left.json["data"]?["movies"]?.arrayValue?.count == 2, "\(left)")
    let changed = try await stage.data(
      "shell --write -c 'UPDATE movie SET genre = null RETURNING title; SELECT 1 AS n'")
    #expect(
      changed.status == 0 && changed.stdout.contains("Solaris\n") && changed.stdout.contains("n\n1"), "\(changed)")
    try await stage.end()
  }

  @Test func `serves an edited schema, and the last good one when it is wrong or would lose data`() async throws {
    let stage = try await EmulatorStage()
    #expect(try await stage.data("execute seed.gql Seed").status == 0)
    try stage.edit("genre: String\n", "genre: String\n  rating: Int\n")
    let added = try await stage.emulator.hear("Press Ctrl-C to end.\nThe service follows its files.")
    #expect(!added.contains("error"), "\(added)")
    #expect(try await stage.data("shell -c 'SELECT rating FROM movie'").status == 0)
    try stage.edit("rating: Int\n", "rating: Intt\n")
    let mistaken = try await stage.emulator.hear("The previous one stays in use.")
    #expect(mistaken.contains("schema/schema.gql:"), "\(mistaken)")
    #expect(try await stage.data("execute seed.gql Titles").status == 0)
    // What holds nothing goes with the schema; what holds something stays until somebody consents.
    try stage.edit("  rating: Intt\n", "  rating: Int\n  spare: Int\n")
    while try await stage.data("shell -c 'SELECT spare FROM movie'").status != 0 { await Task.yield() }
    #expect(try await stage.data("shell --write -c 'UPDATE movie SET rating = 5'").status == 0)
    try stage.edit("  rating: Int\n  spare: Int\n", "")
    let refused = try await stage.emulator.hear("host data migrate --allow movie.rating")
    #expect(refused.contains("The column movie.rating goes") && refused.contains("would lose data"), "\(refused)")
    let planned = try await stage.data("diff --dir dataconnect")
    #expect(planned.status == 1 && planned.stdout.contains("DROP COLUMN \"rating\""), "\(planned)")
    #expect(try await stage.data("migrate --dir dataconnect").status == 1)
    let moved = try await stage.data("migrate --dir dataconnect --allow movie.rating")
    #expect(moved.status == 0 && moved.stderr.contains("movie.rating"), "\(moved)")
    try await stage.end()
    #expect(try await stage.data("diff --dir dataconnect").status == 0)
  }

  @Test func `keeps its data until it is told to begin anew, for one at a time`() async throws {
    var stage = try await EmulatorStage()
    #expect(try await stage.data("execute seed.gql Seed").status == 0)
    let second = try await stage.data("emulate --dir dataconnect --port 0")
    #expect(second.status == 69, "\(second)")
    try await stage.restart()
    #expect(try await stage.data("execute seed.gql Titles").json["movies"]?.arrayValue?.count == 2)
    try await stage.restart("--reset")
    #expect(try await stage.data("execute seed.gql Titles").json["movies"]?.arrayValue?.count == 0)
    try await stage.end()
    let nobody = try await stage.data("execute seed.gql Titles")
    #expect(nobody.status == 69 && nobody.stderr.contains("host data emulate"), "\(nobody)")
  }

  @Test func `is where a widget in its sandbox sees what its app has written`() async throws {
    let stage = try await EmulatorStage("--ephemeral")
    let (app, widget) = ("com.example.movies", "com.example.movies.today")
    for name in [app, widget] { #expect(try await stage.host("permissions", name, "grant", "data").status == 0) }
    let made = try await stage.host("open-url", "movies://create/Arrival/scifi/2016")
    #expect(made.status == 0 && made.stdout.contains("Made Arrival"), "\(made)")
    let shown = try await stage.host("today", widget)
    #expect(shown.stdout.contains("Arrival") && shown.stdout.contains("at the cinema"), "\(shown)")
    let watching = try stage.host.start(["open-url", "movies://watch/crime"])
    // Another movie each time: one of them is made after the app has begun to listen.
    for number in 1...40 {
      #expect(try await stage.host("open-url", "movies://create/Heat\(number)/crime/1995").status == 0)
      if (try? await watching.hear("Heat", within: .milliseconds(200))) != nil { break }
    }
    let heard = try await watching.finish()
    #expect(heard.status == 0 && heard.stdout.contains("Heat"), "\(heard)")
    let listening = try stage.host.start(["open-url", "movies://watch/western"])
    #expect(try await stage.host("permissions", app, "deny", "data").status == 0)
    let ended = try await listening.finish()
    #expect(ended.status != 0 && !ended.stdout.contains("western"), "\(ended)")
    #expect(try await stage.host("permissions", widget, "deny", "data").status == 0)
    let denied = try await stage.host("today", widget, "--refresh")
    #expect(!denied.stdout.contains("at the cinema") || denied.stdout.contains("Failed"), "\(denied)")
    try await stage.end()
  }

  @Test func `has a widget drawn anew at a terminal when its query comes to something else`() async throws {
    let stage = try await EmulatorStage("--ephemeral")
    let (app, widget) = ("com.example.movies", "com.example.movies.today")
    for name in [app, widget] { #expect(try await stage.host("permissions", name, "grant", "data").status == 0) }
    #expect(try await stage.host("open-url", "movies://create/Arrival/scifi/2016").status == 0)
    let watching = try stage.host.atTerminal("today", widget, "--watch", "--interval", "3600")
    try await watching.hear("Arrival")
    for title in ["Heat", "Solaris"] {
      #expect(try await stage.host("open-url", "movies://create/\(title)/crime/1995").status == 0)
      try await watching.hear(title)
    }
    watching.signal(SIGINT)
    #expect(try await watching.finish().status == 130)
    try await stage.end()
  }
}
