import JSON

/// The metadata of a fragment, by their types.
enum FragmentMetadata {
  private static let types = ["string", "int", "float", "boolean", "calendar"]

  static func json(of view: FragmentView) -> JSONValue {
    var groups: [String: [JSONValue]] = [:]
    func add(_ group: String, _ name: String, _ value: JSONValue) {
      groups[group, default: []].append(["name": .string(name), "value": value])
    }
    let fragment = view.fragment
    let title = view.variation.flatMap { fragment.variations[$0].title } ?? fragment.title
    add("stringMetadata", "title", .string(title))
    add("stringMetadata", "description", .string(fragment.words))
    if !fragment.tags.isEmpty { add("stringArrayMetadata", "cq:tags", .array(fragment.tags.map(JSONValue.string))) }
    for (name, value) in fragment.metadata {
      if case .array(let values) = value {
        add("\(type(of: values))ArrayMetadata", name, value)
      } else {
        add("\(type(of: [value]))Metadata", name, value)
      }
    }
    var object = JSONObject()
    for group in types.flatMap({ ["\($0)Metadata", "\($0)ArrayMetadata"] }) {
      object[group] = .array(groups[group] ?? [])
    }
    return .object(object)
  }

  /// The type that all values have.
  private static func type(of values: [JSONValue]) -> String {
    if values.allSatisfy({ $0.boolValue != nil }), !values.isEmpty { return "boolean" }
    if values.allSatisfy({ $0.integerValue.flatMap { Int32(exactly: $0) } != nil }), !values.isEmpty { return "int" }
    if values.allSatisfy({ $0.doubleValue != nil }), !values.isEmpty { return "float" }
    let isMoments = values.allSatisfy { $0.stringValue.map { Moment($0, .dateTime) != nil } == true }
    return isMoments && !values.isEmpty ? "calendar" : "string"
  }
}
