import JSON

/// What the text of a statement may depend on of a variable, beside its values: what is set, null, true or false, also in
/// an object such as a key, a filter or the data of a row.
///
/// A client chooses objects, and a form is kept: so it tells the members of small ones only.
enum VariableForm: Hashable, Sendable {
  case unset, null, no, yes, other
  indirect case object([Member])

  struct Member: Hashable, Sendable {
    let name: String
    let form: VariableForm
  }

  /// How deep objects are told, of how many members each, and of how many bytes in names.
  private static let (deepest, mostMembers, mostBytes) = (3, 16, 512)

  init(_ value: JSONValue?) { self.init(value, depth: 0) }

  private init(_ value: JSONValue?, depth: Int) {
    switch value {
    case nil: self = .unset
    case .null: self = .null
    case .bool(let truth): self = truth ? .yes : .no
    case .object(let object) where Self.tells(object, depth: depth):
      self = .object(object.map { Member(name: $0.key, form: VariableForm($0.value, depth: depth + 1)) })
    default: self = .other
    }
  }

  /// Whether the form of a variable tells the members of an object in it.
  ///
  /// - Parameter depth: in how many objects of the variable it lies; the form tells the members of these, too.
  static func tells(_ object: JSONObject, depth: Int) -> Bool {
    depth < deepest && object.count <= mostMembers
      && object.reduce(0, { $0 + $1.key.utf8.count }) <= mostBytes
  }
}
