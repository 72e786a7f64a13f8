/// How many fields a definition has, and how deep they are nested, with its fragments put in wherever they are spread.
struct ExpandedSizes {
  struct Size {
    var fields = 0
    var depth = 0
  }

  /// By the index of the definition; sums stop at a bound that no limit reaches.
  private(set) var sizes: [Size]
  /// Definitions that a spread leads back to, with the spread.
  private(set) var cycles: [(index: Int, spread: FragmentSpreadNode)] = []

  static let bound = 1 << 40

  /// Finishes each definition after the fragments that it spreads, without recursion, because chains of fragments may
  /// be long.
  init(_ definitions: [DefinitionNode], _ fragments: [String: Int]) {
    sizes = [Size](repeating: Size(), count: definitions.count)
    let spreads = definitions.map(Self.spreads)
    var state = [UInt8](repeating: 0, count: definitions.count)
    for start in definitions.indices where state[start] == 0 {
      var way: [(index: Int, next: Int)] = [(start, 0)]
      state[start] = 1
      while let last = way.last {
        guard last.next < spreads[last.index].count else {
          sizes[last.index] = Self.size(definitions[last.index].selections, fragments, sizes)
          state[last.index] = 2
          way.removeLast()
          continue
        }
        way[way.count - 1].next += 1
        let spread = spreads[last.index][last.next]
        guard let index = fragments[spread.name.text] else { continue }
        if state[index] == 1 { cycles.append((last.index, spread)) }
        if state[index] == 0 {
          state[index] = 1
          way.append((index, 0))
        }
      }
    }
  }

  private static func spreads(_ definition: DefinitionNode) -> [FragmentSpreadNode] {
    var found: [FragmentSpreadNode] = []
    var waiting = definition.selections
    while let next = waiting.popLast() {
      switch next {
      case .field(let node): waiting += node.selections
      case .inline(let node): waiting += node.selections
      case .spread(let node): found.append(node)
      }
    }
    return found
  }

  private static func size(_ selections: [SelectionNode], _ fragments: [String: Int], _ sizes: [Size]) -> Size {
    var size = Size()
    for selection in selections {
      let inner: Size
      switch selection {
      case .field(let node):
        let below = Self.size(node.selections, fragments, sizes)
        inner = Size(fields: below.fields + 1, depth: below.depth + 1)
      case .inline(let node): inner = Self.size(node.selections, fragments, sizes)
      case .spread(let node): inner = fragments[node.name.text].map { sizes[$0] } ?? Size()
      }
      size.fields = min(bound, size.fields + inner.fields)
      size.depth = max(size.depth, inner.depth)
    }
    return size
  }
}

extension DefinitionNode {
  /// What an operation or a fragment selects.
  var selections: [SelectionNode] {
    switch self {
    case .operation(let node): node.selections
    case .fragment(let node): node.selections
    default: []
    }
  }
}
