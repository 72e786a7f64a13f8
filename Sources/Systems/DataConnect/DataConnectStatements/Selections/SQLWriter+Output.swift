package import DataConnectCompiler

extension SQLWriter {
  /// A column as the wire has it, an expression that `to_json` writes so.
  package func output(_ column: Column, _ alias: SQLText) -> SQLText {
    output(self.column(column, alias), column)
  }

  /// A value of a column's type as the wire has it: UUIDs as 32 digits, integers of 64 bits as texts, times in UTC.
  package func output(_ value: SQLText, _ column: Column) -> SQLText {
    guard case .scalar(let scalar) = column.type.base else { return value }
    if !column.type.isList { return output(value, scalar, sqlType: column.sqlType) }
    switch scalar {
    case .int64: return "\(value)::text[]"
    case .uuid, .timestamp:
      return
        "CASE WHEN \(value) IS NOT NULL THEN ARRAY(SELECT \(output("e", scalar)) FROM unnest(\(value)) AS u(e)) END"
    default: return value
    }
  }

  /// A value of a scalar as the wire has it.
  func output(_ value: SQLText, _ scalar: DataScalar, sqlType: String? = nil) -> SQLText {
    switch scalar {
    case .uuid: return "replace(\(value)::text, '-', '')"
    case .int64: return "\(value)::text"
    case .string where sqlType != "text": return "\(value)::text"
    case .timestamp:
      // With as many digits behind the second as are needed: none, three or six.
      let time: SQLText = "(\(value) AT TIME ZONE 'UTC')"
      let format: SQLText = """
        CASE WHEN \(time) = date_trunc('second', \(time)) THEN 'YYYY-MM-DD"T"HH24:MI:SS"Z"' \
        WHEN \(time) = date_trunc('milliseconds', \(time)) THEN 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' \
        ELSE 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' END
        """
      return "to_char(\(time), \(format))"
    case .vector: return "\(value)::real[]"
    default: return value
    }
  }

  /// An aggregate as the wire has it.
  func output(_ value: SQLText, _ aggregate: Aggregate) -> SQLText {
    switch aggregate.function {
    case .count: return value
    case .avg: return "\(value)::double precision"
    case .sum, .min, .max:
      guard let scalar = DataScalar(rawValue: aggregate.type) else { return value }
      return output(value, scalar)
    }
  }

  /// The key of a row as mutations give it: `{"movieId": …, "userId": …}`, an expression of type `json`.
  package func keyObject(of table: Table, _ alias: SQLText) throws(StatementError) -> SQLText {
    try object(keyMembers(of: table, alias))
  }

  /// Returns the identifier by which clients cache a row: 32 hexadecimal digits of the SHA-256 of the table's name, a
  /// zero byte, and the key as compact JSON with sorted names.
  package func identifier(of table: Table, _ alias: SQLText) throws(StatementError) -> SQLText {
    var parts: [SQLText] = []
    for (name, value) in try keyMembers(of: table, alias).sorted(by: { $0.name < $1.name }) {
      let start = parts.isEmpty ? "{\"\(name)\":" : ",\"\(name)\":"
      parts.append("\(literal: start) || to_json(\(value))::text")
    }
    let key: SQLText = "convert_to(\(parts.joined(" || ")) || '}', 'UTF8')"
    return "left(encode(sha256(convert_to(\(literal: table.name), 'UTF8') || '\\x00'::bytea || \(key)), 'hex'), 32)"
  }

  private func keyMembers(
    of table: Table, _ alias: SQLText
  ) throws(StatementError) -> [(name: String, value: SQLText)] {
    table.key.compactMap(table.column).map { ($0.name, output($0, alias)) }
  }

  /// An object with these members, in order: an expression of type `json`.
  package func object(_ members: [(name: String, value: SQLText)]) throws(StatementError) -> SQLText {
    for member in members { try spend(member.name.utf8.count + member.value.text.utf8.count) }
    // A function of PostgreSQL takes 100 arguments at most.
    if members.count <= 50 {
      let arguments: [SQLText] = members.map { "\(literal: $0.name), \($0.value)" }
      return "json_build_object(\(arguments.joined(", ")))"
    }
    let rows: [SQLText] = members.map { "(\(literal: $0.name), to_json(\($0.value)))" }
    return "(SELECT json_object_agg(o.k, o.v) FROM (VALUES \(rows.joined(", "))) AS o(k, v))"
  }
}
