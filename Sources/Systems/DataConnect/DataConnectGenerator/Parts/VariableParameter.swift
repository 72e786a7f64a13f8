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

  /// - Parameter storage: what the wrappers of the operation's variables call what they hold: `_genre`.
  init(_ variable: CompiledVariable, _ types: TypeNames, storage: Set<String>) {
    wireName = variable.name
    let member = SwiftName.member(variable.name)
    bareProperty = storage.contains(member) ? "\(member)_" : member
    isRequired = variable.isRequired
    let text = types.type(variable.type, of: types.base(variable.type.name.text)).text
    declaredType = variable.isRequired ? text : "\(text)?"
  }
}
