import DataConnectCompiler
import JSON

/// Writes the rows that a field inserts, together with the nested rows that refer to them, in one statement.
///
/// All rows of a table are one `INSERT`, except rows that change different columns of existing rows, and rows whose key
/// only the database knows and that others refer to. PostgreSQL checks constraints at the end of the whole statement,
/// so the order of the parts does not matter.
struct Insertion {
  /// A column and what it has.
  typealias Cell = (column: Column, value: SQLText)
  /// The data to write, and the foreign key of a row that is inserted together with the referenced one.
  typealias Source = (data: InputValue, outer: [Cell])

  /// An `INSERT` whose rows are known, and where these stand among those of the field.
  struct Part {
    let name: SQLText
    let positions: [Int]
  }

  /// The most parts of a statement: the time that the server takes to plan it grows with their square.
  private static let mostParts = 128

  let writer: SQLWriter
  /// Whether a row that has the key already is changed.
  let isUpsert: Bool
  private(set) var parts: [SQLText] = []
  /// The parts of rows that lead to those of the field, each with its table.
  private var innerParts: [(table: Table, name: SQLText)] = []
  private var depth = 0
  private var count = 0

  init(_ writer: SQLWriter, isUpsert: Bool) {
    self.writer = writer
    self.isUpsert = isUpsert
  }

  mutating func insert(_ sources: [Source], into table: Table) throws(StatementError) -> [Part] {
    try writer.inside { () throws(StatementError) in
      depth += 1
      defer { depth -= 1 }
      let alias = writer.alias()
      var groups: [(rows: [InsertedRow], positions: [Int])] = []
      var indices: [[SQLText]: Int] = [:]
      for (position, source) in sources.enumerated() {
        count += 1
        guard count <= writer.context.limits.rows else {
          throw source.data.error("More than \(writer.context.limits.rows) rows cannot be inserted at once.")
        }
        let row = try writer.insertedRow(source, into: table, alias, isUpsert: isUpsert)
        let isAlone = row.inner.contains { $0.outer == nil }
        if !isAlone, let index = indices[row.changes] {
          groups[index].rows.append(row)
          groups[index].positions.append(position)
        } else {
          if !isAlone { indices[row.changes] = groups.count }
          groups.append(([row], [position]))
        }
      }
      var written: [Part] = []
      for group in groups {
        let name = try write(group.rows, into: table, alias)
        written.append(Part(name: name, positions: group.positions))
        if depth > 1 { innerParts.append((table, name)) }
      }
      try insertInner(groups.flatMap(\.rows))
      return written
    }
  }

  // MARK: Rows that lead to others

  /// The second column of the statement, which tells the tables and keys of those: `[["Review", {"id": …}], …]`; `nil`
  /// without any.
  func innerKeys() throws(StatementError) -> SQLText? {
    if innerParts.isEmpty { return nil }
    var keys: [SQLText] = []
    for (table, name) in innerParts {
      let key = try writer.keyObject(of: table, name)
      keys.append("SELECT json_build_array(\(literal: table.name), \(key)) AS k FROM \(name)")
    }
    return "(SELECT json_agg(i.k) FROM (\(keys.joined(" UNION ALL "))) AS i)"
  }

  /// Inserts nested rows whose foreign key is known, one relation at a time.
  private mutating func insertInner(_ rows: [InsertedRow]) throws(StatementError) {
    var sources: [String: [Source]] = [:]
    var relations: [ReverseRelation] = []
    for inner in rows.flatMap(\.inner) {
      guard let outer = inner.outer else { continue }
      if sources[inner.relation.field] == nil { relations.append(inner.relation) }
      sources[inner.relation.field, default: []] += inner.rows.map { ($0, outer) }
    }
    for relation in relations {
      _ = try insert(sources[relation.field] ?? [], into: writer.table(relation.source))
    }
  }

  /// Inserts nested rows that take their foreign key from the output of the row's insert.
  private mutating func insertInner(
    _ row: InsertedRow, of table: Table, _ name: SQLText
  ) throws(StatementError) {
    for inner in row.inner where inner.outer == nil {
      let (source, reference) = try writer.reference(of: inner.relation)
      var outer: [Cell] = []
      for (own, foreign) in zip(reference.columns, reference.targetColumns) {
        guard let column = source.column(own), let target = table.column(foreign) else { continue }
        outer.append((column, "(SELECT \(writer.column(target, name)) FROM \(name))"))
      }
      _ = try insert(inner.rows.map { ($0, outer) }, into: source)
    }
  }

  // MARK: Writing

  private mutating func write(
    _ rows: [InsertedRow], into table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText {
    guard parts.count < Self.mostParts else {
      throw StatementError("The rows differ in too many ways to be written by one statement.")
    }
    let name = writer.alias()
    var columns = table.columns.filter { column in rows.contains { $0.values[column.name] != nil } }
    // Some column has to be there.
    if columns.isEmpty { columns = Array(table.columns.prefix(1)) }
    var tuples: [SQLText] = []
    for row in rows {
      let values = columns.map { row.values[$0.name] ?? "DEFAULT" }
      try writer.spend(values.count * 9)
      tuples.append("(\(values.joined(", ")))")
    }
    let names: [SQLText] = columns.map { "\(name: $0.sqlName)" }
    var returned = table.key.compactMap(table.column)
    for inner in rows[0].inner where inner.outer == nil {
      let reference = try writer.reference(of: inner.relation).reference
      returned += reference.targetColumns.compactMap(table.column).filter { !returned.contains($0) }
    }
    let target: SQLText = "\(writer.name(table)) AS \(alias) (\(names.joined(", ")))"
    let conflict: SQLText = isUpsert ? " ON CONFLICT \(conflict(rows[0], table, alias))" : ""
    let returning = returned.map { writer.column($0, alias) }.joined(", ")
    parts.append(
      "\(name) AS (INSERT INTO \(target) VALUES \(tuples.joined(", "))\(conflict) RETURNING \(returning))")
    if rows.count == 1 { try insertInner(rows[0], of: table, name) }
    return name
  }

  private func conflict(_ row: InsertedRow, _ table: Table, _ alias: SQLText) -> SQLText {
    let key = table.key.compactMap(table.column)
    let names: [SQLText] = key.map { "\(name: $0.sqlName)" }
    // A row that is not changed returns nothing.
    let changes =
      row.changes.isEmpty ? key.prefix(1).map { "\(name: $0.sqlName) = \(writer.column($0, alias))" } : row.changes
    return "(\(names.joined(", "))) DO UPDATE SET \(changes.joined(", "))"
  }
}
