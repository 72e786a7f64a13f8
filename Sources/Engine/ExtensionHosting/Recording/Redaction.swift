import ExtensionProtocol
package import JSON
import JSONRPC

/// Takes secrets out of frames before they are written down: by the names they go by, and by their form; see ``Secrets``.
package enum Redaction {
  /// The mark that replaces a secret.
  package static let mark = JSONValue.string(Secrets.mark)

  /// The same frame without secrets: strings, arrays and objects under a secret's name, pairs of a name and a value, and
  /// what is a secret by its form, alone or inside of a text.
  package static func apply(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): Secrets.isCredential(text) ? mark : .string(Secrets.redacted(text))
    case .array(let values): array(values)
    case .object(let object): .object(self.object(object))
    case .null, .bool, .integer, .unsigned, .double: value
    }
  }

  private static func array(_ values: [JSONValue]) -> JSONValue {
    // A header as a pair: ["Cookie", "a=b"], also of a list of values.
    if values.count == 2, case .string(let name) = values[0], Secrets.isName(name) {
      return .array([values[0], hidden(values[1])])
    }
    return .array(values.map(apply))
  }

  private static func object(_ object: JSONObject) -> JSONObject {
    // {"name": "Cookie", "value": "a=b"}, and a key of a store with its value.
    let named = ["name", "key"].contains { object[$0]?.stringValue.map(Secrets.isName) ?? false }
    return JSONObject(
      object.map { key, value in
        if Secrets.isName(key) || (named && key == "value") { return (key, hidden(value)) }
        return (key, apply(value))
      })
  }

  /// Numbers stay: a `token` of `$/progress` is one.
  private static func hidden(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool, .integer, .unsigned, .double: value
    case .string, .array, .object: mark
    }
  }
}
