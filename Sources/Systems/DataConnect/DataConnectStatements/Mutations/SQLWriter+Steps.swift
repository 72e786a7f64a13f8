import DataConnectCompiler

extension SQLWriter {
  /// The steps of an `_update` that are set, in order: `[{inc: 1}, {dec: 2}]`.
  ///
  /// - Throws: where one of them says two things.
  func steps(_ value: InputValue) throws(StatementError) -> [(name: String, value: InputValue)] {
    var steps: [(name: String, value: InputValue)] = []
    for element in value.elements where !element.isNull {
      let given = try element.object().members.filter { !$0.value.isNull }
      if given.count > 1 { throw element.error("Only one change can stand here.") }
      steps += given
    }
    return steps
  }

  /// Returns the new value of a column after a relative change. As in SQL, a null number or time stays null; an
  /// addition treats a null list as empty.
  func stepped(_ value: InputValue, from start: SQLText, _ column: Column) throws(StatementError) -> SQLText {
    var current = start
    for (name, step) in try steps(value) {
      current =
        column.type.isList
        ? try changedList(name, step, current, column) : try changed(name, step, current, column)
      try spend(current.text.utf8.count)
    }
    return current
  }

  private func changed(
    _ name: String, _ step: InputValue, _ current: SQLText, _ column: Column
  ) throws(StatementError) -> SQLText {
    guard name == "inc" || name == "dec", let scalar = column.type.scalar else {
      throw step.error("There is no such change.")
    }
    switch scalar {
    case .date: return "(\(current) + \(try duration(step, sign: name == "inc" ? "" : "-")))::date"
    case .timestamp:
      // Days and months are those of UTC, whatever the time zone of the connection.
      let interval = try duration(step, sign: name == "inc" ? "" : "-")
      return "(((\(current)) AT TIME ZONE 'UTC' + \(interval)) AT TIME ZONE 'UTC')"
    case .int, .int64, .float:
      let number = try bind(step, type(of: column))
      return name == "inc" ? "(\(current) + \(number))" : "(\(current) - \(number))"
    default: throw step.error("There is no such change.")
    }
  }

  private func changedList(
    _ name: String, _ step: InputValue, _ current: SQLText, _ column: Column
  ) throws(StatementError) -> SQLText {
    let values = try bind(list: step, type(of: column))
    let rows = alias()
    switch name {
    case "append": return "(\(current) || \(values))"
    case "prepend": return "(\(values) || \(current))"
    case "add":
      return """
        (\(current) || ARRAY(SELECT \(rows).e FROM unnest(\(values)) WITH ORDINALITY AS \(rows)(e, n) \
        WHERE (\(rows).e = ANY (\(current))) IS NOT TRUE GROUP BY \(rows).e ORDER BY min(\(rows).n)))
        """
    case "remove":
      return """
        (CASE WHEN \(current) IS NOT NULL THEN ARRAY(SELECT \(rows).e FROM unnest(\(current)) WITH ORDINALITY \
        AS \(rows)(e, n) WHERE (\(rows).e = ANY (\(values))) IS NOT TRUE ORDER BY \(rows).n) END)
        """
    default: throw step.error("There is no such change.")
    }
  }
}
