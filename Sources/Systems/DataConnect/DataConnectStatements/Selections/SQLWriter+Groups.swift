import DataConnectCompiler

/// Rows that are put together by the columns that are selected of them.
struct RowGroup {
  /// The text after `SELECT`.
  let columns: SQLText
  /// The text after `GROUP BY`; `nil` when all rows are one group.
  let by: SQLText?
  /// The columns by which rows are grouped.
  let names: [String]
  /// The groups as a selection sees them.
  let rows: SelectedRows
}

extension SQLWriter {
  /// Groups rows for a selection.
  ///
  /// - Parameters:
  ///   - alias: the rows.
  ///   - outer: the groups.
  func group(
    _ selection: [Selected], of table: Table, _ alias: SQLText, as outer: SQLText
  ) throws(StatementError) -> RowGroup {
    let names = try columns(for: selection, of: table)
    var (by, columns): ([SQLText], [SQLText]) = ([], [])
    for name in names { by.append(try column(name, of: table, alias)) }
    columns = by
    var rows = SelectedRows(table: table, alias: outer)
    for selected in selection {
      guard case .aggregate(let aggregate) = selected.kind else { continue }
      let isDistinct = try arguments(of: selected.field).given("distinct")?.truth() ?? false
      // No column has such a name, unless its developer is bent on it.
      let name = SQLText.name("#\(rows.aggregates.count)")
      columns.append("\(try value(of: aggregate, table, alias, isDistinct: isDistinct)) AS \(name)")
      rows.aggregates[selected.field.responseName] = "\(outer).\(name)"
    }
    return RowGroup(
      columns: columns.joined(", "), by: by.isEmpty ? nil : by.joined(", "), names: names, rows: rows)
  }
}
