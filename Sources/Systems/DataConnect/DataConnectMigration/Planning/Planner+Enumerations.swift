import DataConnectCompiler
import PostgreSQL

extension Planner {
  mutating func planEnumerations() async throws(PostgreSQLError) {
    for item in creation.items where item.kind == .enumeration {
      let name = SQL.kept(item.name)
      guard let before = found.enumerations[name] else {
        add(.types, item.sql, isAdditive: true)
        continue
      }
      let now = wanted.enumerations[name] ?? []
      if before == now { continue }
      if now.filter(before.contains) == before {
        addValues(to: name, before, now)
      } else {
        try await rebuild(name, before, now, item.sql)
      }
    }
  }

  /// Plans enumerations that the schema does not know. They go when no column has them any more: the type itself holds
  /// nothing.
  mutating func planOldEnumerations() {
    if isIgnoring { return }
    let old = found.enumerations.keys.sorted().filter { wanted.enumerations[$0] == nil }
    for name in old where !isUsed(name) { add(.oldTypes, "DROP TYPE \(self.name(name))") }
  }

  /// Whether a column that stays has an enumeration as its type.
  private func isUsed(_ name: String) -> Bool {
    found.tables.contains { table, columns in
      let isLeft = wanted.tables[table] == nil && refused.contains { $0.subject == table }
      return columns.columns.contains { column in
        (isLeft || refused.contains { $0.subject == "\(table).\(column.name)" })
          && (column.type == Self.shown(name) || column.type == "\(Self.shown(name))[]")
      }
    }
  }

  /// Each new value has its place before one that is there already, or comes last.
  private mutating func addValues(to name: String, _ before: [String], _ now: [String]) {
    for (index, value) in now.enumerated() where !before.contains(value) {
      let next = now[index...].first(where: before.contains)
      add(
        .values,
        "ALTER TYPE \(self.name(name)) ADD VALUE IF NOT EXISTS \(SQL.text(value))"
          + (next.map { " BEFORE \(SQL.text($0))" } ?? ""))
    }
  }

  /// Creates a type again that loses a value or changes its order, and converts every column of the type.
  private mutating func rebuild(
    _ name: String, _ before: [String], _ now: [String], _ sql: String
  ) async throws(PostgreSQLError) {
    let (gone, old) = (before.filter { !now.contains($0) }, SQL.kept("\(name)_before"))
    let what =
      gone.isEmpty
      ? "The values of the enumeration \(name) are in another order."
      : "The enumeration \(name) loses \(gone.joined(separator: ", "))."
    let rename = "ALTER TYPE \(self.name(name)) RENAME TO \(SQL.name(old))"
    let isLoss = try await losesValues(name, gone)
    if isLoss, !consent.covers(name) { return refuse(rename, loss: what, of: name, isInTheWay: true) }
    add(.types, rename, loss: isLoss ? what : nil, of: name)
    add(.types, sql)
    for table in found.tables.keys.sorted() {
      for column in found.tables[table]?.columns ?? [] {
        let type = column.type
        guard type == Self.shown(name) || type == "\(Self.shown(name))[]" else { continue }
        changed.insert(table)
        // One that is to have another type is converted with the other columns.
        if let now = wanted.tables[table]?.column(column.name), now.type != type { continue }
        try await convert(column, of: table, to: name, gone, now)
      }
    }
    add(.oldTypes, "DROP TYPE \(self.name(old))")
  }

  /// Whether a row has a value that an enumeration is to lose, in a column that stays.
  private func losesValues(_ name: String, _ gone: [String]) async throws(PostgreSQLError) -> Bool {
    if gone.isEmpty { return false }
    let list = "ARRAY[\(gone.map(SQL.text).joined(separator: ", "))]::text[]"
    for table in found.tables.keys.sorted() {
      for column in found.tables[table]?.columns ?? [] {
        guard column.type == Self.shown(name) || column.type == "\(Self.shown(name))[]" else { continue }
        let quoted = SQL.name(column.name)
        let condition =
          column.type.hasSuffix("[]") ? "\(quoted)::text[] && \(list)" : "\(quoted)::text = ANY (\(list))"
        if try await count("SELECT count(*) FROM \(self.name(table)) WHERE \(condition)") > 0 { return true }
      }
    }
    return false
  }

  /// A name as the server prints it where it needs no schema.
  private static func shown(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    return isPlain && !(name.utf8.first.map { (0x30...0x39).contains($0) } ?? true) ? name : SQL.name(name)
  }

  private mutating func convert(
    _ column: Catalog.Column, of table: String, to name: String, _ gone: [String], _ now: [String]
  ) async throws(PostgreSQLError) {
    let (quoted, isList) = (SQL.name(column.name), column.type.hasSuffix("[]"))
    let list = "ARRAY[\(gone.map(SQL.text).joined(separator: ", "))]::text[]"
    let condition = isList ? "\(quoted)::text[] && \(list)" : "\(quoted)::text = ANY (\(list))"
    let rows = gone.isEmpty ? 0 : try await count("SELECT count(*) FROM \(self.name(table)) WHERE \(condition)")
    if rows > 0, column.isNonNull, !isList, wanted.tables[table]?.column(column.name)?.isNonNull == true {
      obstacles.append(
        "\(table).\(column.name) has a value in \(rows) rows that \(name) is to lose, and cannot be null. Give them "
          + "another value first: UPDATE \(self.name(table)) SET \(quoted) = … WHERE \(condition).")
    }
    let target = self.name(name)
    let expression =
      isList
      ? "\(gone.reduce("\(quoted)::text[]") { "array_remove(\($0), \(SQL.text($1)))" })::\(target)[]"
      : gone.isEmpty
        ? "\(quoted)::text::\(target)" : "(CASE WHEN NOT \(condition) THEN \(quoted)::text END)::\(target)"
    let alter = "ALTER TABLE \(self.name(table)) ALTER COLUMN \(quoted)"
    if column.defaultValue != nil { add(.types, "\(alter) DROP DEFAULT") }
    add(
      .types, "\(alter) TYPE \(target)\(isList ? "[]" : "") USING \(expression)",
      loss: rows == 0 ? nil : "\(rows) rows of \(table) lose their value of \(column.name).", of: name,
      dump: rows == 0
        ? nil
        : .init(
          name: "\(table).\(column.name)", table: self.name(table),
          query: "SELECT * FROM \(self.name(table)) WHERE \(condition)"))
    restoreDefault(of: column, table, alter, gone)
  }

  /// Restores the default of an unchanged column in the new type.
  private mutating func restoreDefault(
    of column: Catalog.Column, _ table: String, _ alter: String, _ gone: [String]
  ) {
    guard let value = column.defaultValue, wanted.tables[table]?.column(column.name)?.defaultValue == value else {
      return
    }
    let own = creation.context.schema.tables.first { !$0.isView && SQL.kept($0.sqlName) == table }?.columns
      .first { SQL.kept($0.sqlName) == column.name }
    if let text = own?.databaseDefault(in: creation.context) { add(.types, "\(alter) SET DEFAULT \(text)") }
  }
}
