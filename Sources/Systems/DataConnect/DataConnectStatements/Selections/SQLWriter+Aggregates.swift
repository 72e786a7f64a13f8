import DataConnectCompiler
import Text

extension SQLWriter {
  /// Returns an aggregate of a group of rows, in the database's type.
  func value(
    of aggregate: Aggregate, _ table: Table, _ alias: SQLText, isDistinct: Bool
  ) throws(StatementError) -> SQLText {
    guard let name = aggregate.column, let column = table.column(name) else { return "count(*)" }
    let value = self.column(column, alias)
    let distinct: SQLText = isDistinct && aggregate.takesDistinct ? "DISTINCT " : ""
    switch aggregate.function {
    case .count: return "count(\(distinct)\(value))"
    case .sum: return "sum(\(distinct)\(value))"
    case .avg: return "avg(\(distinct)\(value))"
    case .min, .max:
      // JSON has an order, but no aggregates for it.
      if column.type.scalar == .any {
        let order: SQLText = aggregate.function == .max ? " DESC" : ""
        return "(array_agg(\(value) ORDER BY \(value)\(order)) FILTER (WHERE \(value) IS NOT NULL))[1]"
      }
      return aggregate.function == .min ? "min(\(value))" : "max(\(value))"
    }
  }

  /// Returns the type of the values that an aggregate is compared with.
  func type(of aggregate: Aggregate) -> ParameterType {
    let name = aggregate.type.hasSuffix("!") ? String(aggregate.type.dropLast()) : aggregate.type
    let scalar = DataScalar(rawValue: name) ?? .any
    // Sums and numbers of rows may be greater than what they are made of.
    return ParameterType(.scalar(scalar), sql: scalar.isNumber ? "numeric" : SQLText(trusted: scalar.sqlType))
  }

  /// Returns the condition of a `T_Having` on a group of rows; `nil` for an empty one.
  func having(
    _ filter: InputObject, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText? {
    let isDistinct = try filter.given("_distinct")?.truth() ?? false
    return try logic(filter) { name, value throws(StatementError) in
      if value.isNull || name == "_distinct" { return nil }
      guard let aggregate = table.aggregates.first(where: { $0.name == name }) else {
        throw value.error("\(table.name) has no aggregate \(name.shownInMessage()).")
      }
      let sql = try self.value(of: aggregate, table, alias, isDistinct: isDistinct)
      return try self.comparison(value.object(), Operand(sql: sql, type: self.type(of: aggregate)))
    }
  }
}
