import DataConnectCompiler
import DataConnectMigration
import EventLoop
import GraphQL
import HTTPClient
import JSON
import PostgreSQL
import TestSupport
import Testing

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(1)))
struct `A change of the emulated project` {
  private static let operations = """
    mutation Add($title: String!) @auth(level: PUBLIC) { movie_insert(data: {title: $title}) }
    query All @auth(level: PUBLIC) { movies { title } }
    """

  @Test func `is served at once, and a bad one reported where it is wrong`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      try emulator.folder.write(
        "query All @auth(level: PUBLIC) { movies { title titel } }", to: "movies/operations.gql")
      let bad = try await emulator.reports.first { !$0.isDeployed }
      #expect(bad.problems.first?.description.contains("movies/operations.gql:1:49: error:") == true)
      // What was good goes on.
      #expect(try await emulator.query("All").data() == ["movies": []])
      try emulator.folder.write(
        "query Years @auth(level: PUBLIC) { movies { year } }", to: "movies/more/operations.gql")
      try emulator.folder.write(Self.operations, to: "movies/operations.gql")
      _ = try await emulator.reports.first { $0.isDeployed && $0.breaking.isEmpty && $0.applied.isEmpty }
      while try await emulator.call("executeQuery", "Years").status != 200 { await Task.yield() }
    }
  }

  @Test func `with another number of connections gets new ones, and keeps those it has when it fails`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let deployer = emulator.emulator.deployer
      let pool = try #require(deployer.current).pool
      try emulator.folder.write("query All @auth(level: PUBLIC) { films { title } }", to: "movies/operations.gql")
      _ = try await emulator.reports.first { !$0.isDeployed }
      #expect(await !deployer.deploy(maximumConnections: 1).isDeployed)
      try emulator.folder.write(Self.operations, to: "movies/operations.gql")
      #expect(await deployer.deploy().isDeployed)
      #expect(deployer.current?.pool === pool)
      #expect(await deployer.deploy(maximumConnections: 2).isDeployed)
      let second = try #require(deployer.current).pool
      #expect(second !== pool)
      #expect(await deployer.deploy().isUnchanged)
      #expect(deployer.current?.pool === second)
    }
  }

  @Test func `to the schema changes the database, unless something would be lost`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.administer("mutation { movie_insert(data: {title: \"A\", year: 1995}) }").data()
      // The new column is made and served, and the old one stays, with what is in it.
      try emulator.folder.write(Movies.schema.replacing("year: Int", with: "minutes: Int"), to: "schema/schema.gql")
      let first = try await emulator.reports.first { !$0.refused.isEmpty }
      #expect(first.isDeployed && first.refused.map(\.subject) == ["movie.year"])
      #expect(first.applied.contains { $0.sql.contains("minutes") })
      #expect(try await emulator.administer("{ movies { minutes } }").data() == ["movies": [["minutes": .null]]])
      // The next edit is served too, and what is left to decide is named again.
      try emulator.folder.write(
        Self.operations + "query Minutes @auth(level: PUBLIC) { movies { minutes } }", to: "movies/operations.gql")
      _ = try await emulator.reports.first { $0.isDeployed && $0.applied.isEmpty && !$0.refused.isEmpty }
      #expect(try await emulator.query("Minutes").data() == ["movies": [["minutes": .null]]])
      // Back again: nothing was lost.
      try emulator.folder.write(Self.operations, to: "movies/operations.gql")
      try emulator.folder.write(Movies.schema, to: "schema/schema.gql")
      _ = try await emulator.reports.first { $0.isDeployed && $0.applied.contains { $0.sql.contains("DROP COLUMN") } }
      #expect(try await emulator.administer("{ movies { year } }").data() == ["movies": [["year": 1995]]])
    }
  }

  @Test func `takes back a column without values and a table without rows`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.mutate("Add", ["title": "A"]).data()
      let more =
        Movies.schema.replacing("year: Int", with: "year: Int\n minutes: Int") + "\ntype Spare @table { a: Int }\n"
      try emulator.folder.write(more, to: "schema/schema.gql")
      _ = try await emulator.reports.first { $0.isDeployed && $0.applied.contains { $0.sql.contains("minutes") } }
      try emulator.folder.write(Movies.schema, to: "schema/schema.gql")
      let report = try await emulator.reports.first { $0.applied.contains { $0.sql.contains("DROP COLUMN") } }
      #expect(report.isDeployed && report.refused.isEmpty && report.dumps.isEmpty)
      #expect(report.applied.contains { $0.sql.contains("DROP TABLE") })
    }
  }

  @Test func `to another type is refused, and does not stop what only adds`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.administer("mutation { movie_insert(data: {title: \"words\", year: 1995}) }").data()
      let wrong = Movies.schema.replacing("year: Int", with: "year: Date\n minutes: Int")
      try emulator.folder.write(wrong + "\ntype Spare @table { a: Int }\n", to: "schema/schema.gql")
      let report = try await emulator.reports.first { !$0.refused.isEmpty }
      #expect(!report.isDeployed && report.refused.map(\.subject) == ["movie.year"])
      #expect(report.applied.contains { $0.sql.contains("minutes") })
      #expect(report.applied.contains { $0.sql.contains("CREATE TABLE") })
      // What was served is served.
      #expect(try await emulator.query("All").data() == ["movies": [["title": "words"]]])
    }
  }

  @Test func `that loses something is carried out when somebody consents to it`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.administer("mutation { movie_insert(data: {title: \"A\", year: 1995}) }").data()
      try emulator.folder.write(
        Movies.schema.replacing("year: Int", with: "minutes: Int").replacing("title: String!", with: "title: String"),
        to: "schema/schema.gql")
      _ = try await emulator.reports.first { !$0.refused.isEmpty }
      func send(_ path: String, _ body: JSONValue? = nil) async throws -> HTTPResponse {
        try await emulator.send(
          path, body, method: body == nil ? "GET" : "POST", headers: TestEmulator.administrator)
      }
      let plan = try JSONValue(parsing: try await send("/emulator/diff").text)
      #expect(plan["steps"]?.arrayValue?.count == 1 && plan["steps"]?[0]?["subject"] == "movie.year", "\(plan)")
      #expect(try await send("/emulator/migrate", ["allow": ["movie.titel"]]).status == 404)
      #expect(try await emulator.send("/emulator/migrate", ["allow": ["movie.year"]]).status == 401)
      #expect(try await send("/emulator/migrate", ["permit": []]).status == 400)
      let answer = try JSONValue(parsing: try await send("/emulator/migrate", ["allow": ["movie.year"]]).text)
      #expect(answer["deployed"] == true && answer["refused"] == [], "\(answer)")
      #expect(answer["dumps"]?.arrayValue?.count == 1, "\(answer)")
      #expect(try JSONValue(parsing: try await send("/emulator/diff").text)["steps"] == [])
    }
  }

  @Test func `that breaks shipped clients is warned of`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      try emulator.folder.write("query All @auth(level: PUBLIC) { movies { year } }", to: "movies/operations.gql")
      let report = try await emulator.reports.first { !$0.breaking.isEmpty }
      #expect(report.isDeployed)
      #expect(report.breaking.map(\.operation) == ["Add", "All"])
    }
  }

  @Test func `with a wrong expression is refused at its place`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      try emulator.folder.write(
        "query All @auth(expr: \"auth.uid ==\") { movies { title } }", to: "movies/operations.gql")
      let bad = try await emulator.reports.first { !$0.isDeployed }
      let place = try #require(bad.problems.first?.location)
      #expect(place.line == 1 && (24...36).contains(place.column))
    }
  }

  @Test func `interrupts nobody, however often it comes`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.mutate("Add", ["title": "A"]).data()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<50 {
              let answer = try await emulator.query("All")
              #expect(answer["data"] == ["movies": [["title": "A"]]])
            }
          }
        }
        for round in 0..<100 {
          try emulator.folder.write("\(Self.operations)\n# \(round)", to: "movies/operations.gql")
          if round % 10 == 0 { _ = await emulator.emulator.deployer.deploy() }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `of the database's connections is survived`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.mutate("Add", ["title": "A"]).data()
      let loop = EventLoop.onThread(name: "test-killer", spin: .zero)
      defer { loop.stop() }
      let killer = try await PostgreSQLConnection.connect(
        to: try PostgreSQLTarget(emulator.database), on: loop, within: .seconds(30))
      for _ in 0..<5 {
        try await killer.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """, within: .seconds(30))
        #expect(try await emulator.query("All").data() == ["movies": [["title": "A"]]])
      }
      await killer.close()
    }
  }
}
