import Files
package import PostgreSQL

extension DatabaseMigration {
  /// Rows that are fetched at a time while they are kept.
  private static let page = 50

  /// Applies a plan: first each new value of an enumeration by itself, then everything else in one transaction.
  ///
  /// - Parameters:
  ///   - allowingLoss: whether to run steps that lose data. Without it, a plan with such a step changes nothing.
  ///   - dumpFolder: the folder for the removed rows, as JSON objects on lines; created when it is missing.
  ///   - limit: the time limit of each statement. A statement waits at most ten seconds for locks.
  package static func apply(
    _ plan: MigrationPlan, on connection: PostgreSQLConnection, allowingLoss: Bool = false, dumpFolder: String,
    within limit: Duration = .seconds(600)
  ) async throws(MigrationError) -> MigrationReport {
    guard plan.obstacles.isEmpty else { throw .obstacles(plan.obstacles) }
    guard allowingLoss || plan.losses.isEmpty else { throw .loss(plan.losses) }
    let (first, rest) = (plan.steps.filter(\.isSeparate), plan.steps.filter { !$0.isSeparate })
    for step in first { try await run(step.sql, on: connection, limit) }
    if rest.isEmpty { return MigrationReport(steps: first, dumps: []) }
    var dumps: [String] = []
    try await run("BEGIN; SET LOCAL lock_timeout TO '10s'; SET LOCAL timezone TO 'UTC'", on: connection, limit)
    do throws(MigrationError) {
      for emptiness in rest.compactMap(\.emptiness) { try await check(emptiness, on: connection, limit) }
      for dump in rest.compactMap(\.dump) {
        try await run("LOCK TABLE \(dump.table) IN ACCESS EXCLUSIVE MODE", on: connection, limit)
        dumps.append(try await keep(dump, in: dumpFolder, on: connection, limit))
      }
      try await run(searchPath(plan.namespace), on: connection, limit)
      for step in rest { try await run(step.sql, on: connection, limit) }
      try await run("COMMIT", on: connection, limit)
    } catch {
      // A connection that cannot roll back has ended, and its transaction with it.
      do throws(PostgreSQLError) {
        try await connection.run(script: "ROLLBACK", within: limit)
      } catch {
        await connection.close()
      }
      // Rows that were not removed need no copy. When the outcome of the commit is unknown, the copy is kept.
      if case .database(let cause) = error, cause.isOutcomeUnknown { throw error }
      for path in dumps { File.remove(path) }
      throw error
    }
    return MigrationReport(steps: first + rest, dumps: dumps)
  }

  private static func run(
    _ sql: String, on connection: PostgreSQLConnection, _ limit: Duration
  ) async throws(MigrationError) {
    do throws(PostgreSQLError) {
      try await connection.run(script: sql, within: limit)
    } catch {
      throw .database(error)
    }
  }

  /// Locks a table, and makes sure that what is removed still holds nothing.
  private static func check(
    _ emptiness: MigrationPlan.Emptiness, on connection: PostgreSQLConnection, _ limit: Duration
  ) async throws(MigrationError) {
    try await run("LOCK TABLE \(emptiness.table) IN ACCESS EXCLUSIVE MODE", on: connection, limit)
    let count: Int64?
    do throws(PostgreSQLError) {
      count = try await connection.query(emptiness.count, within: limit).first?.integer(at: 0)
    } catch {
      throw .database(error)
    }
    guard count == 0 else {
      throw .loss(["Something was written meanwhile into \(emptiness.table), which was empty."])
    }
  }

  /// Writes the rows into a new file, page by page.
  private static func keep(
    _ dump: MigrationPlan.Dump, in folder: String, on connection: PostgreSQLConnection, _ limit: Duration
  ) async throws(MigrationError) -> String {
    try await run(
      "DECLARE annex_dump NO SCROLL CURSOR FOR SELECT row_to_json(kept)::text FROM (\(dump.query)) kept",
      on: connection,
      limit)
    let file: DumpFile
    do throws(FileError) {
      try Folder.make(folder)
      file = try DumpFile(beginning: "\(folder)/\(DumpFile.name(for: dump.name))")
    } catch {
      throw .dump(error)
    }
    var isWhole = false
    defer { if !isWhole { File.remove(file.path) } }
    while true {
      let lines = try await nextPage(on: connection, limit)
      do throws(FileError) {
        if lines.isEmpty {
          try await file.finish()
          break
        }
        try await file.write(lines)
      } catch {
        throw .dump(error)
      }
    }
    try await run("CLOSE annex_dump", on: connection, limit)
    isWhole = true
    return file.path
  }

  private static func nextPage(
    on connection: PostgreSQLConnection, _ limit: Duration
  ) async throws(MigrationError) -> [String] {
    do throws(PostgreSQLError) {
      return try await connection.query("FETCH \(page) FROM annex_dump", within: limit, maximumBytes: 256 << 20).map {
        $0.text(at: 0)
      }
    } catch {
      throw .database(error)
    }
  }
}

/// What was done to a database.
package struct MigrationReport: Sendable, Equatable {
  /// In order.
  package let steps: [MigrationPlan.Step]
  /// The files with the rows that went or changed.
  package let dumps: [String]
}
