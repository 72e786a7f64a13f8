import DataConnectCompiler

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
