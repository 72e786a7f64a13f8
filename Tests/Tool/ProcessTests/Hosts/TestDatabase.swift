import TestPrograms
import Testing

/// Databases of the PostgreSQL server that all tests of this process share.
enum TestDatabase {
  /// The URL of a new database.
  static func url() async throws -> String {
    let server = try TestPostgreSQLServer.shared.get()
    let name = "host\(UInt32.random(in: 0...(.max)))"
    let made = try await Program(
      "/usr/bin/psql", ["-q", "-c", "CREATE DATABASE \(name)", server.url()], environment: ["PATH": "/usr/bin:/bin"]
    ).finish()
    try #require(made.status == 0, "\(made)")
    return server.url(name)
  }
}
