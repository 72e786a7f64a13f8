/// A structure that is read and written as a JSON object without going through the containers of `Codable`, several
/// times as fast.
///
/// The type lists its stored properties once, and gets `Codable` from that, with every coder:
///
/// ```swift
/// struct Item: JSONShaped {
///   var id: Int
///   var tags: [String]
///   static let jsonShape = JSONShape<Item>(JSONMember("id", \.id), JSONMember("tags", \.tags))
/// }
/// ```
///
/// The text is the one that synthesised `Codable` gives: a property that is `nil` is left out; when reading, a member
/// that is missing or null is `nil`, members that the type does not have are skipped, and a value of another kind is a
/// `DecodingError` with its coding path.
public protocol JSONShaped: Codable {
  /// The members, one for each stored property. A `static let`, as making a shape is not cheap.
  static var jsonShape: JSONShape<Self> { get }
}

extension JSONShaped {
  /// Reads the members.
  ///
  /// - Throws: `DecodingError` for a member that is missing or has another kind of value.
  public init(from decoder: any Decoder) throws {
    if let wire = decoder.ownDecoder, let value = try wire.shaped(Self.self) {
      self = value
      return
    }
    self = try Self.jsonShape.decode(from: decoder.container(keyedBy: JSONKey.self))
  }

  /// Writes the members in the order of the shape.
  ///
  /// - Throws: `EncodingError` for a number that JSON does not have.
  public func encode(to encoder: any Encoder) throws {
    if let wire = encoder.ownEncoder {
      try wire.write(shaped: self)
      return
    }
    var container = encoder.container(keyedBy: JSONKey.self)
    try Self.jsonShape.encode(self, to: &container)
  }
}

/// One member of a shape: its name in JSON and the stored property that holds its value.
public struct JSONMember<Root> {
  let name: String
  let offset: Int?
  let operation: ShapeOperation

  /// - Parameters:
  ///   - name: the name in JSON.
  ///   - path: a stored property of the structure itself. Any `Codable` type will do. Numbers, Booleans, strings, values
  ///     of any kind, other shapes, and optionals and arrays of these are read and written fastest.
  public init<Value: Codable>(_ name: String, _ path: KeyPath<Root, Value>) {
    self.name = name
    offset = MemoryLayout<Root>.offset(of: path)
    operation = ShapeOperation.make(for: Value.self)
  }
}
