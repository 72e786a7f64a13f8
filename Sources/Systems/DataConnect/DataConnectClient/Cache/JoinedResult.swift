internal import JSON

/// Puts a result together again; see ``SplitResult``.
struct JoinedResult {
  private var shapes: [[(name: String, isOwn: Bool)]] = []
  private let entities: [String: JSONObject]

  /// - Returns: `nil` when something is missing or not as it was written.
  static func data(of tree: JSONValue, entities: [String: JSONObject]) -> JSONValue? {
    guard let shapes = tree[0]?.arrayValue, let node = tree[1] else { return nil }
    var joiner = JoinedResult(entities: entities)
    for shape in shapes {
      guard let members = shape.arrayValue else { return nil }
      joiner.shapes.append(members.map { ($0.stringValue ?? $0[0]?.stringValue ?? "", $0.arrayValue != nil) })
    }
    return joiner.value(of: node)
  }

  private init(entities: [String: JSONObject]) { self.entities = entities }

  private func value(of node: JSONValue) -> JSONValue? {
    guard let parts = node.arrayValue, let kind = parts.first?.integerValue else { return nil }
    switch kind {
    case 0: return parts.count == 2 ? parts[1] : nil
    case 1: return entity(parts)
    case 2:
      var object = JSONObject()
      object.reserveCapacity(parts.count / 2)
      for place in stride(from: 1, to: parts.count - 1, by: 2) {
        guard let name = parts[place].stringValue, let value = value(of: parts[place + 1]) else { return nil }
        object[name] = value
      }
      return .object(object)
    case 3:
      var list: [JSONValue] = []
      list.reserveCapacity(parts.count)
      for part in parts.dropFirst() {
        guard let value = value(of: part) else { return nil }
        list.append(value)
      }
      return .array(list)
    default: return nil
    }
  }

  private func entity(_ parts: [JSONValue]) -> JSONValue? {
    guard parts.count >= 3, let name = parts[1].stringValue, let shared = entities[name],
      let number = parts[2].integerValue.flatMap({ Int(exactly: $0) }), shapes.indices.contains(number)
    else { return nil }
    var own = parts.dropFirst(3)
    var object = JSONObject()
    object.reserveCapacity(shapes[number].count)
    for (name, isOwn) in shapes[number] {
      guard let value = isOwn ? own.popFirst().flatMap(value) : shared[name] else { return nil }
      object[name] = value
    }
    return .object(object)
  }
}
