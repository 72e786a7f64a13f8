import EventLoop
import HTTP
import PostgreSQL
import Text

/// Creates a database of a private server. The superuser creates it for a role without special rights.
struct NewDatabase {
  let name: String
  let socket: String

  /// Creates the database and its owner when they are missing. One that the server has already becomes the owner's.
  func make(within limit: Duration) async throws(PostgreSQLError) {
    let loop = EventLoop.onThread(name: "annex-cluster")
    defer { loop.stop() }
    let main = try await PostgreSQLConnection.connect(
      to: Self(name: "postgres", socket: socket).target(user: ServerProcess.superuser), on: loop, within: limit)
    let owner = PostgreSQLCluster.user
    let found = try await main.query(
      """
      SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1), EXISTS (SELECT FROM pg_database WHERE datname = $2),
        EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')
      """, [.text(owner), .text(name)], within: limit)
    guard let found = found.first else { return }
    if !found.boolean(at: 0) { try await run("CREATE ROLE \(owner) LOGIN", unless: "42710", on: main, within: limit) }
    let quoted = name.quoted("\"")
    if found.boolean(at: 1) {
      // Every server has a database postgres, which belongs to the superuser.
      try await main.run(script: "ALTER DATABASE \(quoted) OWNER TO \(owner)", within: limit)
    } else {
      try await run("CREATE DATABASE \(quoted) OWNER \(owner)", unless: "42P04", on: main, within: limit)
    }
    guard found.boolean(at: 2) else { return }
    let own = try await PostgreSQLConnection.connect(
      to: target(user: ServerProcess.superuser), on: loop, within: limit)
    try await own.run(script: "CREATE EXTENSION IF NOT EXISTS vector", within: limit)
  }

  /// Another process may have been first.
  private func run(
    _ sql: String, unless state: String, on connection: PostgreSQLConnection, within limit: Duration
  ) async throws(PostgreSQLError) {
    do throws(PostgreSQLError) {
      try await connection.run(script: sql, within: limit)
    } catch {
      if error.sqlState != state { throw error }
    }
  }

  func target(user: String) throws(PostgreSQLError) -> PostgreSQLTarget {
    try PostgreSQLTarget(
      "postgresql://\(user)@/\(PercentEncoding.encoded(name))?host=\(PercentEncoding.encoded(socket))")
  }
}
