/// The members of a JSON object, in order, with a quick look-up by name.
///
/// Equality and hashing do not see the order, as RFC 8259 gives it no meaning. Two spellings of an accent are two names.
public struct JSONObject: Sendable {
  /// A member: its name and its value.
  public typealias Element = (key: String, value: JSONValue)

  private var members: [Member] = []
  /// Positions by name, kept only for objects so large that a search is slower.
  private var index: [MemberName: Int]?

  private struct Member: Sendable, Hashable {
    let name: MemberName
    var value: JSONValue
    var key: String { name.text }
  }

  private static let indexedFrom = 17

  /// An object without members.
  public init() {}

  /// - Parameter members: a later member of the same name replaces the earlier one's value.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    for (key, value) in members { self[key] = value }
  }

  /// Makes space for this many members.
  public mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// The value of a member. Setting a new name appends; setting `nil` removes (`.null` is a value).
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil):
        members.remove(at: position)
        rebuildIndex()
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Appends a member. The caller makes sure that the object has no member of this name.
  mutating func append(_ key: String, _ value: JSONValue) {
    let name = MemberName(text: key)
    members.append(Member(name: name, value: value))
    if index != nil {
      index?[name] = members.count - 1
    } else if members.count >= Self.indexedFrom {
      rebuildIndex()
    }
  }

  private func position(of key: String) -> Int? {
    if let index { return index[MemberName(text: key)] }
    return members.firstIndex { $0.key.hasEqualBytes(key) }
  }

  private mutating func rebuildIndex() {
    guard members.count >= Self.indexedFrom else {
      index = nil
      return
    }
    var index: [MemberName: Int] = [:]
    index.reserveCapacity(members.count)
    for (position, member) in members.enumerated() { index[member.name] = position }
    self.index = index
  }

  /// The names, in order.
  public var keys: [String] { members.map(\.key) }

  /// The values, in order of their names.
  public var values: [JSONValue] { members.map(\.value) }
}

extension JSONObject: RandomAccessCollection {
  /// The position of the first member: 0.
  public var startIndex: Int { 0 }
  /// The number of members.
  public var endIndex: Int { members.count }
  /// The member at a position, in the order in which names were added.
  public subscript(position: Int) -> Element { (members[position].key, members[position].value) }
}

extension JSONObject: Hashable {
  /// Whether both have the same names with the same values, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    if left.members == right.members { return true }
    return left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  /// Hashes the members without regard to their order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(members.count)
    var sum = 0
    for member in members { sum &+= member.hashValue }
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// The members in this order; a name that comes twice keeps the last value.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

extension JSONObject: CustomStringConvertible {
  /// The compact JSON text.
  public var description: String { JSONValue.object(self).description }
}
