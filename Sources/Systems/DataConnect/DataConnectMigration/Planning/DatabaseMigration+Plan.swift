package import DataConnectCompiler
package import PostgreSQL

extension DatabaseMigration {
  /// The schema in which the wanted tables are created for a moment, so that the server describes them. No other
  /// session sees it.
  static let shadow = "annex_plan"

  /// Returns the plan that adds what a database lacks and removes what it has too much.
  ///
  /// The planner creates the whole schema in a transaction that it rolls back. So an error in a type, a default or an
  /// index is found before anything changes. It also counts and tests rows, which takes time for large tables.
  ///
  /// - Parameters:
  ///   - ignoring: whether to leave tables, columns and types alone that the schema does not declare, as
  ///     `schemaValidation: COMPATIBLE` demands.
  ///   - consent: what may be lost. Steps that lose something else are left out of the plan, and named in it.
  ///   - limit: the time limit of each statement.
  /// - Throws: `PostgreSQLError` also when the server refuses a definition of the schema.
  package static func plan(
    _ schema: CompiledSchema, namespace: String, on connection: PostgreSQLConnection,
    ignoringUnknown ignoring: Bool = false, consent: MigrationConsent = .everything,
    within limit: Duration = .seconds(120)
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
      var found = try await Catalog.read(namespace, on: connection, within: limit)
      let renames = Self.renames(schema, found)
      for rename in renames {
        try await connection.run(script: rename.sql(in: namespace), within: limit)
      }
      if !renames.isEmpty { found = try await Catalog.read(namespace, on: connection, within: limit) }
      try await connection.run(script: "\(searchPath(shadow, namespace));\n\(script)", within: limit)
      let wanted = try await Catalog.read(shadow, on: connection, within: limit)
      var planner = Planner(
        creation: creation, wanted: wanted, found: found, connection: connection, limit: limit, isIgnoring: ignoring,
        consent: consent)
      for rename in renames { planner.add(.renames, rename.sql(in: namespace)) }
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

extension DatabaseMigration {
  /// A table that `@table(name:)` has given another name.
  private struct Rename {
    let old: String
    let new: String

    func sql(in namespace: String) -> String {
      "ALTER TABLE \(SQL.name(namespace, old)) RENAME TO \(SQL.name(new))"
    }
  }

  /// Finds tables that are there under the name that their types would have without `@table(name:)`.
  private static func renames(_ schema: CompiledSchema, _ found: Catalog) -> [Rename] {
    let wanted = Set(schema.tables.map { SQL.kept($0.sqlName) })
    return schema.tables.filter { !$0.isView }.compactMap { table in
      let (old, new) = (SQL.kept(table.usualSQLName), SQL.kept(table.sqlName))
      guard old != new, found.tables[old] != nil, found.tables[new] == nil, !wanted.contains(old) else { return nil }
      return Rename(old: old, new: new)
    }
  }
}
