/// A name, and where it stands.
package struct NameNode: Sendable, Hashable {
  /// The name.
  package let text: String
  /// Where the name begins.
  package let position: SourcePosition

  /// Creates a name at a position.
  package init(text: String, position: SourcePosition) {
    self.text = text
    self.position = position
  }
}

/// A type reference: `Int`, `[Movie!]!`.
package enum TypeNode: Sendable, Hashable {
  case named(NameNode)
  indirect case list(TypeNode, position: SourcePosition)
  indirect case nonNull(TypeNode)

  /// The position of its first character.
  package var position: SourcePosition {
    switch self {
    case .named(let name): name.position
    case .list(_, let position): position
    case .nonNull(let inner): inner.position
    }
  }

  /// The name inside of all lists.
  package var name: NameNode {
    switch self {
    case .named(let name): name
    case .list(let inner, _), .nonNull(let inner): inner.name
    }
  }
}
