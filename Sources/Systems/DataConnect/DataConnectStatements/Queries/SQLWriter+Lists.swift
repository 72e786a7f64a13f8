import DataConnectCompiler

extension SQLWriter {
  /// Rows as a list of objects: `SELECT coalesce(json_agg(…), '[]') FROM (…)`.
  ///
  /// The rows are found, ordered and cut first; then everything that is selected of each is looked up.
  func list(
    _ fields: [CompiledField], _ arguments: InputObject, of source: RowSource
  ) throws(StatementError) -> SQLText {
    try inside { () throws(StatementError) in
      let selection = try self.selection(fields, of: source.table)
      var terms = try self.orderTerms(arguments.given("orderBy"), of: source.argumentTable, source.argumentAlias)
      let having: SQLText? =
        if let value = arguments.given("having") {
          try self.having(value.object(), of: source.argumentTable, source.argumentAlias)
        } else { nil }
      let isDistinct = try arguments.given("distinct")?.truth() ?? false
      let isGrouped =
        isDistinct || having != nil || selection.contains(where: \.isAggregate)
        || terms.contains { $0.columns == nil }
      var conditions = try self.conditions(source, arguments)
      // Rows that nobody orders come as they were inserted, as in the public service.
      let isByInsertion = terms.isEmpty && source.measure == nil && !isGrouped && !source.argumentTable.isView
      if isByInsertion, conditions.isEmpty {
        // The scan of a table is in the order of positions and ends at the limit, where a sort would read the whole table.
        // No index has the position, which therefore cannot stand in for the table.
        conditions = ["\(source.argumentAlias).ctid >= '(0,0)'::tid"]
      } else if isByInsertion {
        terms = [OrderTerm(sql: "\(source.argumentAlias).ctid", descends: false, columns: [])]
      } else if !isGrouped, source.measure == nil {
        terms += try keyTerms(of: source.argumentTable, source.argumentAlias, beside: terms)
      }
      let found: SQLText = conditions.conjunction.map { " FROM \(source.from) WHERE \($0)" } ?? " FROM \(source.from)"
      let cut = try self.cut(arguments)
      let outer = self.alias()
      if !isGrouped {
        return try self.plain(selection, source, found, terms, cut, as: outer)
      }
      return try self.grouped(selection, source, found, having, terms, cut, as: outer)
    }
  }

  private func plain(
    _ selection: [Selected], _ source: RowSource, _ found: SQLText, _ terms: [OrderTerm], _ cut: SQLText,
    as outer: SQLText
  ) throws(StatementError) -> SQLText {
    var rows = SelectedRows(table: source.table, alias: outer)
    var (columns, terms): (SQLText, [OrderTerm]) = ("\(source.alias).*", terms)
    if let measure = source.measure {
      columns = "\(columns), \(measure.sql) AS \"#\""
      // Added to 0, what is -0 is 0.
      rows.measure = RowSource.Measure(kind: measure.kind, sql: "\(outer).\"#\" + 0")
      terms = [OrderTerm(sql: "\"#\"", descends: measure.kind == .relevance, columns: [])]
      terms += try keyTerms(of: source.argumentTable, source.argumentAlias, beside: terms)
    }
    let order: SQLText = terms.text.map { " ORDER BY \($0)" } ?? ""
    let object = try object(selection, of: rows)
    return "\(Self.list(of: object)) FROM (SELECT \(columns)\(found)\(order)\(cut)) AS \(outer)"
  }

  private func grouped(
    _ selection: [Selected], _ source: RowSource, _ found: SQLText, _ having: SQLText?, _ terms: [OrderTerm],
    _ cut: SQLText, as outer: SQLText
  ) throws(StatementError) -> SQLText {
    let group = try group(selection, of: source.table, source.alias, as: outer)
    let isOwn = source.alias == source.argumentAlias
    var ordered: [SQLText] = []
    for term in terms {
      let isGrouped = term.columns.map { isOwn && $0.allSatisfy(group.names.contains) } ?? true
      // Of a group, what would come first.
      let value: SQLText = isGrouped ? term.sql : "(array_agg(\(term.sql) ORDER BY \(term.text)))[1]"
      ordered.append(term.descends ? "\(value) DESC" : value)
    }
    for name in group.names where !terms.contains(where: { isOwn && $0.isColumn && $0.columns == [name] }) {
      ordered.append(try column(name, of: source.table, source.alias))
    }
    var clauses: SQLText = group.by.map { "\(found) GROUP BY \($0)" } ?? found
    if let having { clauses = "\(clauses) HAVING \(having)" }
    if !ordered.isEmpty { clauses = "\(clauses) ORDER BY \(ordered.joined(", "))" }
    let object = try object(selection, of: group.rows)
    return "\(Self.list(of: object)) FROM (SELECT \(group.columns)\(clauses)\(cut)) AS \(outer)"
  }

  private static func list(of object: SQLText) -> SQLText { "SELECT coalesce(json_agg(\(object)), '[]'::json)" }

  /// The conditions of the rows' source and of `where`.
  private func conditions(_ source: RowSource, _ arguments: InputObject) throws(StatementError) -> [SQLText] {
    guard let filter = arguments.given("where") else { return source.conditions }
    let condition = try condition(filter.object(), on: source.argumentTable, source.argumentAlias)
    return source.conditions + [condition].compactMap(\.self)
  }

  /// Returns ` LIMIT … OFFSET …`. The default limit is 100, and a higher one than the most rows counts as that.
  private func cut(_ arguments: InputObject) throws(StatementError) -> SQLText {
    let limit = try number(arguments.given("limit"), upTo: Int(Int32.max), cutTo: context.limits.rows) ?? "100"
    let offset = try number(arguments.given("offset"), upTo: Int(Int32.max)).map { " OFFSET \($0)" as SQLText }
    return " LIMIT \(limit)\(offset ?? "")"
  }

  /// Returns a number: written into the text when it is from the operation, bound when it is from a client.
  private func number(_ value: InputValue?, upTo limit: Int, cutTo most: Int = .max) throws(StatementError) -> SQLText?
  {
    guard let value else { return nil }
    let number = { @Sendable (value: InputValue) throws(StatementError) -> Int in
      let given = Int(try value.integer())
      guard (0...limit).contains(given) else { throw value.error("This has to be a number from 0 to \(limit).") }
      return min(given, most)
    }
    guard value.isFromVariable else { return "\(try number(value))" }
    return try bind(value, as: "bigint") { value throws(StatementError) in "\(try number(value))" }
  }
}
