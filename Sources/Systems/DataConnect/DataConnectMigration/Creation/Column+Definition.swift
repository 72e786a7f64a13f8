import DataConnectCompiler
import GraphQL

/// The properties of the database that a column's definition depends on.
struct ColumnContext {
  let schema: CompiledSchema
  let namespace: String
  let vectors: VectorSupport
}

extension Column {
  /// Returns the column's text in `CREATE TABLE` and `ADD COLUMN`.
  func definition(in context: ColumnContext) -> String {
    var text = "\(SQL.name(sqlName)) \(databaseType(in: context))"
    if let value = databaseDefault(in: context) { text += " DEFAULT \(value)" }
    return type.isNonNull ? text + " NOT NULL" : text
  }

  /// Returns the type, qualified by the PostgreSQL schema if it is one of the project's own.
  func databaseType(in context: ColumnContext) -> String {
    if let size = vectorSize { return context.vectors.type(size: size) }
    if case .enumeration(let name) = type.base, let enumeration = context.schema.enumeration(name) {
      let list = type.isList ? "[]" : ""
      if sqlType == "\"\(enumeration.sqlName)\"\(list)" {
        return SQL.name(context.namespace, enumeration.sqlName) + list
      }
    }
    return sqlType
  }

  /// The length of the vectors in it; `nil` for other columns, and where the developer named another type.
  var vectorSize: Int? {
    guard type.scalar == .vector, sqlType.hasPrefix("vector("), sqlType.hasSuffix(")") else { return nil }
    return Int(sqlType.dropFirst(7).dropLast())
  }

  /// The check constraint that enforces the length of `vector(n)` where the type cannot.
  func vectorCheck(in context: ColumnContext) -> String? {
    guard context.vectors == .arrays, let size = vectorSize else { return nil }
    let name = SQL.name(sqlName)
    return """
      CHECK (\(name) IS NULL OR \
      (array_ndims(\(name)) = 1 AND cardinality(\(name)) = \(size) AND array_position(\(name), NULL) IS NULL))
      """
  }

  /// The default for rows that native SQL inserts and for rows that are older than the column, including expressions
  /// that SQL can express. Statements of operations bind their own defaults.
  func databaseDefault(in context: ColumnContext) -> String? {
    switch defaultValue {
    case nil: nil
    case .sql(let text): SQL.operand(text)
    case .expression(let text): expression(text, in: context)
    case .value(let value): literal(value, in: context)
    }
  }

  private func expression(_ text: String, in context: ColumnContext) -> String? {
    let words = text.filter { !$0.isWhitespace }
    switch (words, type.scalar) {
    case ("uuidV4()", .uuid): return "gen_random_uuid()"
    case ("uuidV4()", .string): return "replace(gen_random_uuid()::text, '-', '')"
    case ("request.time", .timestamp): return "now()"
    case ("request.time", .date): return "(now() AT TIME ZONE 'UTC')::date"
    case ("true", .boolean), ("false", .boolean): return words
    case (_, .int), (_, .int64): return Int64(words).map { "\($0)" }
    case (_, .float): return Double(words).flatMap { $0.isFinite ? "\($0)" : nil }
    case (_, .string): return text.quotedWord.map(SQL.text)
    default:
      guard case .enumeration(let name) = type.base, !type.isList, let word = text.quotedWord,
        context.schema.enumeration(name)?.values.contains(word) == true
      else { return nil }
      return "\(SQL.text(word))::\(databaseType(in: context))"
    }
  }

  private func literal(_ value: ValueNode, in context: ColumnContext) -> String? {
    let type = databaseType(in: context)
    if case .null = value.kind { return nil }
    if self.type.scalar == .any { return "\(SQL.text(value.json))::jsonb" }
    if self.type.isList || self.type.scalar == .vector {
      let elements: [ValueNode]
      if case .list(let values) = value.kind { elements = values } else { elements = [value] }
      let isJSON = self.type.base == .scalar(.any)
      let texts = elements.map { element -> String in
        if isJSON { return SQL.text(element.json) }
        return element.scalarText.map(SQL.text) ?? "NULL"
      }
      return "ARRAY[\(texts.joined(separator: ", "))]::\(type)"
    }
    guard var text = value.scalarText else { return nil }
    if self.type.scalar == .uuid { text = text.filter(\.isHexDigit).suffix(32).lowercased() }
    if self.type.scalar == .date { text = String(text.prefix(10)) }
    return "\(SQL.text(text))::\(type)"
  }
}

extension ValueNode {
  /// A literal that is neither list nor object, without quotes; `nil` for null.
  fileprivate var scalarText: String? {
    switch kind {
    case .integer(let text), .float(let text), .enumeration(let text), .string(let text, _), .variable(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .null, .list, .object: nil
    }
  }

  /// The literal in JSON.
  fileprivate var json: String {
    switch kind {
    case .integer(let text), .float(let text): text
    case .boolean, .null: scalarText ?? "null"
    case .string(let text, _), .enumeration(let text), .variable(let text): text.json
    case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
    case .object(let fields):
      "{\(fields.map { "\($0.name.text.json):\($0.value.json)" }.joined(separator: ","))}"
    }
  }
}

extension String {
  /// The text as a JSON string.
  fileprivate var json: String {
    let escaped = unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\0"..<" ": "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// The content of a CEL string literal without escapes; `nil` for everything else.
  fileprivate var quotedWord: String? {
    let text = trimmed
    guard text.utf8.count >= 2, let quote = text.first, quote == "'" || quote == "\"", text.last == quote else {
      return nil
    }
    let word = text.dropFirst().dropLast()
    return word.unicodeScalars.contains { $0 == quote.unicodeScalars.first || $0 == "\\" } ? nil : String(word)
  }

  private var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
  }
}
