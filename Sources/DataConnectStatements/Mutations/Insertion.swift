import DataConnectCompiler
import JSONRPC

/// The rows that a field inserts, with those that lead to them, in one statement.
///
/// Rows with the same columns that follow each other are one `INSERT`. A row that others are inserted with is one alone,
/// so that they can take its key from what it returns. Constraints are checked at the end of the whole statement.
struct Insertion {
  /// A row, ready to be written.
  private struct Row {
    let columns: [Column]
    let values: [SQLText]
    /// What is changed of the row that has its key, where there is one.
    let changes: [SQLText]
    let inner: [(relation: ReverseRelation, rows: [InputValue])]

    func isAlike(_ other: Row) -> Bool {
      columns.map(\.name) == other.columns.map(\.name) && changes == other.changes && inner.isEmpty
        && other.inner.isEmpty
    }
  }

  let writer: SQLWriter
  /// Whether a row that has the key already is changed.
  let isUpsert: Bool
  private(set) var parts: [SQLText] = []
  private var count = 0

  init(_ writer: SQLWriter, isUpsert: Bool) {
    self.writer = writer
    self.isUpsert = isUpsert
  }

  /// - Parameter outer: the foreign key of rows that are inserted with the row that they lead to.
  /// - Returns: the names of what gives the keys of the rows, in the order of these.
  mutating func insert(
    _ rows: [InputValue], into table: Table, outer: [(column: Column, value: SQLText)] = []
  ) throws(StatementError) -> [SQLText] {
    try writer.inside { () throws(StatementError) in
      let alias = writer.alias()
      var names: [SQLText] = []
      var alike: [Row] = []
      for data in rows {
        count += 1
        guard count <= writer.context.limits.rows else {
          throw data.error("More than \(writer.context.limits.rows) rows cannot be inserted at once.")
        }
        let row = try row(data, table, alias, outer)
        if let last = alike.last, !last.isAlike(row) {
          names.append(try write(alike, into: table, alias))
          alike = []
        }
        alike.append(row)
      }
      if !alike.isEmpty { names.append(try write(alike, into: table, alias)) }
      return names
    }
  }

  // MARK: Rows

  private func row(
    _ data: InputValue, _ table: Table, _ alias: SQLText, _ outer: [(column: Column, value: SQLText)]
  ) throws(StatementError) -> Row {
    var row = try writer.row(data, of: table)
    for (column, value) in outer {
      guard row.values[column.name] == nil else {
        throw data.error("\(column.name) is that of the row around it.")
      }
      try row.set(column, .fixed(value), from: data)
    }
    var (columns, values, changes): ([Column], [SQLText], [SQLText]) = ([], [], [])
    for column in table.columns {
      guard let value = try inserted(row.values[column.name], column, data) else { continue }
      columns.append(column)
      values.append(value)
      try writer.spend(value.text.utf8.count)
      guard isUpsert, !table.key.contains(column.name) else { continue }
      switch row.values[column.name] {
      case .fixed: changes.append("\(name: column.sqlName) = EXCLUDED.\(name: column.sqlName)")
      case .changed(let steps):
        let changed = try writer.stepped(steps, from: writer.column(column, alias), column)
        changes.append("\(name: column.sqlName) = \(changed)")
      // A default is for rows that are inserted.
      case nil: break
      }
    }
    return Row(columns: columns, values: values, changes: changes, inner: row.inner)
  }

  /// What a column of a new row has; `nil` where the database has a word for it, or NULL.
  private func inserted(
    _ value: RowValues.Value?, _ column: Column, _ data: InputValue
  ) throws(StatementError) -> SQLText? {
    switch value {
    case .fixed(let value): return value
    case .changed(let steps):
      let start: SQLText
      if let value = try defaultValue(column, data) {
        start = value
      } else if column.type.isList {
        start = "'{}'::\(writer.type(of: column).list)"
      } else if column.type.scalar?.isNumber == true {
        start = "0::\(writer.type(of: column).sql)"
      } else {
        throw steps.error("A new row has no value of \(column.name) that could be changed.")
      }
      return try writer.stepped(steps, from: start, column)
    case nil: return try defaultValue(column, data)
    }
  }

  private func defaultValue(_ column: Column, _ data: InputValue) throws(StatementError) -> SQLText? {
    let path = data.path + [column.name]
    switch column.defaultValue {
    case .value(let node):
      return try InputValue(node, [:], path: path).map { value throws(StatementError) in
        try writer.bind(value, for: column)
      }
    case .expression(let text):
      return try writer.bind(InputValue(writer.context.evaluate(text), path: path), for: column)
    case .sql, nil: return nil
    }
  }

  // MARK: Writing

  private mutating func write(
    _ rows: [Row], into table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText {
    let name = writer.alias()
    var tuples: [SQLText] = []
    for row in rows {
      // Rows without any value take the database's for their key.
      let values = row.values.isEmpty ? ["DEFAULT"] : row.values
      tuples.append("(\(values.joined(", ")))")
    }
    var columns: [SQLText] = rows[0].columns.map { "\(name: $0.sqlName)" }
    if columns.isEmpty { columns = table.columns.prefix(1).map { "\(name: $0.sqlName)" } }
    var returned = table.key.compactMap(table.column)
    for (relation, _) in rows[0].inner {
      let reference = try reference(of: relation)
      returned += reference.targetColumns.compactMap(table.column).filter { !returned.contains($0) }
    }
    let target: SQLText = "\(writer.name(table)) AS \(alias) (\(columns.joined(", ")))"
    let conflict: SQLText = isUpsert ? " ON CONFLICT \(try self.conflict(rows[0], table, alias))" : ""
    let returning = returned.map { writer.column($0, alias) }.joined(", ")
    parts.append(
      "\(name) AS (INSERT INTO \(target) VALUES \(tuples.joined(", "))\(conflict) RETURNING \(returning))")
    for (relation, rows) in rows[0].inner { try insert(rows, behind: relation, of: table, name) }
    return name
  }

  private func conflict(_ row: Row, _ table: Table, _ alias: SQLText) throws(StatementError) -> SQLText {
    let key = table.key.compactMap(table.column)
    let names: [SQLText] = key.map { "\(name: $0.sqlName)" }
    // A row that is not changed returns nothing.
    let changes =
      row.changes.isEmpty ? key.prefix(1).map { "\(name: $0.sqlName) = \(writer.column($0, alias))" } : row.changes
    return "(\(names.joined(", "))) DO UPDATE SET \(changes.joined(", "))"
  }

  /// Rows that lead to one that is inserted.
  private mutating func insert(
    _ rows: [InputValue], behind relation: ReverseRelation, of table: Table, _ name: SQLText
  ) throws(StatementError) {
    let (source, reference) = (try writer.table(relation.source), try reference(of: relation))
    var outer: [(column: Column, value: SQLText)] = []
    for (own, foreign) in zip(reference.columns, reference.targetColumns) {
      guard let column = source.column(own), let target = table.column(foreign) else { continue }
      outer.append((column, "(SELECT \(writer.column(target, name)) FROM \(name))"))
    }
    _ = try insert(rows, into: source, outer: outer)
  }

  private func reference(of relation: ReverseRelation) throws(StatementError) -> Reference {
    guard let reference = try writer.table(relation.source).reference(relation.reference) else {
      throw StatementError("There is no reference \(relation.reference).")
    }
    return reference
  }
}
