internal import JSONRPC

/// `sort: "price DESC, title ASC"`.
struct SortOrder {
  private let keys: [(field: String, isDescending: Bool)]
  private static let fields = [
    "_path", "slug", "title", "adventureType", "activity", "difficulty", "groupSize", "price", "tripLength",
  ]

  init(_ text: String) throws(QueryError) {
    var keys: [(field: String, isDescending: Bool)] = []
    for part in text.split(separator: ",") {
      let words = part.split(separator: " ").map { String($0) }
      guard let field = words.first, words.count <= 2, Self.fields.contains(field) else {
        throw QueryError("Invalid sort expression: '\(text)'")
      }
      let direction = words.count == 2 ? words[1].uppercased() : "ASC"
      guard direction == "ASC" || direction == "DESC" else {
        throw QueryError("Invalid sort direction: '\(direction)'")
      }
      keys.append((field, direction == "DESC"))
    }
    self.keys = keys
  }

  /// Stable: what is equal keeps the order of paths. Null comes first.
  func sort(_ items: inout [Adventure]) {
    let sorted = items.enumerated().sorted { left, right in
      for key in keys {
        let order = Self.compare(left.element.fields[key.field] ?? .null, right.element.fields[key.field] ?? .null)
        if order != 0 { return key.isDescending ? order > 0 : order < 0 }
      }
      return left.offset < right.offset
    }
    items = sorted.map(\.element)
  }

  private static func compare(_ left: JSONValue, _ right: JSONValue) -> Int {
    if let left = left.doubleValue, let right = right.doubleValue { return left < right ? -1 : left > right ? 1 : 0 }
    if let left = left.stringValue, let right = right.stringValue { return left < right ? -1 : left > right ? 1 : 0 }
    return (left.isNull ? 0 : 1) - (right.isNull ? 0 : 1)
  }
}
