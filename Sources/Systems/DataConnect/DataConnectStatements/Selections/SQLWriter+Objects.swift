import DataConnectCompiler

/// Rows as a selection sees them.
struct SelectedRows {
  let table: Table
  let alias: SQLText
  /// The values of the aggregates, by the names in the response.
  var aggregates: [String: SQLText] = [:]
  /// The measure of how well a row matches a search.
  var measure: RowSource.Measure?
}

extension SQLWriter {
  /// A row as an object with what is selected of it, in order.
  func object(_ selection: [Selected], of rows: SelectedRows) throws(StatementError) -> SQLText {
    try inside { () throws(StatementError) in
      var members: [(name: String, value: SQLText)] = []
      for selected in selection {
        members.append((selected.field.responseName, try self.value(of: selected, rows)))
      }
      return try self.object(members)
    }
  }

  private func value(of selected: Selected, _ rows: SelectedRows) throws(StatementError) -> SQLText {
    let field = selected.field
    switch selected.kind {
    case .column(let column): return output(column, rows.alias)
    case .reference(let reference):
      let (table, alias) = (try self.table(reference.target), self.alias())
      let match = try match(reference, of: rows.table, rows.alias, alias)
      return "(\(try one(field.fields, of: table, alias, " WHERE \(match)")))"
    case .reverse(let relation): return "(\(try reverse(relation, field, rows)))"
    case .join(let relation):
      let (target, join) = (self.alias(), self.alias())
      let (from, match) = try joined(relation, rows.alias, target, join: join)
      let source = RowSource(
        table: try table(relation.target), alias: target, from: from, conditions: [match],
        argumentTable: try table(relation.joinTable), argumentAlias: join)
      return "(\(try list(field.fields, arguments(of: field), of: source)))"
    case .aggregate(let aggregate):
      guard let value = rows.aggregates[field.responseName] else {
        throw StatementError("\(field.name) is not there for single rows.")
      }
      return output(value, aggregate)
    case .identifier: return try identifier(of: rows.table, rows.alias)
    case .metadata: return try metadata(field, rows)
    case .typeName: return .literal(rows.table.name)
    }
  }

  private func reverse(
    _ relation: ReverseRelation, _ field: CompiledField, _ rows: SelectedRows
  ) throws(StatementError) -> SQLText {
    var source = RowSource(try table(relation.source), self)
    let match = try match(relation, rows.alias, source.alias)
    if relation.isOne {
      // That a view has one row for each is only what its schema says.
      let limit: SQLText = source.table.isView ? " LIMIT 1" : ""
      return try one(field.fields, of: source.table, source.alias, " WHERE \(match)\(limit)")
    }
    source.conditions = [match]
    return try list(field.fields, arguments(of: field), of: source)
  }

  private func metadata(_ field: CompiledField, _ rows: SelectedRows) throws(StatementError) -> SQLText {
    var members: [(name: String, value: SQLText)] = []
    for inner in field.fields where try includes(inner) {
      let value: SQLText
      switch inner.name {
      case "__typename": value = .literal("_Metadata")
      case rows.measure?.kind.rawValue: value = rows.measure?.sql ?? "NULL"
      default: value = "NULL"
      }
      members.append((inner.responseName, value))
    }
    return try object(members)
  }

  // MARK: Single rows

  /// Returns a query for one row as an object: `SELECT … FROM … WHERE …`. It returns no row when there is none.
  ///
  /// - Parameter clauses: the clauses that select the row.
  func one(
    _ fields: [CompiledField], of table: Table, _ alias: SQLText, _ clauses: SQLText
  ) throws(StatementError) -> SQLText {
    let selection = try selection(fields, of: table)
    let from: SQLText = "\(name(table)) AS \(alias)"
    if !selection.contains(where: \.isAggregate) {
      return "SELECT \(try object(selection, of: SelectedRows(table: table, alias: alias))) FROM \(from)\(clauses)"
    }
    // What is computed of one row is computed of a group of one; without a row there is no group.
    let (inner, outer) = (self.alias(), self.alias())
    let rows: SQLText = "(SELECT \(alias).* FROM \(from)\(clauses)) AS \(inner)"
    let group = try group(selection, of: table, inner, as: outer)
    let having: SQLText = "\(group.by.map { " GROUP BY \($0)" } ?? "") HAVING count(*) > 0"
    return
      "SELECT \(try object(selection, of: group.rows)) FROM (SELECT \(group.columns) FROM \(rows)\(having)) AS \(outer)"
  }

  /// Returns the condition of the arguments `id`, `key` or `first`.
  func lookup(
    _ fields: [CompiledField], _ arguments: InputObject, of table: Table
  ) throws(StatementError) -> SQLText {
    let alias = self.alias()
    let others = ["id", "id_expr", "key"].allSatisfy { arguments[$0] == nil }
    if others, let row = arguments.given("first") {
      return try one(fields, of: table, alias, first(row.object(), of: table, alias))
    }
    let condition = try condition(selecting: arguments, of: table, alias)
    return try one(fields, of: table, alias, " WHERE \(condition)")
  }
}
