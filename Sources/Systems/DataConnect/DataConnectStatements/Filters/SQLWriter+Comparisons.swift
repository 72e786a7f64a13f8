import DataConnectCompiler
import JSON
import Text

/// The left side of a comparison: a column, an aggregate, or an element of a list.
struct Operand {
  let sql: SQLText
  /// The type of the values on the right side; for a list, that of its elements.
  let type: ParameterType
}

extension SQLWriter {
  private static let operators: [String: SQLText] = [
    "eq": "=", "ne": "<>", "gt": ">", "ge": ">=", "lt": "<", "le": "<=",
  ]
  private static let variants = ["", "_expr", "_date", "_time"]

  /// Returns the condition of a filter of a scalar or an enumeration; `nil` for an empty filter.
  ///
  /// `eq: null` means `IS NULL` and `ne: null` means `IS NOT NULL`. Any other comparison with null is true for no row,
  /// as in SQL. The same holds for an expression whose value is null: otherwise a caller without an account would match
  /// rows without an owner.
  func comparison(_ filter: InputObject, _ operand: Operand) throws(StatementError) -> SQLText? {
    for name in Self.operators.keys { try filter.exclude(Self.variants.map { name + $0 }) }
    var parts: [SQLText] = []
    for (name, value) in filter.members {
      if let part = try comparison(name, value, operand) { parts.append(part) }
    }
    return parts.conjunction
  }

  private func comparison(
    _ name: String, _ value: InputValue, _ operand: Operand
  ) throws(StatementError) -> SQLText? {
    if let sign = Self.operators[name] {
      if value.isNull, name == "eq" { return "\(operand.sql) IS NULL" }
      if value.isNull, name == "ne" { return "\(operand.sql) IS NOT NULL" }
      return "\(operand.sql) \(sign) \(try bind(value, operand.type))"
    }
    if let index = name.lastIndex(of: "_"), let sign = Self.operators[String(name[..<index])] {
      if value.isNull { return nil }
      return "\(operand.sql) \(sign) \(try variant(String(name[index...]), value, operand.type))"
    }
    let isVector = operand.type.base == .scalar(.vector)
    switch name {
    case "isNull":
      if value.isNull { return nil }
      return try value.truth() ? "\(operand.sql) IS NULL" : "\(operand.sql) IS NOT NULL"
    case "in" where isVector, "nin" where isVector:
      // Arrays of arrays are something else to PostgreSQL.
      var equal: [SQLText] = ["false"]
      for vector in value.elements { equal.append("\(operand.sql) = \(try bind(vector, operand.type))") }
      let isIn: SQLText = "(\(equal.joined(" OR ")))"
      return name == "in" ? isIn : "NOT \(isIn)"
    case "in": return "\(operand.sql) = ANY (\(try bind(list: value, operand.type)))"
    case "nin": return "\(operand.sql) <> ALL (\(try bind(list: value, operand.type)))"
    case "contains": return try like(operand, value, before: "%", behind: "%")
    case "startsWith": return try like(operand, value, before: "", behind: "%")
    case "endsWith": return try like(operand, value, before: "%", behind: "")
    case "pattern": return value.isNull ? nil : try pattern(operand, value.object())
    default: throw value.error("There is no condition \(name.shownInMessage()).")
    }
  }

  /// A value that is not written as such: `_expr`, `_date`, `_time`.
  func variant(_ suffix: String, _ value: InputValue, _ type: ParameterType) throws(StatementError) -> SQLText {
    switch suffix {
    case "_expr": try bind(expression: value, type)
    case "_date": try relativeDate(value)
    case "_time": try relativeTimestamp(value)
    default: throw value.error("There is no such condition.")
    }
  }

  // MARK: Texts

  private func like(
    _ operand: Operand, _ value: InputValue, before: String, behind: String
  ) throws(StatementError) -> SQLText {
    if value.isNull { return "\(operand.sql) LIKE \(try bind(nil, as: "text"))" }
    let pattern = try bind(value, as: "text") { value throws(StatementError) in
      var escaped = ""
      for scalar in try value.text().unicodeScalars {
        if scalar == "%" || scalar == "_" || scalar == "\\" { escaped += "\\" }
        escaped.unicodeScalars.append(scalar)
      }
      return before + escaped + behind
    }
    return "\(operand.sql) LIKE \(pattern)"
  }

  private func pattern(_ operand: Operand, _ pattern: InputObject) throws(StatementError) -> SQLText? {
    try pattern.exclude(["like", "regex"])
    let ignoresCase = try pattern.given("ignoreCase")?.truth() ?? false
    for (name, value) in pattern.members {
      switch name {
      case "like", "regex":
        if value.isNull { continue }
        let text = try bind(value, as: "text") { value throws(StatementError) in try value.text() }
        let sign: SQLText = name == "like" ? ignoresCase ? "ILIKE" : "LIKE" : ignoresCase ? "~*" : "~"
        return "\(operand.sql) \(sign) \(text)"
      case "ignoreCase": continue
      default: throw value.error("There is no pattern \(name.shownInMessage()).")
      }
    }
    return nil
  }

  // MARK: Lists

  /// Returns the condition of a filter of a list; `nil` for an empty filter. A null column matches neither kind of
  /// test.
  func listComparison(_ filter: InputObject, _ operand: Operand) throws(StatementError) -> SQLText? {
    for name in ["includes", "excludes"] { try filter.exclude(Self.variants.map { name + $0 }) }
    var parts: [SQLText] = []
    for (name, value) in filter.members where name != "count" && name != "exist" {
      if let part = try listComparison(name, value, operand) { parts.append(part) }
    }
    let exist = filter.given("exist")
    if exist != nil || filter.given("count") != nil {
      let element = alias()
      let compared = Operand(sql: "\(element).e", type: operand.type)
      let condition: SQLText? = if let exist { try comparison(exist.object(), compared) } else { nil }
      if condition != nil || exist == nil || filter.given("count") != nil {
        let rows: SQLText = "FROM unnest(\(operand.sql)) AS \(element)(e)"
        if let part = try counted(filter, condition.map { "\(rows) WHERE \($0)" } ?? rows) { parts.append(part) }
      }
    }
    return parts.conjunction
  }

  private func listComparison(
    _ name: String, _ value: InputValue, _ operand: Operand
  ) throws(StatementError) -> SQLText? {
    switch name {
    case "includesAll": return "\(operand.sql) @> \(try bind(list: value, operand.type))"
    case "excludesAll": return "NOT (\(operand.sql) && \(try bind(list: value, operand.type)))"
    default: break
    }
    let suffix = name.lastIndex(of: "_").map { String(name[$0...]) } ?? ""
    let element: SQLText
    if suffix.isEmpty {
      element = try bind(value, operand.type)
    } else {
      if value.isNull { return nil }
      element = try variant(suffix, value, operand.type)
    }
    // So an index of the list is of use.
    let includes: SQLText = "\(operand.sql) @> ARRAY[\(element)]"
    switch name.dropLast(suffix.count) {
    case "includes": return includes
    case "excludes": return "NOT (\(includes))"
    default: throw value.error("There is no condition \(name.shownInMessage()).")
    }
  }
}
