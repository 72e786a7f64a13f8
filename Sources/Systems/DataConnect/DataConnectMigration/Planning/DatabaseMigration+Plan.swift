package import DataConnectCompiler
package import PostgreSQL

extension DatabaseMigration {
  /// Where the wanted database is made for a moment, so that the server itself says what it is: nobody else sees it.
  static let shadow = "annex_plan"

  /// What a database lacks, and what it has too much.
  ///
  /// Everything that the schema says is made in a transaction that is rolled back, so that a mistake in a type, a default
  /// or an index is found before anything is changed. Rows are counted and tried, which takes time where there are many.
  ///
  /// - Parameters:
  ///   - ignoring: whether tables, columns and types that the schema does not know are left alone, which is what
  ///     `schemaValidation: COMPATIBLE` asks for.
  ///   - limit: the time of each statement.
  /// - Throws: also where the server refuses what the schema says.
  package static func plan(
    _ schema: CompiledSchema, namespace: String, on connection: PostgreSQLConnection,
    ignoringUnknown ignoring: Bool = false, within limit: Duration = .seconds(120)
  ) async throws(PostgreSQLError) -> MigrationPlan {
    let vectors = try await VectorSupport.of(connection, within: limit)
    let creation = Creation(ColumnContext(schema: schema, namespace: namespace, vectors: vectors))
    let script = Creation(ColumnContext(schema: schema, namespace: shadow, vectors: vectors)).items
      .filter { $0.kind != .view }.map { $0.sql + ";\n" }.joined()
    // The end of a connection that cannot roll back is a rollback, too.
    try await connection.run(
      script: """
        BEGIN; \(searchPath(namespace)); SET LOCAL timezone TO 'UTC'; CREATE SCHEMA \(SQL.name(shadow));
        """, within: limit)
    let result: Result<MigrationPlan, PostgreSQLError>
    do throws(PostgreSQLError) {
      let found = try await Catalog.read(namespace, on: connection, within: limit)
      try await connection.run(script: "\(searchPath(shadow, namespace));\n\(script)", within: limit)
      let wanted = try await Catalog.read(shadow, on: connection, within: limit)
      var planner = Planner(
        creation: creation, wanted: wanted, found: found, connection: connection, limit: limit, isIgnoring: ignoring)
      result = .success(try await planner.plan())
    } catch {
      result = .failure(error)
    }
    do throws(PostgreSQLError) {
      try await connection.run(script: "ROLLBACK", within: limit)
    } catch {
      await connection.close()
    }
    return try result.get()
  }
}
