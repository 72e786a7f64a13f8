/// A part of an expression.
struct CELNode: Sendable {
  indirect enum Kind: Sendable {
    case literal(CELValue)
    case name(String)
    /// `a.b`.
    case member(CELNode, String)
    /// `has(a.b)`.
    case has(CELNode, String)
    /// `a[b]`.
    case element(CELNode, CELNode)
    /// `f(a)`, or `a.f(b)` with the receiver as the first operand.
    case call(CELFunction, [CELNode])
    case list([CELNode])
    case map([(key: CELNode, value: CELNode)])
    case not(CELNode)
    case negative(CELNode)
    case binary(CELOperator, CELNode, CELNode)
    /// All operands of a chain.
    case and([CELNode])
    case or([CELNode])
    case conditional(CELNode, CELNode, CELNode)
    case macro(CELMacro, range: CELNode, variable: String, [CELNode])
  }

  let kind: Kind
  /// UTF-8 bytes from the start of the text.
  let offset: Int
  /// Levels of operands, with this one.
  let height: Int

  var operands: [CELNode] {
    switch kind {
    case .literal, .name: []
    case .member(let node, _), .has(let node, _), .not(let node), .negative(let node): [node]
    case .element(let one, let other), .binary(_, let one, let other): [one, other]
    case .call(_, let nodes), .list(let nodes), .and(let nodes), .or(let nodes): nodes
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .conditional(let one, let two, let three): [one, two, three]
    case .macro(_, let range, _, let nodes): [range] + nodes
    }
  }
}

/// An operator between two operands, but for `&&` and `||`.
enum CELOperator: String, Sendable {
  case equal = "=="
  case unequal = "!="
  case less = "<"
  case atMost = "<="
  case greater = ">"
  case atLeast = ">="
  case element = "in"
  case plus = "+"
  case minus = "-"
  case times = "*"
  case over = "/"
  case modulo = "%"

  /// The higher binds more closely; `||` is 1 and `&&` is 2.
  var precedence: Int {
    switch self {
    case .equal, .unequal, .less, .atMost, .greater, .atLeast, .element: 3
    case .plus, .minus: 4
    case .times, .over, .modulo: 5
    }
  }
}

/// The macros that iterate over the elements of a list or the keys of a map.
enum CELMacro: String, Sendable, CaseIterable {
  case all, exists, filter, map
  case existsOne = "exists_one"
}
