package import DataConnectCompiler
import JSON
import Text

extension SQLWriter {
  /// Returns the condition of a `T_Filter`, true for the rows that it selects.
  ///
  /// - Returns: the condition; `nil` when the filter is empty or all its variables are unset. A caller that changes or
  ///   deletes rows must refuse that.
  package func condition(
    _ filter: InputObject, on table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText? {
    try logic(filter) { name, value throws(StatementError) in
      if value.isNull { return nil }
      let object = try value.object()
      if let column = table.column(name) { return try self.condition(object, on: column, alias) }
      if let reference = table.reference(name) {
        return try self.condition(object, behind: reference, of: table, alias)
      }
      if let relation = table.reverse.first(where: { $0.field == name }) {
        return try self.condition(object, on: relation, of: table, alias)
      }
      if let relation = table.joins.first(where: { $0.field == name }) {
        return try self.condition(object, on: relation, of: table, alias)
      }
      throw value.error("\(table.name) has no field \(name.shownInMessage()).")
    }
  }

  /// Returns the condition of a filter object: `_and`, `_or`, `_not` and its other members together.
  ///
  /// Empty parts are ignored, also inside of `_or`; an `_or` without any filter is false.
  func logic(
    _ object: InputObject, _ member: (String, InputValue) throws(StatementError) -> SQLText?
  ) throws(StatementError) -> SQLText? {
    try inside { () throws(StatementError) in
      var parts: [SQLText] = []
      for (name, value) in object.members {
        let part: SQLText?
        switch name {
        case "_and", "_or":
          if value.isNull { continue }
          let filters = value.elements
          var found: [SQLText] = []
          for filter in filters {
            if let condition = try self.logic(filter.object(), member) { found.append(condition) }
          }
          part = name == "_and" ? found.conjunction : filters.isEmpty ? "false" : found.disjunction
        case "_not":
          part = try value.isNull ? nil : self.logic(value.object(), member).map { "NOT (\($0))" }
        default: part = try member(name, value)
        }
        guard let part else { continue }
        try self.spend(part.text.utf8.count)
        parts.append(part)
      }
      return parts.conjunction
    }
  }

  // MARK: Columns

  private func condition(
    _ filter: InputObject, on column: Column, _ alias: SQLText
  ) throws(StatementError) -> SQLText? {
    let (sql, isVector) = (self.column(column, alias), column.type.scalar == .vector)
    let operand = Operand(sql: isVector ? "\(sql)::real[]" : sql, type: type(of: column))
    return column.type.isList ? try listComparison(filter, operand) : try comparison(filter, operand)
  }

  // MARK: Other rows

  /// Conditions on the one row that a reference leads to.
  private func condition(
    _ filter: InputObject, behind reference: Reference, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText? {
    let (target, other) = (try self.table(reference.target), self.alias())
    guard let condition = try condition(filter, on: target, other) else { return nil }
    let match = try match(reference, of: table, alias, other)
    return "EXISTS (SELECT 1 FROM \(name(target)) AS \(other) WHERE \(match) AND \(condition))"
  }

  /// Conditions on the rows that lead back to this one.
  private func condition(
    _ filter: InputObject, on relation: ReverseRelation, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText? {
    let (source, other) = (try self.table(relation.source), self.alias())
    let match = try match(relation, alias, other)
    let rows: SQLText = "\(name(source)) AS \(other)"
    if relation.isOne {
      return try condition(filter, on: source, other).map { "EXISTS (SELECT 1 FROM \(rows) WHERE \(match) AND \($0))" }
    }
    return try counting(filter, of: source, other, rows, match)
  }

  /// Conditions on the rows at the other end of a join table.
  private func condition(
    _ filter: InputObject, on relation: JoinRelation, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText? {
    let (target, other) = (try self.table(relation.target), self.alias())
    let (rows, match) = try joined(relation, alias, other, join: self.alias())
    return try counting(filter, of: target, other, rows, match)
  }

  /// `{count, exist}`: how many rows have to be there, by default at least one, and how they have to be.
  private func counting(
    _ filter: InputObject, of table: Table, _ alias: SQLText, _ rows: SQLText, _ match: SQLText
  ) throws(StatementError) -> SQLText? {
    let exist = filter.given("exist")
    let condition = try exist.flatMap { value throws(StatementError) in
      try self.condition(value.object(), on: table, alias)
    }
    let all = [match, condition].compactMap(\.self).joined(" AND ")
    if exist != nil, condition == nil, filter.given("count") == nil { return nil }
    return try counted(filter, "FROM \(rows) WHERE \(all)")
  }

  /// Returns the condition of `count` on a number of rows.
  func counted(_ filter: InputObject, _ rows: SQLText) throws(StatementError) -> SQLText? {
    guard let count = try filter.given("count")?.object() else { return "EXISTS (SELECT 1 \(rows))" }
    let number = Operand(sql: "(SELECT count(*) \(rows))", type: ParameterType(.int64))
    // Finding one row is faster than counting all.
    if count.members.count == 1, let (name, value) = count.members.first, value.json == 0 {
      switch name {
      case "gt", "ne": return "EXISTS (SELECT 1 \(rows))"
      case "eq", "le": return "NOT EXISTS (SELECT 1 \(rows))"
      default: break
      }
    }
    return try comparison(count, number) ?? "EXISTS (SELECT 1 \(rows))"
  }
}

extension Optional where Wrapped == InputValue {
  fileprivate func flatMap<Result>(
    _ body: (InputValue) throws(StatementError) -> Result?
  ) throws(StatementError) -> Result? {
    if let self { try body(self) } else { nil }
  }
}
