import DataConnectCompiler
import JSONRPC
import Spelling

/// The rule that `@allow` is: what a client may write through a variable that holds rows.
enum AllowedData {
  /// - Returns: what the value has that it may not have; `nil` when it is allowed.
  static func fault(of value: JSONValue, _ variable: CompiledVariable) -> String? {
    guard let rule = variable.allowed else { return nil }
    if case .array(let rows) = value, let most = rule.maxCount, rows.count > most {
      return "$\(variable.name) has \(rows.count) rows, and may have \(most)."
    }
    // Where nothing is said, nothing is allowed.
    guard let name = forbidden(value, rule.fields ?? [], "") else { return nil }
    return "$\(variable.name) may not have \"\(name.shownInMessage())\"."
  }

  /// The path of the first field that is not among those that may be there.
  private static func forbidden(_ value: JSONValue, _ allowed: [AllowedField], _ path: String) -> String? {
    switch value {
    case .array(let values):
      for value in values { if let found = forbidden(value, allowed, path) { return found } }
      return nil
    case .object(let fields):
      for (name, value) in fields {
        guard let field = allowed.first(where: { $0.name == name }) else { return path + name }
        if field.fields.isEmpty { continue }
        if let found = forbidden(value, field.fields, "\(path)\(name).") { return found }
      }
      return nil
    default: return nil
    }
  }
}
