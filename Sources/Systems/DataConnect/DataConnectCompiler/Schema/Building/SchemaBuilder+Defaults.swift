import GraphQL
import Time

extension SchemaBuilder {
  /// Returns the value of a column's `@default`, if it fits the type.
  mutating func defaultValue(_ field: FieldDefinitionNode, _ type: ColumnType, isView: Bool) -> ColumnDefault? {
    guard let directive = field.directives["default"] else { return nil }
    if isView {
      add("Nothing is written into a view, so its columns have no defaults.", fix: "Remove it.", at: directive.position)
      return nil
    }
    let given = directive.arguments.filter { ["value", "expr", "sql"].contains($0.name.text) }
    guard given.count == 1, let argument = given.first else {
      add(
        "@default takes exactly one of value, expr and sql.",
        fix: given.isEmpty ? "Write @default(value: …)." : "Remove the others.", at: directive.position)
      return nil
    }
    if argument.name.text == "value" {
      if let wrong = misfit(argument.value, type) {
        add(
          "The default value is not of the type \(type.nullableText).", fix: wrong, at: argument.value.position)
      }
      return .value(argument.value)
    }
    guard case .string(let text, _) = argument.value.kind, !text.allSatisfy(\.isWhitespace) else {
      add("The expression is empty.", fix: "Write one, or remove @default.", at: argument.value.position)
      return nil
    }
    return argument.name.text == "expr" ? .expression(text) : .sql(text)
  }

  /// Returns advice for a value that does not fit a type; `nil` when it fits.
  private func misfit(_ value: ValueNode, _ type: ColumnType) -> String? {
    if case .null = value.kind {
      return type.isNonNull ? "The column cannot be null: give a value." : nil
    }
    if type.isList, case .list(let elements) = value.kind {
      return elements.compactMap { misfit($0, type.base) }.first
    }
    return misfit(value, type.base)
  }

  private func misfit(_ value: ValueNode, _ base: ColumnType.Base) -> String? {
    switch base {
    case .enumeration(let name):
      let values = enumerations[name]?.values ?? []
      let word: String
      switch value.kind {
      case .enumeration(let text), .string(let text, _): word = text
      default: return "Write one of \(values.prefix(12).joined(separator: ", "))."
      }
      if values.contains(word) { return nil }
      return suggestion(
        for: word, among: values, otherwise: "Write one of \(values.prefix(12).joined(separator: ", ")).")
    case .scalar(let scalar): return scalar.misfit(value)
    }
  }
}

extension DataScalar {
  /// Returns what to write instead of a literal that is not a value of the type; `nil` when it is one.
  func misfit(_ value: ValueNode) -> String? {
    switch (self, value.kind) {
    case (.any, _), (.string, .string), (.boolean, .boolean), (.float, .integer), (.float, .float): nil
    case (.int, .integer(let text)): Int32(text) == nil ? "Write a number of 32 bits, or use Int64." : nil
    case (.int64, .integer(let text)), (.int64, .string(let text, _)):
      Int64(text) == nil ? "Write a number of 64 bits." : nil
    case (.uuid, .string(let text, _)):
      text.hexadecimalDigits == 32 ? nil : "Write 32 hexadecimal digits."
    case (.date, .string(let text, _)):
      text.isDay ? nil : "Write it as \"2026-01-31\"."
    case (.timestamp, .string(let text, _)):
      text.isMoment ? nil : "Write it as \"2026-01-31T12:00:00Z\"."
    case (.vector, .list(let numbers)):
      numbers.allSatisfy { DataScalar.float.misfit($0) == nil } ? nil : "Write a list of numbers."
    case (.string, _): "Write it between quotes."
    case (.boolean, _): "Write true or false."
    case (.vector, _): "Write a list of numbers."
    case (.int, _), (.int64, _), (.float, _): "Write a number without quotes."
    case (.uuid, _), (.date, _), (.timestamp, _): "Write it between quotes."
    }
  }
}

extension String {
  /// How many hexadecimal digits a UUID has, whose prefix `urn:uuid:` counts for nothing.
  fileprivate var hexadecimalDigits: Int {
    (hasPrefix("urn:uuid:") ? dropFirst(9) : self[...]).utf8.count { byte in
      (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
  }

  /// Whether the text is a day such as `2026-01-31`, or begins with one as a moment does.
  fileprivate var isDay: Bool {
    var scanner = TimeScanner(self)
    return scanner.day(years: 1...9_999) != nil && (scanner.isAtEnd || scanner.take("Tt "))
  }

  /// Whether the text begins with a day, and has more behind it than one character.
  fileprivate var isMoment: Bool {
    var scanner = TimeScanner(self)
    return scanner.day(years: 1...9_999) != nil && utf8.count > 11
  }
}
