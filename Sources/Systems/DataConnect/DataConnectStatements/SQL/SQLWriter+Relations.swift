package import DataConnectCompiler

extension SQLWriter {
  /// Returns a condition that is true for rows whose reference refers to a row.
  ///
  /// - Parameters:
  ///   - alias: the rows with the reference.
  ///   - target: the referenced row.
  package func match(
    _ reference: Reference, of table: Table, _ alias: SQLText, _ target: SQLText
  ) throws(StatementError) -> SQLText {
    let other = try self.table(reference.target)
    var parts: [SQLText] = []
    for (own, foreign) in zip(reference.columns, reference.targetColumns) {
      parts.append("\(try column(own, of: table, alias)) = \(try column(foreign, of: other, target))")
    }
    return parts.joined(" AND ")
  }

  /// Returns a condition that is true for rows that refer to a row.
  ///
  /// - Parameters:
  ///   - alias: the referenced row.
  ///   - source: the referring rows.
  package func match(
    _ relation: ReverseRelation, _ alias: SQLText, _ source: SQLText
  ) throws(StatementError) -> SQLText {
    let table = try self.table(relation.source)
    guard let reference = table.reference(relation.reference) else {
      throw StatementError("There is no reference \(relation.reference).")
    }
    return try match(reference, of: table, source, alias)
  }

  /// The rows at the other end of a join table, and that they are those of a row.
  func joined(
    _ relation: JoinRelation, _ alias: SQLText, _ target: SQLText, join: SQLText
  ) throws(StatementError) -> (rows: SQLText, match: SQLText) {
    let table = try self.table(relation.joinTable)
    guard let near = table.reference(relation.near), let far = table.reference(relation.far) else {
      throw StatementError("There is no relation \(relation.field).")
    }
    let other = try self.table(relation.target)
    let end = try match(far, of: table, join, target)
    return (
      "\(name(table)) AS \(join) JOIN \(name(other)) AS \(target) ON \(end)",
      try match(near, of: table, join, alias)
    )
  }
}
