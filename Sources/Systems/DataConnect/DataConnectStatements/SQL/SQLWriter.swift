package import DataConnectCompiler
package import PostgreSQL
import Text

/// What one statement is written with: it binds values, gives out aliases and minds the limits.
///
/// Every value is bound as text with a cast, so that the text of a statement depends on the form of an operation and not
/// on its values, and the server keeps it prepared.
package final class SQLWriter {
  package let context: StatementContext
  package private(set) var parameters: [PostgreSQLValue] = []
  private var aliases = 0
  private var depth = 0
  private var bytes = 0

  package init(_ context: StatementContext) { self.context = context }

  package var schema: CompiledSchema { context.schema }

  // MARK: Values

  /// Binds a value, `nil` for NULL: `$1::uuid`.
  ///
  /// - Throws: for too many values, and for text that PostgreSQL cannot hold.
  package func bind(_ text: String?, as type: SQLText) throws(StatementError) -> SQLText {
    let number = try bind(text)
    return "\(number)::\(type)"
  }

  /// Binds a value without a cast: `$1`, whose type is the one that the server wants there.
  package func bind(_ text: String?) throws(StatementError) -> SQLText {
    guard parameters.count < context.limits.parameters else {
      throw StatementError("The field has more than \(context.limits.parameters) values.")
    }
    if text?.utf8.contains(0) == true {
      throw StatementError("A text has the character U+0000, which the database cannot hold.")
    }
    try spend(text?.utf8.count ?? 0)
    parameters.append(text.map(PostgreSQLValue.text) ?? .null)
    return SQLText(trusted: "$\(parameters.count)")
  }

  // MARK: Names

  /// A name for rows that no other part of the statement has.
  package func alias() -> SQLText {
    defer { aliases += 1 }
    return SQLText(trusted: "t\(aliases)")
  }

  /// A table or view with its schema: `"public"."movie"`.
  package func name(_ table: Table) -> SQLText { "\(name: context.namespace).\(name: table.sqlName)" }

  /// The table of this name, which a compiled schema has.
  package func table(_ name: String) throws(StatementError) -> Table {
    guard let table = schema.table(name) else {
      throw StatementError("There is no table \(name.shownInMessage()).")
    }
    return table
  }

  /// A column of rows with this alias: `t0."title"`.
  package func column(_ column: Column, _ alias: SQLText) -> SQLText { "\(alias).\(name: column.sqlName)" }

  /// A column by its name in the schema.
  package func column(
    _ name: String, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText {
    guard let column = table.column(name) else {
      throw StatementError("\(table.name) has no column \(name.shownInMessage()).")
    }
    return self.column(column, alias)
  }

  // MARK: Limits

  /// Does something one level deeper.
  package func inside<Result>(_ body: () throws(StatementError) -> Result) throws(StatementError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= context.limits.depth else {
      throw StatementError("The field is nested deeper than \(context.limits.depth) levels.")
    }
    return try body()
  }

  /// Counts what becomes part of the statement, before it is put together.
  package func spend(_ count: Int) throws(StatementError) {
    bytes += count
    guard bytes <= context.limits.bytes else {
      throw StatementError("The field makes a statement of more than \(context.limits.bytes) bytes.")
    }
  }

  /// The whole.
  package func statement(_ text: SQLText) throws(StatementError) -> RootStatement {
    guard text.text.utf8.count <= context.limits.bytes else {
      throw StatementError("The field makes a statement of more than \(context.limits.bytes) bytes.")
    }
    return RootStatement(text: text.text, parameters: parameters)
  }
}
