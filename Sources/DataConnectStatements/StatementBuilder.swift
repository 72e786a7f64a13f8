package import DataConnectCompiler

/// Makes the statement of a root field.
package enum StatementBuilder {}

extension StatementBuilder {
  /// Of a field of `Mutation`: insert, insertMany, upsert, upsertMany, update, updateMany, delete, deleteMany, `_execute`,
  /// `_executeReturning`, `_executeReturningFirst`.
  package static func mutation(
    _ field: CompiledField, _ context: StatementContext
  ) throws(StatementError) -> RootStatement {
    throw StatementError("not there yet")
  }
}
