extension GraphQLPrinter {
  mutating func value(_ node: ValueNode) {
    switch node.kind {
    case .variable(let name): text += "$\(name)"
    case .integer(let digits), .float(let digits): text += digits
    case .string(let value, let isBlock): if isBlock { blockString(value) } else { text += Self.quoted(value) }
    case .boolean(let value): text += value ? "true" : "false"
    case .null: text += "null"
    case .enumeration(let name): text += name
    case .list(let values):
      text += "["
      list(values) { $0.value($1) }
      text += "]"
    case .object(let fields):
      text += "{"
      list(fields) { $0.argument($1) }
      text += "}"
    }
  }

  /// A string between quotes, with escapes.
  package static func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{08}": text += "\\b"
      case "\u{0C}": text += "\\f"
      case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// A block string at the present indentation.
  mutating func blockString(_ value: String) {
    let lines = value.replacingBytes("\"\"\"", with: "\\\"\"\"").utf8
      .split(separator: 0x0A, omittingEmptySubsequences: false)
    // A quote or a backslash would become one with the quotes behind it.
    let needsEndLine = value.utf8.last == 0x22 || value.utf8.last == 0x5C
    let isLong = lines.count > 1 || value.count > 70 || needsEndLine
    let keepsBlank = lines.count == 1 && Self.isBlank(lines[0].first)
    text += "\"\"\""
    // Without a line of its own the first line does not count for the indentation of the others.
    if isLong && !keepsBlank { newLine() }
    for (index, line) in lines.enumerated() {
      if index > 0 { if line.isEmpty { text += "\n" } else { newLine() } }
      text += String(Substring(line))
    }
    if isLong { newLine() }
    text += "\"\"\""
  }

  private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension String {
  /// Replaces bytes, whatever characters they are a part of.
  func replacingBytes(_ old: String, with new: String) -> String {
    String(decoding: Array(utf8).replacing(Array(old.utf8), with: Array(new.utf8)), as: UTF8.self)
  }
}
