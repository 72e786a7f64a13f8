package import JSONRPC

/// Takes secrets out of frames before they are written down: by the names they go by, and by their form.
package enum Redaction {
  /// What stands in the place of a secret.
  package static let mark = JSONValue.string("<redacted>")

  /// Names whose values are secrets, in lower case without hyphens and underscores.
  private static let names: Set<String> = [
    "accesstoken", "apikey", "authorization", "clientsecret", "cookie", "credential", "credentials", "idtoken", "otp",
    "passcode", "password", "passwd", "privatekey", "proxyauthorization", "refreshtoken", "secret", "sessiontoken",
    "setcookie", "token", "xapikey",
  ]

  /// The same frame without secrets: strings, arrays and objects under a secret's name, pairs of a name and a value, and
  /// texts that begin like the header `Authorization`.
  package static func apply(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): isCredential(text) ? mark : value
    case .array(let values): array(values)
    case .object(let object): .object(self.object(object))
    case .null, .bool, .integer, .unsigned, .double: value
    }
  }

  private static func array(_ values: [JSONValue]) -> JSONValue {
    // A header as a pair: ["Cookie", "a=b"].
    if values.count == 2, case .string(let name) = values[0], isSecret(name), case .string = values[1] {
      return .array([values[0], mark])
    }
    return .array(values.map(apply))
  }

  private static func object(_ object: JSONObject) -> JSONObject {
    // {"name": "Cookie", "value": "a=b"}, and a key of a store with its value.
    let named = ["name", "key"].contains { object[$0]?.stringValue.map(isSecret) ?? false }
    return JSONObject(
      object.map { key, value in
        if isSecret(key) || (named && key == "value") { return (key, hidden(value)) }
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

  private static func isSecret(_ name: String) -> Bool {
    names.contains(String(name.lowercased().filter { $0 != "-" && $0 != "_" }))
  }

  private static func isCredential(_ text: String) -> Bool {
    let beginning = text.prefix(7).lowercased()
    return beginning.hasPrefix("bearer ") || (beginning.hasPrefix("basic ") && text.utf8.count > 8)
  }
}
