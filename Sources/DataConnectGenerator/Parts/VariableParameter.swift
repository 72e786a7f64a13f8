import DataConnectCompiler
import GraphQL

/// A variable of an operation as Swift has it.
struct VariableParameter {
  /// Without `$`.
  let wireName: String
  /// What Swift calls it, without back quotes.
  let bareProperty: String
  /// With the `?` of one that need not be given.
  let declaredType: String
  let isRequired: Bool

  var property: String { SwiftName.escaped(bareProperty) }

  init(_ variable: CompiledVariable, _ types: TypeNames) {
    wireName = variable.name
    bareProperty = SwiftName.member(variable.name)
    isRequired = variable.isRequired
    let text = types.type(variable.type, of: types.base(variable.type.name.text)).text
    declaredType = variable.isRequired ? text : "\(text)?"
  }
}
