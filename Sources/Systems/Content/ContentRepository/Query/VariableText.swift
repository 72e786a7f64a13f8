import GraphQL
import JSON

/// Makes values of the texts that variables are in a path, by their declared types.
enum VariableText {
  /// Converts the texts of variables to the types that an operation declares.
  ///
  /// - Parameter operation: the operation that declares the variables; undeclared variables are omitted.
  static func values(_ given: JSONObject, _ operation: OperationNode, _ schema: GraphQLSchema) -> JSONObject {
    var values = JSONObject()
    for variable in operation.variables {
      let name = variable.name.text
      guard let value = given[name] else { continue }
      guard case .string(let text) = value else {
        values[name] = value
        continue
      }
      values[name] = self.value(text, variable.type, schema)
    }
    return values
  }

  /// Converts one text to a type. A text that does not fit the type stays text, which the coercion of variables then
  /// rejects with a reason.
  static func value(_ text: String, _ type: TypeNode, _ schema: GraphQLSchema) -> JSONValue {
    switch type {
    case .nonNull(let inner): return value(text, inner, schema)
    case .list(let inner, _):
      if text == "null" { return .null }
      if let json = try? JSONCoding.parse(text), case .array = json { return json }
      return .array([value(text, inner, schema)])
    case .named(let name): return named(text, name.text, schema)
    }
  }

  private static func named(_ text: String, _ name: String, _ schema: GraphQLSchema) -> JSONValue {
    switch name {
    case "String", "ID": return .string(text)
    case "Int", "Long": return Int64(text).map(JSONValue.integer) ?? null(text)
    case "Float":
      if let whole = Int64(text) { return .integer(whole) }
      if let number = Double(text), number.isFinite { return .double(number) }
      return null(text)
    case "Boolean": return text == "true" ? true : text == "false" ? false : null(text)
    case "Json": return (try? JSONCoding.parse(text)) ?? .string(text)
    default:
      if schema.type(name)?.kind == .inputObject { return (try? JSONCoding.parse(text)) ?? null(text) }
      return null(text)
    }
  }

  private static func null(_ text: String) -> JSONValue { text == "null" ? .null : .string(text) }
}
