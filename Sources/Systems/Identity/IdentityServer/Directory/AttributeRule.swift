import JSON

/// An attribute that sign-up asks for.
package struct AttributeRule: Sendable, Equatable {
  /// The attribute's name.
  package var name: String
  /// `string`, `boolean` or `number`: what the form shows.
  package var type: String
  /// Whether sign-up demands a value.
  package var isRequired: Bool
  /// The regular expression that the whole value has to match; nil for none.
  package var pattern: String?

  /// Creates a rule from an attribute's name, its type and the pattern of its values.
  package init(_ name: String, type: String = "string", isRequired: Bool = true, pattern: String? = nil) {
    self.name = name
    self.type = type
    self.isRequired = isRequired
    self.pattern = pattern
  }

  /// The rule in the form of the native authentication API.
  var value: JSONValue {
    var object: JSONObject = ["name": .string(name), "type": .string(type), "required": .bool(isRequired)]
    if let pattern { object["options"] = ["regex": .string(pattern)] }
    return .object(object)
  }

  func allows(_ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("boolean", .bool), ("number", .integer), ("number", .double): return true
    case ("boolean", .string(let text)): return text == "true" || text == "false"
    case (_, .string(let text)):
      guard !text.isEmpty, text.utf8.count <= 256 else { return false }
      guard let pattern, let regex = try? Regex(pattern) else { return true }
      return (try? regex.wholeMatch(in: text)) != nil
    default: return false
    }
  }
}
