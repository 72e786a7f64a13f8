import DataConnectCompiler
import PostgreSQL

/// Tells rows that a new constraint does not allow, before the server refuses it.
extension Planner {
  mutating func checkRows() async throws(PostgreSQLError) {
    for table in creation.context.schema.tables where !table.isView {
      let name = SQL.kept(table.sqlName)
      guard let now = wanted.tables[name], let before = found.tables[name] else { continue }
      if now.key?.definition != before.key?.definition { try await checkDistinct(table.key, of: table, before) }
      for unique in table.uniques {
        let index = SQL.kept(unique.name)
        if now.indexes[index] != before.indexes[index] { try await checkDistinct(unique.columns, of: table, before) }
      }
      for reference in table.references { try await check(reference, of: table, before) }
    }
  }

  /// The names of columns that are there already, quoted; `nil` where one is new.
  private func columns(_ names: [String], of table: Table, _ found: Catalog.Table?) -> [String]? {
    let names = names.compactMap { table.column($0).map { SQL.kept($0.sqlName) } }
    return names.allSatisfy { found?.column($0) != nil } ? names.map(SQL.name) : nil
  }

  private mutating func checkDistinct(
    _ names: [String], of table: Table, _ found: Catalog.Table
  ) async throws(PostgreSQLError) {
    guard let columns = columns(names, of: table, found), !columns.isEmpty else { return }
    let (list, place) = (columns.joined(separator: ", "), name(table.sqlName))
    let values = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let query = "SELECT \(list) FROM \(place) WHERE \(values) GROUP BY \(list) HAVING count(*) > 1"
    let groups = try await tried("SELECT count(*) FROM (\(query)) doubled") ?? 0
    if groups == 0 { return }
    obstacles.append(
      "\(names.joined(separator: ", ")) of \(table.name) is to be different in every row, and \(groups) values are there "
        + "more than once. Find them with \(query).")
  }

  private mutating func check(
    _ reference: Reference, of table: Table, _ found: Catalog.Table
  ) async throws(PostgreSQLError) {
    let constraint = creation.items.first {
      $0.kind == .foreignKey && $0.name == reference.constraintName && $0.table == table.sqlName
    }
    guard let constraint, has(.newForeignKeys, constraint.sql),
      let target = creation.context.schema.table(reference.target),
      let own = columns(reference.columns, of: table, found)
    else { return }
    let place = name(table.sqlName)
    var condition = own.map { "own.\($0) IS NOT NULL" }.joined(separator: " AND ")
    let there = self.found.tables[SQL.kept(target.sqlName)]
    if there != nil {
      guard let others = columns(reference.targetColumns, of: target, there) else { return }
      let same = zip(own, others).map { "other.\($1) = own.\($0)" }.joined(separator: " AND ")
      condition += " AND NOT EXISTS (SELECT FROM \(name(target.sqlName)) other WHERE \(same))"
    }
    let query = "FROM \(place) own WHERE \(condition)"
    let rows = try await tried("SELECT count(*) \(query)") ?? 0
    if rows == 0 { return }
    obstacles.append(
      "\(table.name).\(reference.field) leads nowhere in \(rows) rows: \(target.name) has no such row. Find them with "
        + "SELECT * \(query).")
  }
}
