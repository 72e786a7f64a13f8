import DataConnectCompiler
import PostgreSQL

extension Planner {
  mutating func planColumns() async throws(PostgreSQLError) {
    for table in creation.context.schema.tables where !table.isView {
      guard let wanted = wanted.tables[SQL.kept(table.sqlName)], let found = found.tables[SQL.kept(table.sqlName)]
      else { continue }
      for column in table.columns {
        guard let now = wanted.column(SQL.kept(column.sqlName)) else { continue }
        if let before = found.column(now.name) {
          try await change(column, of: table, from: before, to: now)
        } else {
          try await addColumn(column, to: table, now)
        }
      }
      for column in found.columns where wanted.column(column.name) == nil {
        try await drop(column, of: table, found)
      }
    }
  }

  private mutating func addColumn(
    _ column: Column, to table: Table, _ now: Catalog.Column
  ) async throws(PostgreSQLError) {
    var isInTheWay = now.isNonNull
    if now.isNonNull, now.defaultValue == nil {
      let rows = try await count("SELECT count(*) FROM \(name(table.sqlName))")
      if rows > 0 {
        obstacles.append(
          "\(table.name).\(column.name) is new and cannot be null, and \(table.sqlName) has \(rows) rows, which would "
            + "have no value in it. Give it a @default with a value, or make it nullable until they have one.")
      }
    }
    if now.defaultValue != nil { isInTheWay = false }
    add(
      .columns, "ALTER TABLE \(name(table.sqlName)) ADD COLUMN \(column.definition(in: creation.context))",
      isAdditive: !isInTheWay)
  }

  private mutating func drop(
    _ column: Catalog.Column, of table: Table, _ found: Catalog.Table
  ) async throws(PostgreSQLError) {
    let place = "\(table.sqlName).\(column.name)"
    let isInTheWay = column.isNonNull && column.defaultValue == nil && !column.isGenerated
    let warning = isInTheWay ? " It cannot be null, so that nothing can be inserted." : ""
    if isIgnoring {
      notices.append("The column \(place) is left alone: the schema does not know it.\(warning)")
      return
    }
    let quoted = SQL.name(column.name)
    let query = "SELECT count(\(quoted)) FROM \(name(table.sqlName))"
    let values = try await count(query)
    let sql = "ALTER TABLE \(name(table.sqlName)) DROP COLUMN \(quoted)"
    let loss = "The column \(place) goes, with \(values) values."
    if values > 0, !consent.covers(place) {
      refuse(sql, loss: loss, of: place, isInTheWay: false)
      // What has no value in it cannot be inserted otherwise, and nothing is lost.
      if isInTheWay {
        add(.columns, "ALTER TABLE \(name(table.sqlName)) ALTER COLUMN \(quoted) DROP NOT NULL", isAdditive: false)
      }
      return
    }
    add(
      .oldColumns, sql, loss: values == 0 ? nil : loss, of: place,
      dump: values == 0 ? nil : dump(column.name, table, found),
      emptiness: values == 0 ? .init(table: name(table.sqlName), count: query) : nil)
  }

  /// The values of a column, each with what tells its row.
  private func dump(_ column: String, _ table: Table, _ found: Catalog.Table) -> MigrationPlan.Dump {
    let key = table.key.compactMap { table.column($0).map { SQL.kept($0.sqlName) } }
    let isTold = key.allSatisfy { found.column($0) != nil }
    let columns = isTold ? SQL.names(key.filter { $0 != column } + [column]) : "*"
    return MigrationPlan.Dump(
      name: "\(table.sqlName).\(column)", table: name(table.sqlName),
      query: "SELECT \(columns) FROM \(name(table.sqlName)) WHERE \(SQL.name(column)) IS NOT NULL")
  }

  // MARK: Changes

  private mutating func change(
    _ column: Column, of table: Table, from before: Catalog.Column, to now: Catalog.Column
  ) async throws(PostgreSQLError) {
    let alter = "ALTER TABLE \(name(table.sqlName)) ALTER COLUMN \(SQL.name(before.name))"
    var hasDefault = before.defaultValue
    if before.type != now.type {
      let conversion = try await conversion(column, of: table, from: before, to: now)
      let sql = "\(alter) TYPE \(alterableType(column)) USING \(conversion.expression)"
      let place = "\(table.sqlName).\(before.name)"
      if let loss = conversion.loss, !consent.covers(place) {
        return refuse(sql, loss: loss, of: place, isInTheWay: true)
      }
      obstacles += [conversion.obstacle].compactMap(\.self)
      changed.insert(SQL.kept(table.sqlName))
      if hasDefault != nil { add(.columns, "\(alter) DROP DEFAULT") }
      hasDefault = nil
      add(
        .columns, sql, loss: conversion.loss, of: place,
        dump: conversion.loss == nil
          ? nil : found.tables[SQL.kept(table.sqlName)].map { dump(before.name, table, $0) })
    }
    guard try await checkLengths(column, of: table, before) else { return }
    // What is computed or counted by the server has no default to compare.
    if hasDefault != now.defaultValue, !before.isGenerated { setDefault(column, of: table, now, alter) }
    if now.isNonNull, !before.isNonNull {
      try await forbidNull(column, of: table, now, alter)
    } else if before.isNonNull, !now.isNonNull {
      add(.columns, "\(alter) DROP NOT NULL")
    }
  }

  /// Vectors in arrays of another length than the new one.
  ///
  /// - Returns: whether they may go.
  private mutating func checkLengths(
    _ column: Column, of table: Table, _ before: Catalog.Column
  ) async throws(PostgreSQLError) -> Bool {
    guard column.vectorCheck(in: creation.context) != nil, let size = column.vectorSize, before.type == "real[]" else {
      return true
    }
    let (quoted, place) = (SQL.name(before.name), name(table.sqlName))
    let condition = "cardinality(\(quoted)) <> \(size)"
    let rows = try await count("SELECT count(*) FROM \(place) WHERE \(condition)")
    if rows == 0 { return true }
    let sql = "UPDATE \(place) SET \(quoted) = NULL WHERE \(condition)"
    let subject = "\(table.sqlName).\(before.name)"
    let loss = "\(rows) vectors of \(subject) go: their length is not \(size)."
    if !consent.covers(subject) {
      refuse(sql, loss: loss, of: subject, isInTheWay: true)
      return false
    }
    if column.type.isNonNull {
      obstacles.append(
        "\(table.name).\(column.name) has vectors of another length than \(size) in \(rows) rows, and cannot be null. "
          + "Make it nullable until they are replaced.")
    }
    add(
      .columns, sql, loss: loss, of: subject,
      dump: found.tables[SQL.kept(table.sqlName)].map { dump(before.name, table, $0) })
    return true
  }

  private mutating func setDefault(_ column: Column, of table: Table, _ now: Catalog.Column, _ alter: String) {
    if let value = column.databaseDefault(in: creation.context) {
      add(.columns, "\(alter) SET DEFAULT \(value)")
    } else if now.defaultValue?.hasPrefix("nextval(") == true {
      // A type such as serial is a short form, of new columns alone.
      let sequence = SQL.name(namespace, SQL.kept("\(table.sqlName)_\(column.sqlName)_seq"))
      let (quoted, place) = (SQL.name(column.sqlName), name(table.sqlName))
      add(.columns, "CREATE SEQUENCE IF NOT EXISTS \(sequence) OWNED BY \(place).\(quoted)")
      add(.columns, "SELECT setval(\(SQL.text(sequence)), coalesce(max(\(quoted)), 0) + 1, false) FROM \(place)")
      add(.columns, "\(alter) SET DEFAULT nextval(\(SQL.text(sequence)))")
    } else {
      add(.columns, "\(alter) DROP DEFAULT")
    }
  }

  private mutating func forbidNull(
    _ column: Column, of table: Table, _ now: Catalog.Column, _ alter: String
  ) async throws(PostgreSQLError) {
    let quoted = SQL.name(column.sqlName)
    let rows = try await count("SELECT count(*) FROM \(name(table.sqlName)) WHERE \(quoted) IS NULL")
    if rows > 0 {
      if let value = column.databaseDefault(in: creation.context) {
        add(.columns, "UPDATE \(name(table.sqlName)) SET \(quoted) = \(value) WHERE \(quoted) IS NULL")
      } else {
        obstacles.append(
          "\(table.name).\(column.name) cannot be null any more, and is null in \(rows) rows. Give them a value first: "
            + "UPDATE \(name(table.sqlName)) SET \(quoted) = … WHERE \(quoted) IS NULL.")
      }
    }
    add(.columns, "\(alter) SET NOT NULL")
  }

  // MARK: Types

  /// How the values of a column become those of another type, tried with the rows that are there.
  private func conversion(
    _ column: Column, of table: Table, from before: Catalog.Column, to now: Catalog.Column
  ) async throws(PostgreSQLError) -> (expression: String, loss: String?, obstacle: String?) {
    let (quoted, place) = (SQL.name(before.name), "\(table.sqlName).\(before.name)")
    let values = try await count("SELECT count(\(quoted)) FROM \(name(table.sqlName))")
    let change = "\(place) was \(before.type) and is \(now.type)"
    // As the step has it, and as it can be tried now: a type may be there in the shadow alone.
    for form in Self.forms(quoted, from: before.type, to: now.type) {
      let (final, trial) = (form(alterableType(column)), form(now.type))
      let back =
        now.type == "\(before.type)[]" ? "(\(trial))[1]" : "(\(trial))::\(before.type)"
      guard
        let different = try await tried(
          "SELECT count(*) FROM \(name(table.sqlName)) WHERE (\(back))::text IS DISTINCT FROM \(quoted)::text")
      else { continue }
      if different == 0 { return (final, nil, nil) }
      return (final, "\(change): \(different) of \(values) values change.", nil)
    }
    let type = alterableType(column)
    if values == 0 { return ("NULL::\(type)", nil, nil) }
    var obstacle: String?
    let substitute = column.databaseDefault(in: creation.context)
    if now.isNonNull, substitute == nil {
      obstacle =
        "\(change), and cannot be null: its \(values) values cannot be taken over. Give it a @default with a value, or "
        + "make a column with another name."
    }
    return (
      now.isNonNull ? substitute.map { "(\($0))::\(type)" } ?? "NULL::\(type)" : "NULL::\(type)",
      "\(change): its \(values) values go.", obstacle
    )
  }

  /// The type behind those that are short forms for new columns.
  private func alterableType(_ column: Column) -> String {
    let type = column.databaseType(in: creation.context)
    return ["serial": "integer", "bigserial": "bigint", "smallserial": "smallint"][type.lowercased()] ?? type
  }

  /// The expressions to try, in order, each for a name of the new type.
  private static func forms(_ column: String, from: String, to: String) -> [(String) -> String] {
    var forms: [(String) -> String] = []
    if from == "date", to == "timestamp with time zone" {
      forms.append { _ in "(\(column)::timestamp AT TIME ZONE 'UTC')" }
    }
    if from == "timestamp without time zone", to == "timestamp with time zone" {
      forms.append { _ in "(\(column) AT TIME ZONE 'UTC')" }
    }
    if to == "\(from)[]" {
      forms.append { "(CASE WHEN \(column) IS NOT NULL THEN ARRAY[\(column)]::\($0) END)" }
    }
    return forms + [{ "\(column)::\($0)" }, { "\(column)::text::\($0)" }]
  }

  /// Returns the number that a query selects; `nil` when the query fails on the existing rows.
  func tried(_ sql: String) async throws(PostgreSQLError) -> Int64? {
    try await connection.run(script: "SAVEPOINT trial", within: limit)
    do throws(PostgreSQLError) {
      let number = try await count(sql)
      try await connection.run(script: "RELEASE SAVEPOINT trial", within: limit)
      return number
    } catch {
      // Data that does not fit, or a conversion that there is not.
      guard let state = error.sqlState, state.hasPrefix("22") || state.hasPrefix("42") || state.hasPrefix("23") else {
        throw error
      }
      try await connection.run(script: "ROLLBACK TO SAVEPOINT trial", within: limit)
      return nil
    }
  }
}
