package import PostgreSQL

/// The one statement of a root field.
///
/// It answers one row with one column: the field's value as JSON text, in the form of the wire; no row, or NULL, is null.
/// A mutation is one statement too (`WITH … AS (INSERT …) SELECT …`).
package struct RootStatement: Sendable, Equatable {
  package let text: String
  /// `$1` and so on.
  package let parameters: [PostgreSQLValue]

  package init(text: String, parameters: [PostgreSQLValue]) {
    self.text = text
    self.parameters = parameters
  }
}
