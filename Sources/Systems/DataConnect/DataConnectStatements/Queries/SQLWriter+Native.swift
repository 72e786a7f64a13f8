import JSON

extension SQLWriter {
  /// Returns the query around a developer's own statement: its rows as a list of objects up to the limit, or only the
  /// first one.
  ///
  /// The developer's statement is nested in a SELECT, so PostgreSQL only accepts one that reads.
  func native(_ arguments: InputObject, isFirst: Bool) throws(StatementError) -> SQLText {
    let sql = try nativeText(arguments)
    try bind(nativeParameters: arguments)
    // The line break ends a comment at the end of the statement. Without the star, a column with the name of the rows
    // would be selected.
    if isFirst { return "SELECT to_json(r.*) FROM (\(sql)\n) AS r LIMIT 1" }
    let rows: SQLText = "SELECT * FROM (\(sql)\n) AS r LIMIT \(context.limits.rows)"
    return "SELECT coalesce(json_agg(to_json(r.*)), '[]'::json) FROM (\(rows)) AS r"
  }

  /// Returns the statement in the argument `sql` of the operation, without its final semicolon.
  package func nativeText(_ arguments: InputObject) throws(StatementError) -> SQLText {
    guard let value = arguments.given("sql") else { throw arguments.error("There is no statement.") }
    var text = Substring(try value.ownText())
    while let last = text.last, last.isWhitespace || last == ";" { text.removeLast() }
    return SQLText(trusted: String(text))
  }

  /// Binds `params` as `$1` and so on; nothing may be bound before.
  ///
  /// `{_expr: "auth.uid"}` in the operation is the value of the expression. The types are those that the statement wants:
  /// a list of scalars is an array, an object and a list with objects in it are JSON.
  package func bind(nativeParameters arguments: InputObject) throws(StatementError) {
    guard let value = arguments.given("params") else { return }
    guard parameters.isEmpty else { throw value.error("The values of a statement have to be the first.") }
    for element in value.elements {
      var element = element
      if element.isWrittenObject {
        let object = try element.object()
        if object.members.count == 1, let expression = object["_expr"] {
          element = try self.value(ofExpression: expression)
        }
      }
      _ = try bind(element, as: nil) { value throws(StatementError) in Self.nativeParameter(value.json) }
    }
  }

  private static func nativeParameter(_ value: JSONValue) -> String? {
    switch value {
    case .null: return nil
    case .string(let text): return text
    case .array(let values):
      let isJSON = values.contains { $0.objectValue != nil || $0.arrayValue != nil }
      return isJSON ? value.description : ArrayText.text(of: values.map(nativeParameter))
    default: return value.description
    }
  }
}
