import DataConnectCompiler

/// The rows that a list is made of.
struct RowSource {
  let table: Table
  /// What they are called where they are found.
  let alias: SQLText
  /// What stands behind `FROM`.
  let from: SQLText
  /// What has to be true of them beside the arguments.
  var conditions: [SQLText] = []
  /// The table that the arguments `where`, `orderBy` and `having` are about, and its rows: those of a join table for what
  /// is found through it.
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
