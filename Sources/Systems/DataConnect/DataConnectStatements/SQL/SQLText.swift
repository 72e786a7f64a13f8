import Text

/// A piece of SQL.
///
/// Code writes it as a literal whose interpolations are other pieces, quoted names and quoted constants. A plain string
/// cannot be interpolated, so a client's input cannot become SQL by mistake: ``SQLWriter`` binds it as a parameter.
package struct SQLText: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The SQL as PostgreSQL receives it.
  package let text: String

  /// Wraps text that already is SQL, such as a column type that the developer wrote. Never pass a client's input.
  package init(trusted text: String) { self.text = text }

  /// Creates a piece from a literal in the source code, unchanged.
  package init(stringLiteral value: StaticString) { text = value.description }

  /// Creates a piece from a literal with interpolations.
  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Returns a name in double quotes, with inner quotes doubled: `"movie"`.
  package static func name(_ name: String) -> SQLText { SQLText(trusted: name.quoted("\"")) }

  /// Returns a text constant in single quotes, with inner quotes doubled.
  package static func literal(_ text: String) -> SQLText { SQLText(trusted: text.quoted("'")) }

  /// Collects the parts of an interpolated literal. It accepts only literals, pieces, integers, names and constants.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Reserves room for the literal parts.
    package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    /// Appends a literal part from the source code, unchanged.
    package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    /// Appends another piece of SQL, unchanged.
    package mutating func appendInterpolation(_ piece: SQLText) { text += piece.text }
    /// Appends an integer in decimal.
    package mutating func appendInterpolation(_ number: Int) { text += String(number) }
    /// Appends a name in double quotes.
    package mutating func appendInterpolation(name: String) { text += SQLText.name(name).text }
    /// Appends a text constant in single quotes.
    package mutating func appendInterpolation(literal: String) { text += SQLText.literal(literal).text }
  }
}

extension [SQLText] {
  /// Returns the pieces in order with the separator between them.
  package func joined(_ separator: SQLText) -> SQLText {
    SQLText(trusted: map(\.text).joined(separator: separator.text))
  }

  /// All conditions combined with AND, in parentheses when there are several; `nil` for none.
  package var conjunction: SQLText? { isEmpty ? nil : count == 1 ? self[0] : "(\(joined(" AND ")))" }
  /// All conditions combined with OR, in parentheses when there are several; `nil` for none.
  package var disjunction: SQLText? { isEmpty ? nil : count == 1 ? self[0] : "(\(joined(" OR ")))" }
}
