import DataConnectCompiler
import DataConnectStatements
import JSON
import Testing

extension QueriedDatabase {
  /// The statement of a field, which has to be the same when it is made of a text that other values left behind.
  static func made(
    _ field: CompiledField, isMutation: Bool, _ variables: JSONObject, sourceLocation: Testing.SourceLocation,
    _ context: (JSONObject) -> StatementContext
  ) throws -> RootStatement {
    func fresh(_ variables: JSONObject) -> Result<RootStatement, StatementError> {
      let context = context(variables)
      return Result { () throws(StatementError) in
        isMutation ? try StatementBuilder.mutation(field, context) : try StatementBuilder.query(field, context)
      }
    }
    let statements = FieldStatements(field, isMutation: isMutation)
    for variables in [changed(variables), variables, changed(variables), variables] {
      let kept = Result { () throws(StatementError) in try statements.statement(context(variables)) }
      #expect(kept == fresh(variables), sourceLocation: sourceLocation)
    }
    return try fresh(variables).get()
  }

  /// Other values of the same kinds: greater numbers, and texts that are turned round.
  private static func changed(_ variables: JSONObject) -> JSONObject {
    JSONObject(variables.map { ($0.key, changed($0.value)) })
  }

  private static func changed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .integer(let number): .integer(number &+ 1)
    case .string(let text): .string(String(text.reversed()))
    case .array(let values): .array((values + values.prefix(1)).map(changed))
    case .object(let object): .object(changed(object))
    default: value
    }
  }
}
