package import DataConnectCompiler

extension SQLWriter {
  /// Returns a condition that is true for the one row which `id`, `id_expr`, `key` or `first` of a root field names.
  /// PostgreSQL finds the row by the index of the key.
  ///
  /// A key with a null member matches no row.
  ///
  /// - Parameter isLocking: whether to lock the row that `first` finds against changes before this statement.
  /// - Throws: `StatementError` when none of the arguments is set, or more than one.
  package func condition(
    selecting arguments: InputObject, of table: Table, _ alias: SQLText, isLocking: Bool = false
  ) throws(StatementError) -> SQLText {
    let names = ["id", "id_expr", "key", "first"]
    try arguments.exclude(names)
    for name in names {
      guard let value = arguments[name] else { continue }
      switch name {
      case "id", "id_expr":
        guard let column = table.column("id") else { continue }
        let type = type(of: column)
        let id = name == "id" ? try bind(value, type) : try bind(expression: value, type)
        return "\(self.column(column, alias)) = \(id)"
      case "key": return try value.isNull ? "false" : condition(key: value.object(), of: table, alias)
      default:
        if value.isNull { return "false" }
        let (rows, key) = (self.alias(), try self.key(of: table, alias))
        let found = try first(value.object(), of: table, rows)
        let columns = try self.key(of: table, rows)
        let lock: SQLText = isLocking ? " FOR UPDATE" : ""
        return "(\(key)) = (SELECT \(columns) FROM \(self.name(table)) AS \(rows)\(found)\(lock))"
      }
    }
    throw arguments.error("This does not say which row of \(table.name) is meant.")
  }

  /// Returns a condition that is true for the row with the key in a `T_Key`.
  ///
  /// - Throws: `StatementError` when a part of the key is missing.
  package func condition(
    key: InputObject, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText {
    var parts: [SQLText] = []
    for (column, value) in try values(ofKey: key, of: table) {
      parts.append("\(self.column(column, alias)) = \(value)")
    }
    return parts.joined(" AND ")
  }

  /// The values of a `T_Key`, bound, by the columns of the key.
  package func values(
    ofKey key: InputObject, of table: Table
  ) throws(StatementError) -> [(column: Column, value: SQLText)] {
    var values: [(Column, SQLText)] = []
    for name in table.key {
      guard let column = table.column(name) else { continue }
      try key.exclude([name, "\(name)_expr", "\(name)_date", "\(name)_time"])
      let type = type(of: column)
      if let value = key.given("\(name)_expr") {
        values.append((column, try bind(expression: value, type)))
      } else if let value = key.given("\(name)_date") {
        values.append((column, try relativeDate(value)))
      } else if let value = key.given("\(name)_time") {
        values.append((column, try relativeTimestamp(value)))
      } else if let value = key[name] {
        values.append((column, try bind(value, type)))
      } else {
        throw key.error("The key of \(table.name) lacks \(name).")
      }
    }
    return values
  }

  /// The columns of the key: `t0."movie_id", t0."user_id"`.
  package func key(of table: Table, _ alias: SQLText) throws(StatementError) -> SQLText {
    var columns: [SQLText] = []
    for name in table.key { columns.append(try column(name, of: table, alias)) }
    return columns.joined(", ")
  }

  /// Returns the clauses of a `T_FirstRow`: ` WHERE … ORDER BY … LIMIT 1`.
  func first(
    _ object: InputObject, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText {
    let filter: SQLText? =
      if let value = object.given("where") { try condition(value.object(), on: table, alias) } else { nil }
    let order = try order(object.given("orderBy"), of: table, alias)
    return "\(filter.map { " WHERE \($0)" } ?? "")\(order.map { " ORDER BY \($0)" } ?? "") LIMIT 1"
  }
}
