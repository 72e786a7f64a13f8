package import DataConnectCompiler
import GraphQL
import JSON

extension SQLWriter {
  /// The arguments of a field that are set, those with default values included.
  package func arguments(of field: CompiledField) -> InputObject {
    let given = InputObject(field.arguments, context.variables, reads: reads)
    guard let type = schema.graphQL.type(field.parent), let definition = schema.graphQL.field(field.name, of: type)
    else { return given }
    let defaults = definition.arguments.compactMap { argument -> (name: String, value: InputValue)? in
      let name = argument.name.text
      guard given[name] == nil, let value = argument.defaultValue else { return nil }
      return InputValue(value, [:], path: [name]).map { (name, $0) }
    }
    return InputObject(members: given.members + defaults)
  }

  /// Whether `@skip` and `@include` let a field be there.
  package func includes(_ field: CompiledField) throws(StatementError) -> Bool {
    for conditions in field.presences where try hold(conditions, of: field) { return true }
    return false
  }

  private func hold(_ conditions: [FieldCondition], of field: CompiledField) throws(StatementError) -> Bool {
    for condition in conditions {
      guard
        let value =
          InputValue(condition.value, context.variables, path: [field.responseName], reads: reads)
      else {
        throw StatementError("The condition of a field is not set.", path: [field.responseName])
      }
      if try value.truth() != condition.expected { return false }
    }
    return true
  }
}
