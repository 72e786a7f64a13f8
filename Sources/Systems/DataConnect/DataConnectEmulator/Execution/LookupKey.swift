import DataConnectCompiler
import GraphQL
import JSON

/// The key that a lookup of one row names.
enum LookupKey {
  /// Returns the identifier of the row, whether or not it exists; `nil` when the arguments name no key.
  ///
  /// - Parameter evaluate: returns the value of an expression.
  static func entityID(
    _ plan: FieldPlan, _ schema: CompiledSchema, variables: JSONObject, _ evaluate: (String) -> JSONValue?
  ) -> String? {
    guard plan.action?.kind == .lookup, let table = plan.action.flatMap({ schema.table($0.table) }) else { return nil }
    var given = JSONObject()
    for argument in plan.field.arguments {
      let value = json(argument.value, variables)
      switch argument.name.text {
      case "id", "id_expr": given[argument.name.text] = value
      case "key":
        guard case .object(let fields) = value else { continue }
        for (name, value) in fields { given[name] = value }
      default: continue
      }
    }
    var key = JSONObject()
    for name in table.key {
      guard let column = table.column(name) else { return nil }
      let value = given[name] ?? given["\(name)_expr"]?.stringValue.flatMap(evaluate)
      guard let value, let normal = normal(value, column.type.base) else { return nil }
      key[name] = normal
    }
    return EntityID.text(table.name, key)
  }

  private static func json(_ value: ValueNode, _ variables: JSONObject) -> JSONValue? {
    switch value.kind {
    case .variable(let name): variables[name]
    case .string(let text, _): .string(text)
    case .enumeration(let name): .string(name)
    case .integer(let digits): Int64(digits).map { .integer($0) }
    case .boolean(let truth): .bool(truth)
    case .object(let fields):
      .object(JSONObject(fields.compactMap { field in json(field.value, variables).map { (field.name.text, $0) } }))
    default: nil
    }
  }

  /// A value as a response has it; `nil` for types that have several spellings.
  private static func normal(_ value: JSONValue, _ type: ColumnType.Base) -> JSONValue? {
    switch type {
    case .enumeration, .scalar(.string): value.stringValue.map { .string($0) }
    case .scalar(.uuid):
      value.stringValue.flatMap { text in
        let bare = text.lowercased().hasPrefix("urn:uuid:") ? text.dropFirst(9) : text[...]
        let digits = bare.lowercased().filter(\.isHexDigit)
        return digits.utf8.count == 32 ? .string(digits) : nil
      }
    case .scalar(.int): value.integerValue.map { .integer($0) }
    case .scalar(.int64): (value.integerValue ?? value.stringValue.flatMap { Int64($0) }).map { .string(String($0)) }
    case .scalar(.boolean): value.boolValue.map { .bool($0) }
    case .scalar(.date): value.stringValue.map { .string(String($0.prefix(10))) }
    default: nil
    }
  }
}
