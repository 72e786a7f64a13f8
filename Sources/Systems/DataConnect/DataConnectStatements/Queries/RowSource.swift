import DataConnectCompiler

/// The source of a list's rows.
struct RowSource {
  let table: Table
  /// The alias of the rows.
  let alias: SQLText
  /// The text after `FROM`.
  let from: SQLText
  /// The conditions on the rows besides those of the arguments.
  var conditions: [SQLText] = []
  /// The table of the arguments `where`, `orderBy` and `having`, and its rows; a join table for rows that are found
  /// through one.
  let argumentTable: Table
  let argumentAlias: SQLText
  /// How well they fit, where that is their order.
  var measure: Measure?

  /// A number beside the columns of a row.
  struct Measure {
    enum Kind: String { case relevance, distance }
    let kind: Kind
    let sql: SQLText
  }

  init(
    table: Table, alias: SQLText, from: SQLText, conditions: [SQLText], argumentTable: Table, argumentAlias: SQLText
  ) {
    (self.table, self.alias, self.from, self.conditions) = (table, alias, from, conditions)
    (self.argumentTable, self.argumentAlias) = (argumentTable, argumentAlias)
  }

  /// The rows of a table.
  init(_ table: Table, _ writer: SQLWriter) {
    let alias = writer.alias()
    self.init(
      table: table, alias: alias, from: "\(writer.name(table)) AS \(alias)", conditions: [], argumentTable: table,
      argumentAlias: alias)
  }
}
