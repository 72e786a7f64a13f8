import JSON

/// The value of a field.
enum FieldValue: Sendable {
  case null
  /// A value of a scalar, as the schema has it.
  case scalar(JSONValue)
  case text(TextValue)
  /// The path of an asset, a page or a fragment.
  case reference(String)
  case list([FieldValue])

  /// The values of a list; one value is a list of one.
  var elements: [FieldValue] {
    switch self {
    case .null: []
    case .list(let values): values
    default: [self]
    }
  }
}
