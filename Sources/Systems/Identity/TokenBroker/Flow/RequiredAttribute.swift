internal import JSON
internal import Text

/// An attribute that an account needs.
package struct RequiredAttribute: Sendable, Equatable {
  package let name: String
  /// `string`, `boolean`, `integer`; the server's word.
  package let kind: String
  package let isRequired: Bool
  /// What its value has to match, in the words of the server.
  package let pattern: String?

  init?(_ object: JSONObject) {
    guard let name = object["name"]?.stringValue, (1...256).contains(name.utf8.count) else { return nil }
    self.name = quotable(name)
    kind = object["type"]?.stringValue.map { quotable($0) } ?? "string"
    isRequired = object["required"]?.boolValue ?? (object["required"]?.stringValue != "false")
    pattern = object["options"]?["regex"]?.stringValue.map { quotable($0) }
  }
}
