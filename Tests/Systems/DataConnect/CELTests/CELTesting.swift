import CEL
import JSON

/// What an expression comes to, in JSON.
func value(
  _ text: String, _ bindings: JSONObject = [:], cost: Int = 100_000
) throws(CELError) -> JSONValue {
  var values: [String: CELValue] = [:]
  for (name, value) in bindings { values[name] = CELValue(value) }
  return try CELProgram(text).evaluate(values, cost: cost).json
}

/// The message of what is wrong, and where.
func failure(_ text: String, _ bindings: JSONObject = [:], names: [String]? = nil) -> CELError? {
  do throws(CELError) {
    _ = try CELProgram(text, names: names)
    _ = try value(text, bindings)
    return nil
  } catch {
    return error
  }
}
