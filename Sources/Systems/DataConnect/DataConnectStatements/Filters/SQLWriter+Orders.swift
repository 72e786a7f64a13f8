package import DataConnectCompiler
import JSON
import Text

/// One term of an order.
struct OrderTerm {
  let sql: SQLText
  let descends: Bool
  /// The columns of the rows themselves that it depends on; `nil` for an aggregate.
  let columns: [String]?
  /// Whether the term is one of these columns itself.
  var isColumn = false

  var text: SQLText { descends ? "\(sql) DESC" : sql }
}

extension SQLWriter {
  /// Returns the terms of `orderBy`, followed by the key so that the order is always the same: `t0."title" DESC,
  /// t0."id"`.
  ///
  /// - Returns: the terms; `nil` for a view without an order.
  package func order(
    _ value: InputValue?, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText? {
    let terms = try orderTerms(value, of: table, alias)
    if terms.contains(where: { $0.columns == nil }) {
      throw StatementError("Single rows cannot be ordered by what is computed of several.", path: value?.path ?? [])
    }
    return try (terms + keyTerms(of: table, alias, beside: terms)).text
  }

  /// The key, without what rows are ordered by already; of a view, which has none, every column that has an order.
  func keyTerms(
    of table: Table, _ alias: SQLText, beside terms: [OrderTerm]
  ) throws(StatementError) -> [OrderTerm] {
    let names =
      table.isView ? table.columns.filter { !$0.type.isList && $0.type.scalar != .vector }.map(\.name) : table.key
    var found: [OrderTerm] = []
    for name in names where !terms.contains(where: { $0.isColumn && $0.columns == [name] }) {
      found.append(
        OrderTerm(sql: try column(name, of: table, alias), descends: false, columns: [name], isColumn: true))
    }
    return found
  }

  /// Returns the terms of a list of `T_Order`; a single object counts as a list of one.
  func orderTerms(
    _ value: InputValue?, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> [OrderTerm] {
    guard let value, !value.isNull else { return [] }
    var terms: [OrderTerm] = []
    for element in value.elements where !element.isNull {
      try terms += self.terms(element.object(), of: table, alias)
    }
    return terms
  }

  private func terms(
    _ object: InputObject, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> [OrderTerm] {
    try inside { () throws(StatementError) in
      var terms: [OrderTerm] = []
      for (name, value) in object.members where !value.isNull {
        if let column = table.column(name) {
          terms.append(
            OrderTerm(
              sql: self.column(column, alias), descends: try self.descends(value), columns: [name], isColumn: true))
        } else if let reference = table.reference(name) {
          terms += try self.terms(value.object(), behind: reference, of: table, alias)
        } else if let aggregate = table.aggregates.first(where: { $0.name == name }) {
          let sql = try self.value(of: aggregate, table, alias, isDistinct: false)
          terms.append(OrderTerm(sql: sql, descends: try self.descends(value), columns: nil))
        } else {
          throw value.error("\(table.name) cannot be ordered by \(name.shownInMessage()).")
        }
      }
      for term in terms { try self.spend(term.sql.text.utf8.count) }
      return terms
    }
  }

  /// Returns terms that order by the row of a reference.
  private func terms(
    _ object: InputObject, behind reference: Reference, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> [OrderTerm] {
    let (target, other) = (try self.table(reference.target), self.alias())
    let match = try match(reference, of: table, alias, other)
    return try terms(object, of: target, other).map { term in
      OrderTerm(
        sql: "(SELECT \(term.sql) FROM \(name(target)) AS \(other) WHERE \(match))", descends: term.descends,
        columns: reference.columns)
    }
  }

  private func descends(_ value: InputValue) throws(StatementError) -> Bool {
    switch value.json {
    case "ASC": false
    case "DESC": true
    default: throw value.error("This has to be ASC or DESC.")
    }
  }
}

extension [OrderTerm] {
  /// `nil` for none.
  var text: SQLText? { isEmpty ? nil : map(\.text).joined(", ") }
}
