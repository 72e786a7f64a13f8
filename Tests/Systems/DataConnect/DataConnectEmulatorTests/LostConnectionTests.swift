import EventLoop
import JSON
import PostgreSQL
import TestPrograms
import Testing

@testable import DataConnectEmulator

/// Connections to the database that end, one way or another.
@Suite(.timeLimit(.minutes(1)))
struct `The emulator whose connections end` {
  private static let operations = """
    mutation Add($title: String!) @auth(level: PUBLIC) { movie_insert(data: {title: $title}) }
    mutation AddTwo($title: String!) @auth(level: PUBLIC) @transaction {
      one: movie_insert(data: {title: $title})
      two: movie_insert(data: {title: $title})
    }
    mutation AddAndEnd($title: String!) @auth(level: PUBLIC) @transaction {
      one: movie_insert(data: {title: $title})
      end: _execute(sql: "SELECT pg_terminate_backend(pg_backend_pid())")
      two: movie_insert(data: {title: $title})
    }
    mutation EndAlone($title: String!) @auth(level: PUBLIC) {
      one: movie_insert(data: {title: $title})
      end: _execute(sql: "SELECT pg_terminate_backend(pg_backend_pid())")
      two: movie_insert(data: {title: $title})
    }
    query All @auth(level: PUBLIC) { movies(orderBy: {title: ASC}) { title } }
    """

  /// Ends all connections of the emulator, and waits until the server knows none of them.
  private func endConnections(of emulator: TestEmulator) async throws {
    let loop = EventLoop.onThread(name: "test-end", spin: .zero)
    defer { loop.stop() }
    let limit = Duration.seconds(30)
    let connection = try await PostgreSQLConnection.connect(
      to: try PostgreSQLTarget(emulator.database), on: loop, within: limit)
    let others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    _ = try await connection.query("SELECT pg_terminate_backend(pid) \(others)", within: limit)
    while try await connection.query("SELECT count(*) \(others)", within: limit).first?.integer(at: 0) != 0 {
      await Task.yield()
    }
    await connection.close()
  }

  private func titles(_ emulator: TestEmulator) async throws -> [String] {
    try await emulator.query("All").data()["movies"]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
  }

  @Test func `goes on with others where nothing was begun, whatever is executed`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      var expected: [String] = []
      for round in 1...5 {
        let (single, double) = ("\(round) a", "\(round) b")
        try await endConnections(of: emulator)
        _ = try await emulator.mutate("Add", ["title": .string(single)]).data()
        try await endConnections(of: emulator)
        _ = try await emulator.mutate("AddTwo", ["title": .string(double)]).data()
        expected += [single, double, double]
        try await endConnections(of: emulator)
        #expect(try await titles(emulator) == expected)
      }
    }
  }

  @Test func `says where something may have been done, and leaves no half of a transaction`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let whole = try await emulator.mutate("AddAndEnd", ["title": "lost"])
      #expect(whole["data"] == ["one": .null, "end": .null, "two": .null], "\(whole)")
      #expect(whole.errorCodes.contains("UNAVAILABLE"), "\(whole)")
      #expect(try await titles(emulator) == [])
      let alone = try await emulator.mutate("EndAlone", ["title": "kept"])
      #expect(alone["data"]?["one"]?["id"] != nil, "\(alone)")
      #expect(
        alone.errorPaths == [["end"], ["two"]] && alone.errorCodes == ["UNAVAILABLE", "UNAVAILABLE"], "\(alone)")
      #expect(alone.errorMessages.first?.contains("may have been carried out") == true)
      #expect(alone.errorMessages.last?.contains("may have been carried out") == false)
      // Once, and not again.
      #expect(try await titles(emulator) == ["kept"])
    }
  }
}
