import DataConnectCompiler
import PostgreSQL

extension Planner {
  /// Plans keys, foreign keys, checks and indexes. They hold no data, so the plan may drop and create them freely.
  mutating func planConstraints() async throws(PostgreSQLError) {
    for table in kept where table.wanted.key?.definition != table.found.key?.definition { changed.insert(table.name) }
    for table in kept { planIndexes(table.name, table.wanted, table.found) }
    for table in kept {
      planKey(table.name, table.wanted, table.found)
      planChecks(table.name, table.wanted, table.found)
      planForeignKeys(table.name, table.wanted, table.found)
    }
    try await checkRows()
    // What belongs to a new table is new.
    for item in creation.items where found.tables[SQL.kept(item.table)] == nil {
      switch item.kind {
      case .check, .index: add(.newConstraints, item.sql)
      case .foreignKey: add(.newForeignKeys, item.sql)
      default: break
      }
    }
  }

  private func item(_ kind: Creation.Item.Kind, _ name: String, of table: String) -> String? {
    creation.items.first { $0.kind == kind && SQL.kept($0.name) == name && SQL.kept($0.table) == table }?.sql
  }

  private mutating func dropConstraint(_ phase: Phase, _ name: String, of table: String) {
    add(phase, "ALTER TABLE \(self.name(table)) DROP CONSTRAINT \(SQL.name(name))")
  }

  private mutating func planKey(_ table: String, _ wanted: Catalog.Table, _ found: Catalog.Table) {
    let (now, before) = (wanted.key, found.key)
    if now?.definition == before?.definition { return }
    if let before { dropConstraint(.constraints, before.name, of: table) }
    if let now {
      add(
        .newConstraints, "ALTER TABLE \(name(table)) ADD CONSTRAINT \(SQL.name(now.name)) \(now.definition)")
    }
  }

  /// Checks are only ours where their names say so: others are the developer's.
  private mutating func planChecks(_ table: String, _ wanted: Catalog.Table, _ found: Catalog.Table) {
    let checks = wanted.constraints.filter { $0.kind == .check }
    for before in found.constraints where before.kind == .check && !checks.contains(before) {
      if checks.contains(where: { $0.name == before.name }) || before.name.hasSuffix("_length") {
        dropConstraint(.constraints, before.name, of: table)
      }
    }
    for now in checks where !found.constraints.contains(now) {
      if let sql = item(.check, now.name, of: table) { add(.newConstraints, sql) }
    }
  }

  private mutating func planForeignKeys(_ table: String, _ wanted: Catalog.Table, _ found: Catalog.Table) {
    let keys = wanted.constraints.filter { $0.kind == .foreignKey }
    var missing = keys
    for before in found.constraints where before.kind == .foreignKey {
      let isTouched = changed.contains(table) || changed.contains(before.target ?? "")
      // Another name does not matter.
      if !isTouched, let index = missing.firstIndex(where: { $0.definition == before.definition }) {
        missing.remove(at: index)
        continue
      }
      let isKnown = keys.contains { $0.name == before.name || $0.definition == before.definition }
      if isIgnoring, !isKnown { continue }
      dropConstraint(.foreignKeys, before.name, of: table)
    }
    for now in missing {
      if let sql = item(.foreignKey, now.name, of: table) { add(.newForeignKeys, sql) }
    }
  }

  private mutating func planIndexes(_ table: String, _ wanted: Catalog.Table, _ found: Catalog.Table) {
    for name in found.indexes.keys.sorted() where found.indexes[name] != wanted.indexes[name] {
      // When unknown parts are left alone, an index that the schema does not declare stays, since it only costs time. A
      // unique index restricts writes and is dropped.
      let isOurs = wanted.indexes[name] != nil || name.hasSuffix("_uidx")
      if isIgnoring, !isOurs { continue }
      // A foreign key may stand on it.
      changed.insert(table)
      add(.constraints, "DROP INDEX \(self.name(name))")
    }
    for name in wanted.indexes.keys.sorted() where found.indexes[name] != wanted.indexes[name] {
      if let sql = item(.index, name, of: table) { add(.newConstraints, sql) }
    }
  }
}
