package import PostgreSQL

/// The one statement of a root field.
///
/// It answers one row with one column: the field's value as JSON text, in the form of the wire; no row, or NULL, is null.
/// Where rows were inserted that lead to those of the field, a second column tells these: `[["Review", {"id": …}], …]`.
/// A mutation is one statement too (`WITH … AS (INSERT …) SELECT …`).
package struct RootStatement: Sendable, Equatable {
  package enum Answer: Sendable, Hashable {
    /// JSON in the first column of the first row.
    case json
    /// How many rows it changes, which ``PostgreSQLConnection/change(_:_:within:maximumBytes:)`` tells: a developer's own
    /// statement, as it is written.
    case count
  }

  package let text: String
  /// `$1` and so on.
  package let parameters: [PostgreSQLValue]
  package let answer: Answer

  package init(text: String, parameters: [PostgreSQLValue], answer: Answer = .json) {
    self.text = text
    self.parameters = parameters
    self.answer = answer
  }
}
