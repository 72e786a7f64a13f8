/// A piece of SQL.
///
/// It is written as a literal whose interpolations are other pieces, quoted names and quoted words. A plain string cannot
/// get into it by mistake: what a client sends is bound by ``SQLWriter``.
package struct SQLText: Sendable, Hashable, ExpressibleByStringInterpolation {
  package let text: String

  /// Text that is SQL already: a developer's own, such as the type of a column.
  package init(trusted text: String) { self.text = text }

  package init(stringLiteral value: StaticString) { text = value.description }

  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// A name between double quotes: `"movie"`.
  package static func name(_ name: String) -> SQLText { SQLText(trusted: "\"\(doubled("\"", in: name))\"") }

  /// A constant text between quotes, as the standard has it.
  package static func literal(_ text: String) -> SQLText { SQLText(trusted: "'\(doubled("'", in: text))'") }

  /// Looking first is much faster than replacing, and there is hardly ever something to replace. Scalars are compared and
  /// not characters, since a mark behind a quote makes another character of it.
  private static func doubled(_ quote: Unicode.Scalar, in text: String) -> String {
    guard text.unicodeScalars.contains(quote) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == quote { result.unicodeScalars.append(quote) }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    package mutating func appendInterpolation(_ piece: SQLText) { text += piece.text }
    package mutating func appendInterpolation(_ number: Int) { text += String(number) }
    package mutating func appendInterpolation(name: String) { text += SQLText.name(name).text }
    package mutating func appendInterpolation(literal: String) { text += SQLText.literal(literal).text }
  }
}

extension [SQLText] {
  package func joined(_ separator: SQLText) -> SQLText {
    SQLText(trusted: map(\.text).joined(separator: separator.text))
  }

  /// All of these conditions together, as one that may stand beside others; `nil` for none.
  package var conjunction: SQLText? { isEmpty ? nil : count == 1 ? self[0] : "(\(joined(" AND ")))" }
  /// At least one of these conditions; `nil` for none.
  package var disjunction: SQLText? { isEmpty ? nil : count == 1 ? self[0] : "(\(joined(" OR ")))" }
}
