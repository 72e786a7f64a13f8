package import DataConnectCompiler
package import PostgreSQL
import Text

/// Writes one statement: binds values, chooses aliases and enforces the limits.
///
/// Every value is bound as text with a cast. So the text of a statement depends on the operation's form and not on its
/// values, and the server can reuse the prepared statement.
package final class SQLWriter {
  /// The schema, the variables and the limits of the statement.
  package let context: StatementContext
  /// The values bound so far; `$1` is the first.
  package private(set) var parameters: [PostgreSQLValue] = []
  private var aliases = 0
  private var depth = 0
  private var bytes = 0

  /// Creates a writer for one statement.
  package init(_ context: StatementContext) { self.context = context }

  /// The schema that the statement reads or writes.
  package var schema: CompiledSchema { context.schema }

  // MARK: Values

  /// Binds a value and returns its placeholder with a cast, such as `$1::uuid`; `nil` binds NULL.
  ///
  /// - Throws: `StatementError` when the statement has too many values, or PostgreSQL cannot store the text.
  package func bind(_ text: String?, as type: SQLText) throws(StatementError) -> SQLText {
    let number = try bind(text)
    return "\(number)::\(type)"
  }

  /// Binds a value without a cast and returns `$1`; the server infers its type.
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

  /// Returns a name for a set of rows that no other part of the statement uses.
  package func alias() -> SQLText {
    defer { aliases += 1 }
    return SQLText(trusted: "t\(aliases)")
  }

  /// Returns the quoted name of a table or view with its schema: `"public"."movie"`.
  package func name(_ table: Table) -> SQLText { "\(name: context.namespace).\(name: table.sqlName)" }

  /// Returns the table with this name.
  ///
  /// - Throws: `StatementError` when the compiled schema has none.
  package func table(_ name: String) throws(StatementError) -> Table {
    guard let table = schema.table(name) else {
      throw StatementError("There is no table \(name.shownInMessage()).")
    }
    return table
  }

  /// Returns a column of the rows with this alias: `t0."title"`.
  package func column(_ column: Column, _ alias: SQLText) -> SQLText { "\(alias).\(name: column.sqlName)" }

  /// Returns a column by its name in the schema.
  package func column(
    _ name: String, of table: Table, _ alias: SQLText
  ) throws(StatementError) -> SQLText {
    guard let column = table.column(name) else {
      throw StatementError("\(table.name) has no column \(name.shownInMessage()).")
    }
    return self.column(column, alias)
  }

  // MARK: Limits

  /// Runs `body` one nesting level deeper.
  ///
  /// - Throws: `StatementError` when the nesting exceeds the limit.
  package func inside<Result>(_ body: () throws(StatementError) -> Result) throws(StatementError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= context.limits.depth else {
      throw StatementError("The field is nested deeper than \(context.limits.depth) levels.")
    }
    return try body()
  }

  /// Adds to the size of the statement before its parts are joined.
  ///
  /// - Throws: `StatementError` when the size exceeds the limit.
  package func spend(_ count: Int) throws(StatementError) {
    bytes += count
    guard bytes <= context.limits.bytes else {
      throw StatementError("The field makes a statement of more than \(context.limits.bytes) bytes.")
    }
  }

  /// Returns the finished statement with its bound values.
  package func statement(_ text: SQLText) throws(StatementError) -> RootStatement {
    guard text.text.utf8.count <= context.limits.bytes else {
      throw StatementError("The field makes a statement of more than \(context.limits.bytes) bytes.")
    }
    return RootStatement(text: text.text, parameters: parameters)
  }
}
