package import DataConnectCompiler
package import JSON
import Text

extension CompiledOperation {
  /// Refuses what a client must not write through the variables with `@allow`: other fields, and more rows.
  ///
  /// - Parameter values: the variables that are set.
  /// - Throws: with the variable at the start of the path.
  package func checkAllowed(_ values: JSONObject) throws(StatementError) {
    for variable in variables {
      guard let rule = variable.allowed, let value = values[variable.name], !value.isNull else { continue }
      if let most = rule.maxCount, let rows = value.arrayValue, rows.count > most {
        throw StatementError(
          "$\(variable.name) has \(rows.count) rows, and \(most) at most are allowed.", path: [variable.name])
      }
      try Self.check(value, rule.fields ?? [], [variable.name])
    }
  }

  /// A row, or a list of rows.
  private static func check(
    _ value: JSONValue, _ fields: [AllowedField], _ path: [String]
  ) throws(StatementError) {
    if let rows = value.arrayValue {
      for (index, row) in rows.enumerated() { try check(row, fields, path + ["\(index)"]) }
    } else if let row = value.objectValue {
      for (name, value) in row {
        guard let field = fields.first(where: { $0.name == name }) else {
          throw StatementError(
            "\(name.shownInMessage()) must not be written through $\(path[0]).", path: path + [name])
        }
        if !field.fields.isEmpty { try check(value, field.fields, path + [name]) }
      }
    }
  }
}
