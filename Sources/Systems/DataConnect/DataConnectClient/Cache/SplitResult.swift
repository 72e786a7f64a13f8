internal import JSON

/// A result in two parts: the entities, which other results share, and the tree that contains them.
///
/// An entity has the members of its object that are neither objects nor lists of objects, under their names in the
/// response. The other members belong to the result: two queries may select a list of the same name with different
/// arguments.
///
/// The tree in JSON: `[shapes, node]`. A node is `[0, value]`; `[1, entity, shape, node…]` with one node for each member
/// of the shape that is the result's own; `[2, name, node, …]` for an object; `[3, node…]` for a list. A shape lists the
/// names of an object in order, those of the result's own as `[name]`.
struct SplitResult: Sendable, Equatable {
  var tree: JSONValue
  /// The entities by their identifiers.
  var entities: [String: JSONObject]

  init(_ data: JSONValue, hints: [CacheHint]) {
    var splitter = Splitter()
    let hints = HintTree(hints)
    let node = splitter.node(data, hints, entity: hints.entity)
    tree = [.array(splitter.shapes), node]
    entities = splitter.entities
  }
}

private struct Splitter {
  var shapes: [JSONValue] = []
  var entities: [String: JSONObject] = [:]
  private var numbers: [JSONValue: Int] = [:]
  /// Rows of a list are alike: the last shape is most often the next one too.
  private var last: (shape: JSONValue, number: Int) = (.null, 0)

  mutating func node(_ value: JSONValue, _ hints: HintTree?, entity: String?) -> JSONValue {
    switch value {
    case .object(let object):
      if let entity { return node(object, of: entity, hints) }
      guard let hints else { break }
      var parts: [JSONValue] = [2]
      for (name, value) in object {
        let below = hints.member(name)
        parts.append(.string(name))
        parts.append(node(value, below, entity: below?.entity))
      }
      return .array(parts)
    case .array(let list):
      guard let hints else { break }
      var parts: [JSONValue] = [3]
      parts.reserveCapacity(list.count + 1)
      for (index, value) in list.enumerated() {
        parts.append(node(value, hints.element(index), entity: hints.entity(ofElement: index)))
      }
      return .array(parts)
    default: break
    }
    return [0, value]
  }

  private mutating func node(_ object: JSONObject, of entity: String, _ hints: HintTree?) -> JSONValue {
    var shape: [JSONValue] = []
    shape.reserveCapacity(object.count)
    var own: [JSONValue] = []
    var shared = entities.removeValue(forKey: entity) ?? [:]
    for (name, value) in object {
      if value.isShared {
        shape.append(.string(name))
        shared[name] = value
      } else {
        let below = hints?.member(name)
        shape.append([.string(name)])
        own.append(node(value, below, entity: below?.entity))
      }
    }
    // The same entity may stand inside of itself.
    for (name, value) in entities[entity] ?? [:] { shared[name] = value }
    entities[entity] = shared
    return .array([1, .string(entity), JSONValue(number(of: .array(shape)))] + own)
  }

  private mutating func number(of shape: JSONValue) -> Int {
    if shape == last.shape { return last.number }
    let number = numbers[shape] ?? shapes.count
    if number == shapes.count {
      shapes.append(shape)
      numbers[shape] = number
    }
    last = (shape, number)
    return number
  }
}

extension JSONValue {
  /// Whether a member of an entity is the entity's: no object, no list of objects.
  fileprivate var isShared: Bool {
    switch self {
    case .object: false
    case .array(let list): list.allSatisfy(\.isShared)
    default: true
    }
  }
}
