package import DataConnectCompiler
package import PostgreSQL
import Text

/// Makes the statement of a root field.
package enum StatementBuilder {}

extension StatementBuilder {
  /// Of a field of `Query`: lookup, list, search, similarity, `_select`, `_selectFirst`.
  package static func query(_ field: CompiledField, _ context: StatementContext) throws(StatementError) -> RootStatement
  {
    try query(field, SQLWriter(context))
  }

  static func query(_ field: CompiledField, _ writer: SQLWriter) throws(StatementError) -> RootStatement {
    let arguments = writer.arguments(of: field)
    if field.name == "_select" || field.name == "_selectFirst" {
      return try writer.statement(writer.native(arguments, isFirst: field.name == "_selectFirst"))
    }
    guard let action = writer.schema.action(ofRootField: field.name) else {
      throw StatementError("No table has a field \(field.name.shownInMessage()) for queries.")
    }
    let table = try writer.table(action.table)
    let text: SQLText
    switch action.kind {
    case .lookup: text = try writer.lookup(field.fields, arguments, of: table)
    case .list: text = try writer.list(field.fields, arguments, of: RowSource(table, writer))
    case .search: text = try writer.list(field.fields, arguments, of: writer.search(arguments, table))
    case .similarity(let column):
      text = try writer.list(field.fields, arguments, of: writer.similarity(arguments, table, column))
    case .mutation: throw StatementError("\(field.name.shownInMessage()) is a field of mutations.")
    }
    return try writer.statement(text)
  }
}

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
