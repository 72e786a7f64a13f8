extension StringProtocol {
  /// The text with every scalar that could steer a terminal or reorder what is read written out as `\u{…}`:
  /// control characters (ESC among them), directional and other format characters, line separators.
  ///
  /// Text of extensions, files and servers passes here before it is printed. Line feed becomes `\n`, tab `\t`, carriage
  /// return `\r`; zero-width joiners stay, since emoji and several scripts need them.
  package var escapedForTerminal: String { escaped(keepingLines: false) }

  /// Like ``escapedForTerminal``, but line feeds and tabs stay: for text of several lines.
  package var escapedForTerminalKeepingLines: String { escaped(keepingLines: true) }

  private func escaped(keepingLines: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n" where keepingLines, "\t" where keepingLines: result.append(scalar)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case _ where scalar.steersTerminal:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension String {
  /// The JSON document with every scalar that could steer a terminal or reorder the text written as `\uXXXX`, as a pair
  /// of surrogates where needed. Such scalars occur only in strings, so the values stay the same; line ends and spaces
  /// between values stay too.
  var escapedInJSON: String {
    guard utf8.contains(where: { $0 >= 0x7F }) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      guard scalar.value >= 0x7F, scalar.steersTerminal else {
        result.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? .init() {
        let digits = String(unit, radix: 16)
        result.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
      }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  fileprivate var steersTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}
