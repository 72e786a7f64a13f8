import DataConnectCompiler
import JSON

/// A row that is ready to be inserted.
struct InsertedRow {
  /// Rows that lead to this one.
  struct Inner {
    let relation: ReverseRelation
    let rows: [InputValue]
    /// The foreign key of the nested rows; `nil` when it is known only after this row is inserted.
    let outer: [Insertion.Cell]?
  }

  /// The values by the names of the columns. Other columns get the database's default, or NULL.
  let values: [String: SQLText]
  /// The assignments for an existing row with the same key.
  let changes: [SQLText]
  let inner: [Inner]
}

extension SQLWriter {
  func insertedRow(
    _ source: Insertion.Source, into table: Table, _ alias: SQLText, isUpsert: Bool
  ) throws(StatementError) -> InsertedRow {
    let data = source.data
    var row = try row(data, of: table)
    for (column, value) in source.outer {
      guard row.values[column.name] == nil else {
        throw data.error("\(column.name) is that of the row around it.")
      }
      try row.set(column, .fixed(value), from: data)
    }
    var (values, changes): ([String: SQLText], [SQLText]) = ([:], [])
    // What the row has then, also where it was there before.
    var known: [String: SQLText] = [:]
    for column in table.columns {
      guard let value = try inserted(row.values[column.name], column, data) else { continue }
      values[column.name] = value
      try spend(value.text.utf8.count)
      if !isUpsert || table.key.contains(column.name) {
        known[column.name] = value
        continue
      }
      switch row.values[column.name] {
      case .fixed:
        known[column.name] = value
        changes.append("\(name: column.sqlName) = EXCLUDED.\(name: column.sqlName)")
      case .changed(let steps):
        let changed = try stepped(steps, from: self.column(column, alias), column)
        changes.append("\(name: column.sqlName) = \(changed)")
      // A default is for rows that are inserted.
      case nil: break
      }
    }
    var inner: [InsertedRow.Inner] = []
    for (relation, rows) in row.inner {
      inner.append(InsertedRow.Inner(relation: relation, rows: rows, outer: try foreignKey(relation, known)))
    }
    return InsertedRow(values: values, changes: changes, inner: inner)
  }

  /// The foreign key of rows that lead to one with these values.
  private func foreignKey(
    _ relation: ReverseRelation, _ known: [String: SQLText]
  ) throws(StatementError) -> [Insertion.Cell]? {
    let (source, reference) = try reference(of: relation)
    var cells: [Insertion.Cell] = []
    for (own, foreign) in zip(reference.columns, reference.targetColumns) {
      guard let column = source.column(own), let value = known[foreign] else { return nil }
      cells.append((column, value))
    }
    return cells
  }

  func reference(of relation: ReverseRelation) throws(StatementError) -> (table: Table, reference: Reference) {
    let table = try table(relation.source)
    guard let reference = table.reference(relation.reference) else {
      throw StatementError("There is no reference \(relation.reference).")
    }
    return (table, reference)
  }

  // MARK: Values

  /// Returns the value of a new row's column; `nil` for the database's default or NULL.
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
        start = "'{}'::\(type(of: column).list)"
      } else if column.type.scalar?.isNumber == true {
        start = "0::\(type(of: column).sql)"
      } else {
        throw steps.error("A new row has no value of \(column.name) that could be changed.")
      }
      return try stepped(steps, from: start, column)
    case nil: return try defaultValue(column, data)
    }
  }

  private func defaultValue(_ column: Column, _ data: InputValue) throws(StatementError) -> SQLText? {
    let path = data.path + [column.name]
    switch column.defaultValue {
    case .value(let node):
      guard let value = InputValue(node, [:], path: path) else { return nil }
      return try bind(value, for: column)
    case .expression(let text):
      return try bind(value(ofExpression: text, at: path), for: column)
    case .sql, nil: return nil
    }
  }
}
