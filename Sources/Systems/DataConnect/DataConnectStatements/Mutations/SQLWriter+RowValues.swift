import DataConnectCompiler
import Text

extension SQLWriter {
  private static let suffixes = ["_expr", "_update", "_date", "_time", "_embed"]

  /// Reads a `T_Data`: an unset member is not part of the row, and null is NULL.
  ///
  /// - Throws: `StatementError`, also for expressions and references in a client's value: only the developer may write
  ///   them.
  func row(_ data: InputValue, of table: Table) throws(StatementError) -> RowValues {
    let object = try data.object()
    var row = RowValues()
    for (name, value) in object.members {
      if let column = table.column(name) {
        if value.isNull, isGivenOtherwise(column, object, table) { continue }
        try row.set(column, .fixed(bind(value, for: column)), from: value)
      } else if let relation = table.reverse.first(where: { $0.field == name }) {
        if !value.isNull { row.inner.append((relation, relation.isOne ? [value] : value.elements)) }
      } else if let reference = table.reference(name) {
        try checkOwned(data, name)
        let columns = reference.columns.compactMap(table.column)
        if value.isNull, columns.contains(where: { isGivenOtherwise($0, object, table) }) { continue }
        try set(reference, value, of: table, in: &row)
      } else if let index = name.lastIndex(of: "_"), let column = table.column(String(name[..<index])) {
        try checkOwned(data, name)
        if value.isNull { continue }
        guard let written = try form(String(name[index...]), value, of: column) else { continue }
        try row.set(column, written, from: value)
      } else {
        throw value.error("\(table.name) has no field \(name.shownInMessage()).")
      }
    }
    return row
  }

  /// Null beside another form of the value says nothing, as in filters.
  private func isGivenOtherwise(_ column: Column, _ object: InputObject, _ table: Table) -> Bool {
    let references = table.references.filter { $0.columns.contains(column.name) }.map(\.field)
    let names = references + [column.name] + Self.suffixes.map { column.name + $0 }
    return names.contains { object.given($0) != nil }
  }

  private func checkOwned(_ data: InputValue, _ name: String) throws(StatementError) {
    if data.isFromVariable {
      throw data.error("\(name.shownInMessage()) cannot be given through a variable: it belongs into the operation.")
    }
  }

  /// A value that is not written as such; `nil` where nothing is left of it.
  private func form(
    _ suffix: String, _ value: InputValue, of column: Column
  ) throws(StatementError) -> RowValues.Value? {
    switch (suffix, column.type.scalar) {
    case ("_expr", _): return .fixed(try bind(self.value(ofExpression: value), for: column))
    case ("_date", .date): return .fixed(try relativeDate(value))
    case ("_time", .timestamp): return .fixed(try relativeTimestamp(value))
    case ("_update", _): return try steps(value).isEmpty ? nil : .changed(value)
    case ("_embed", .vector): return .fixed(try bind(embedding: value, for: column))
    default: throw value.error("\(column.name) has no such form.")
    }
  }

  /// The foreign key, by the key of the row that a reference leads to.
  private func set(
    _ reference: Reference, _ value: InputValue, of table: Table, in row: inout RowValues
  ) throws(StatementError) {
    let key = try value.isNull ? [] : values(ofKey: value.object(), of: self.table(reference.target))
    for (own, foreign) in zip(reference.columns, reference.targetColumns) {
      guard let column = table.column(own) else { continue }
      if value.isNull {
        try row.set(column, .fixed(bind(nil, as: type(of: column).sql)), from: value)
      } else if let part = key.first(where: { $0.column.name == foreign }) {
        try row.set(column, .fixed(part.value), from: value)
      } else {
        throw value.error("\(reference.field) leads to \(foreign), which is not part of the key: give \(own).")
      }
    }
  }
}

/// What a `T_Data` says of a row.
struct RowValues {
  enum Value {
    /// What the column has then, whatever it had.
    case fixed(SQLText)
    /// Steps from what the column has: a list of `T_Update` or `T_ListUpdate`.
    case changed(InputValue)
  }

  /// By the names of the columns.
  private(set) var values: [String: Value] = [:]
  /// Rows that lead to this one and are inserted with it.
  var inner: [(relation: ReverseRelation, rows: [InputValue])] = []

  /// - Parameter source: where the value stands.
  mutating func set(_ column: Column, _ value: Value, from source: InputValue) throws(StatementError) {
    guard values.updateValue(value, forKey: column.name) == nil else {
      throw source.error("\(column.name) is given twice.")
    }
  }
}
