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
  /// Learns which values the text depends on; `nil` where nobody asks for a template.
  let reads: ValueReads?
  private var recorded: [BoundValue] = []
  private var aliases = 0
  private var depth = 0
  private var bytes = 0
  private var valueBytes = 0

  /// Creates a writer for one statement.
  package init(_ context: StatementContext, reads: ValueReads? = nil) {
    self.context = context
    self.reads = reads
  }

  /// The schema that the statement reads or writes.
  package var schema: CompiledSchema { context.schema }

  // MARK: Values

  /// Binds a constant and returns its placeholder with a cast, such as `$1::uuid`; `nil` binds NULL.
  ///
  /// - Throws: `StatementError` when the statement has too many values, or PostgreSQL cannot store the text.
  package func bind(_ text: String?, as type: SQLText) throws(StatementError) -> SQLText {
    let value = try PostgreSQLValue(bound: text)
    return "\(try bind(value, BoundValue(value)))::\(type)"
  }

  /// Binds what `reading` makes of a value, in this call and in later ones, and returns its placeholder with a cast;
  /// without a type the server infers it.
  func bind(
    _ value: InputValue, as type: SQLText?, _ reading: @escaping BoundValue.Reading
  ) throws(StatementError) -> SQLText {
    let bound: PostgreSQLValue
    if let reads {
      bound = try PostgreSQLValue(bound: reads.binding { () throws(StatementError) in try reading(value) })
    } else {
      bound = try PostgreSQLValue(bound: reading(value))
    }
    let number = try bind(bound, BoundValue(value, bound, reading))
    return type.map { "\(number)::\($0)" } ?? number
  }

  private func bind(_ value: PostgreSQLValue, _ recipe: @autoclosure () -> BoundValue) throws(StatementError) -> SQLText
  {
    guard parameters.count < context.limits.parameters else {
      throw StatementError("The field has more than \(context.limits.parameters) values.")
    }
    valueBytes += value.textSize
    try spend(value.textSize)
    parameters.append(value)
    if reads != nil { recorded.append(recipe()) }
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
    guard bytes <= context.limits.bytes else { throw StatementError.tooLong(context.limits) }
  }

  /// Returns the finished statement with its bound values.
  package func statement(_ text: SQLText) throws(StatementError) -> RootStatement {
    guard text.text.utf8.count <= context.limits.bytes else { throw StatementError.tooLong(context.limits) }
    return RootStatement(text: text.text, parameters: parameters)
  }

  /// Returns the finished statement without its values; `nil` when its text depends on them.
  func template(of statement: RootStatement) -> StatementTemplate? {
    guard reads?.areInText == false else { return nil }
    return StatementTemplate(
      text: statement.text, answer: statement.answer, values: recorded, bytes: bytes - valueBytes)
  }
}

extension StatementError {
  /// The statement has too many bytes.
  static func tooLong(_ limits: StatementLimits) -> StatementError {
    StatementError("The field makes a statement of more than \(limits.bytes) bytes.")
  }
}
