package import DataConnectCompiler
import JSON

extension SQLWriter {
  /// Binds a value, or NULL: `$1::uuid`.
  ///
  /// - Throws: for a value that the type does not have.
  package func bind(_ value: InputValue, _ type: ParameterType) throws(StatementError) -> SQLText {
    try bind(value, as: type.sql) { [schema] value throws(StatementError) in
      value.isNull ? nil : try schema.text(value, type.base)
    }
  }

  /// Binds a list of values, or NULL: `$1::uuid[]`. One value alone is a list of it.
  ///
  /// - Parameter takesNull: whether elements may be null.
  package func bind(
    list value: InputValue, _ type: ParameterType, takesNull: Bool = false
  ) throws(StatementError) -> SQLText {
    try bind(value, as: type.list) { [schema] value throws(StatementError) in
      if value.isNull { return nil }
      var elements: [String?] = []
      for element in value.elements {
        if element.isNull, !takesNull { throw element.error("A value of this list cannot be null.") }
        elements.append(element.isNull ? nil : try schema.text(element, type.base))
      }
      return ArrayText.text(of: elements)
    }
  }

  /// Binds a value of a column, a list where it holds lists.
  package func bind(_ value: InputValue, for column: Column) throws(StatementError) -> SQLText {
    let type = type(of: column)
    if column.type.isList, ["json", "jsonb"].contains(column.sqlType.lowercased()) {
      return try bind(value, as: type.sql) { [schema] value throws(StatementError) in
        if value.isNull { return nil }
        for element in value.elements {
          if !element.isNull {
            _ = try schema.text(element, column.type.base)
          } else if column.type.hasNonNullElements {
            throw element.error("A value of this list cannot be null.")
          }
        }
        return JSONValue.array(value.elements.map(\.json)).description
      }
    }
    return column.type.isList
      ? try bind(list: value, type, takesNull: !column.type.hasNonNullElements) : try bind(value, type)
  }

  /// The value of an expression, which the operation has itself.
  package func value(ofExpression value: InputValue) throws(StatementError) -> InputValue {
    try self.value(ofExpression: value.ownText(), at: value.path)
  }

  /// The value of an expression of the schema or of Annex itself.
  func value(ofExpression text: String, at path: [String]) throws(StatementError) -> InputValue {
    InputValue(try context.evaluated(text, at: path), path: path, from: .expression(text), reads: reads)
  }

  /// Binds a finite number.
  func bind(number value: InputValue) throws(StatementError) -> SQLText {
    try bind(value, as: "double precision") { value throws(StatementError) in "\(try value.number())" }
  }

  /// Binds the value of an expression: `$1::uuid`. A null value is bound as NULL, which equals nothing.
  package func bind(expression value: InputValue, _ type: ParameterType) throws(StatementError) -> SQLText {
    try bind(self.value(ofExpression: value), type)
  }
}

extension CompiledSchema {
  /// A value that is not null as the database reads it.
  func text(_ value: InputValue, _ type: ColumnType.Base) throws(StatementError) -> String {
    switch type {
    case .enumeration(let name):
      let values = enumeration(name)?.values ?? []
      guard case .string(let word) = value.json, values.contains(word) else {
        throw value.error("This has to be one of the values of \(name): \(values.prefix(12).joined(separator: ", ")).")
      }
      return word
    case .scalar(.vector): return try vector(value)
    case .scalar(let scalar):
      guard let text = scalar.text(value.json) else { throw value.error("This has to be \(scalar.words).") }
      return text
    }
  }

  /// - Throws: for everything but a list of numbers that the database can hold.
  private func vector(_ value: InputValue) throws(StatementError) -> String {
    var numbers: [String] = []
    guard case .array(let elements) = value.json, !elements.isEmpty, elements.count <= 16_000 else {
      throw value.error("This has to be \(DataScalar.vector.words).")
    }
    for element in elements {
      guard let number = element.doubleValue, Float(number).isFinite else {
        throw value.error("This has to be \(DataScalar.vector.words).")
      }
      numbers.append("\(Float(number))")
    }
    return "{\(numbers.joined(separator: ","))}"
  }
}

extension DataScalar {
  /// A value in the form that the database reads; `nil` for what is no value of the type.
  fileprivate func text(_ value: JSONValue) -> String? {
    switch (self, value) {
    case (.any, _): value.description
    case (.string, .string(let text)): text
    case (.boolean, .bool(let truth)): truth ? "true" : "false"
    case (.uuid, .string(let text)): UUIDText.canonical(text)
    case (.date, .string(let text)): TimeText.date(text)
    case (.timestamp, .string(let text)): TimeText.timestamp(text)
    case (.int64, .string(let text)): Int64(text).map { String($0) }
    case (.int, _): value.integerValue.flatMap { Int32(exactly: $0) }.map { String($0) }
    case (.int64, _): value.integerValue.map { String($0) }
    case (.float, _): value.doubleValue.flatMap { $0.isFinite ? "\($0)" : nil }
    default: nil
    }
  }

  /// The expected kind of value, for messages.
  fileprivate var words: String {
    switch self {
    case .uuid: "a UUID: 32 hexadecimal digits"
    case .string: "a text"
    case .int: "an integer of 32 bits"
    case .int64: "an integer of 64 bits"
    case .float: "a finite number"
    case .boolean: "true or false"
    case .date: "a day: \"2026-01-31\""
    case .timestamp: "a time from the year 1583 to 9999: \"2026-01-31T12:00:00Z\""
    case .any: "JSON"
    case .vector: "a list of at most 16000 finite numbers"
    }
  }
}
