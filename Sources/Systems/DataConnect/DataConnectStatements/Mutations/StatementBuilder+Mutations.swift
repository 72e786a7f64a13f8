package import DataConnectCompiler
import Text

extension StatementBuilder {
  /// Returns the statement of a field of `Mutation`: insert, insertMany, upsert, upsertMany, update, updateMany,
  /// delete, deleteMany, `_execute`, `_executeReturning`, `_executeReturningFirst`.
  ///
  /// The caller has already checked what a client may write through a variable: ``CompiledOperation/checkAllowed(_:)``.
  package static func mutation(
    _ field: CompiledField, _ context: StatementContext
  ) throws(StatementError) -> RootStatement {
    try mutation(field, SQLWriter(context))
  }

  static func mutation(_ field: CompiledField, _ writer: SQLWriter) throws(StatementError) -> RootStatement {
    let arguments = writer.arguments(of: field)
    guard let action = writer.schema.action(ofRootField: field.name) else {
      return try writer.nativeMutation(field.name, arguments)
    }
    guard case .mutation(let kind) = action.kind else {
      throw StatementError("\(field.name.shownInMessage()) is not a field that changes anything.")
    }
    let table = try writer.table(action.table)
    switch kind {
    case .insert, .upsert: return try writer.insertion(arguments, into: table, isUpsert: kind == .upsert)
    case .insertMany, .upsertMany: return try writer.insertions(arguments, into: table, isUpsert: kind == .upsertMany)
    case .update: return try writer.update(arguments, of: table)
    case .updateMany: return try writer.updates(arguments, of: table)
    case .delete: return try writer.deletion(arguments, of: table)
    case .deleteMany: return try writer.deletions(arguments, of: table)
    }
  }
}

extension SQLWriter {
  private func data(_ arguments: InputObject) throws(StatementError) -> InputValue {
    guard let data = arguments.given("data") else { throw arguments.error("The values are missing.") }
    return data
  }

  // MARK: Inserting

  /// Returns the insert of one row, whose output is the row's key.
  fileprivate func insertion(
    _ arguments: InputObject, into table: Table, isUpsert: Bool
  ) throws(StatementError) -> RootStatement {
    var insertion = Insertion(self, isUpsert: isUpsert)
    let name = try insertion.insert([(data(arguments), [])], into: table)[0].name
    let key = try keyObject(of: table, name)
    let inner = try insertion.innerKeys().map { ", \($0)" as SQLText } ?? ""
    return try statement("WITH \(insertion.parts.joined(", ")) SELECT \(key)\(inner) FROM \(name)")
  }

  /// Rows: the statement gives a list of their keys, in their order.
  fileprivate func insertions(
    _ arguments: InputObject, into table: Table, isUpsert: Bool
  ) throws(StatementError) -> RootStatement {
    let rows = try data(arguments).elements
    if rows.isEmpty { return try statement("SELECT '[]'::json") }
    var insertion = Insertion(self, isUpsert: isUpsert)
    let parts = try insertion.insert(rows.map { ($0, []) }, into: table)
    // A part returns its rows in their order: nothing in it is sorted, joined or hashed.
    var keys: [SQLText] = []
    for part in parts {
      let positions = try bind(ArrayText.text(of: part.positions.map { "\($0)" }), as: "int[]")
      let key = try keyObject(of: table, part.name)
      keys.append("SELECT \(key) AS k, (\(positions))[row_number() OVER ()] AS n FROM \(part.name)")
    }
    let all = keys.joined(" UNION ALL ")
    let inner = try insertion.innerKeys().map { ", \($0)" as SQLText } ?? ""
    return try statement(
      "WITH \(insertion.parts.joined(", ")) SELECT json_agg(r.k ORDER BY r.n)\(inner) FROM (\(all)) AS r")
  }

  // MARK: Updating

  /// Returns the update of one row, whose output is the row's new key, or nothing when there is no such row.
  fileprivate func update(_ arguments: InputObject, of table: Table) throws(StatementError) -> RootStatement {
    let row = alias()
    let changes = try changes(data(arguments), of: table, row)
    let condition = try condition(selecting: arguments, of: table, row, isLocking: true)
    let key = try keyObject(of: table, row)
    return try statement(
      "UPDATE \(name(table)) AS \(row) SET \(changes) WHERE \(condition) RETURNING \(key)")
  }

  /// Rows: the statement gives their number.
  fileprivate func updates(_ arguments: InputObject, of table: Table) throws(StatementError) -> RootStatement {
    let row = alias()
    let changes = try changes(data(arguments), of: table, row)
    let condition = try condition(meaning: arguments, of: table, row)
    return try counted("UPDATE \(name(table)) AS \(row) SET \(changes)\(condition)")
  }

  private func changes(_ data: InputValue, of table: Table, _ alias: SQLText) throws(StatementError) -> SQLText {
    let row = try row(data, of: table)
    if let (relation, _) = row.inner.first {
      throw data.error("\(relation.field) can be given where a row is inserted, and not where it is changed.")
    }
    var changes: [SQLText] = []
    for column in table.columns {
      switch row.values[column.name] {
      case .fixed(let value): changes.append("\(name: column.sqlName) = \(value)")
      case .changed(let steps):
        let value = try stepped(steps, from: self.column(column, alias), column)
        changes.append("\(name: column.sqlName) = \(value)")
      case nil: break
      }
    }
    // Where nothing is set, a row is found all the same.
    if changes.isEmpty, let column = table.columns.first {
      changes.append("\(name: column.sqlName) = \(self.column(column, alias))")
    }
    return changes.joined(", ")
  }

  // MARK: Deleting

  /// Returns the deletion of one row, whose output is the row's key, or nothing when there is no such row.
  fileprivate func deletion(_ arguments: InputObject, of table: Table) throws(StatementError) -> RootStatement {
    let row = alias()
    let condition = try condition(selecting: arguments, of: table, row, isLocking: true)
    let key = try keyObject(of: table, row)
    return try statement("DELETE FROM \(name(table)) AS \(row) WHERE \(condition) RETURNING \(key)")
  }

  /// Rows: the statement gives their number.
  fileprivate func deletions(_ arguments: InputObject, of table: Table) throws(StatementError) -> RootStatement {
    let row = alias()
    let condition = try condition(meaning: arguments, of: table, row)
    return try counted("DELETE FROM \(name(table)) AS \(row)\(condition)")
  }

  // MARK: Rows

  private func counted(_ change: SQLText) throws(StatementError) -> RootStatement {
    try statement("WITH c AS (\(change) RETURNING 1) SELECT count(*)::text FROM c")
  }

  /// ` WHERE …`, or nothing for `all: true`.
  ///
  /// - Throws: where nothing says which rows are meant, also because the variables of the condition are not set.
  private func condition(
    meaning arguments: InputObject, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText {
    let isAll = try arguments.given("all")?.truth() ?? false
    guard let filter = arguments.given("where") else {
      if isAll { return "" }
      throw arguments.error("This does not say which rows of \(table.name) are meant: give where, or all.")
    }
    if isAll { throw arguments.error("where and all exclude each other.") }
    guard let condition = try condition(filter.object(), on: table, alias) else {
      throw filter.error("Nothing is left of this condition, which would mean every row of \(table.name).")
    }
    return " WHERE \(condition)"
  }
}
