/// A literal value in a document.
package struct ValueNode: Sendable, Hashable {
  /// The value, by its kind.
  package let kind: Kind
  /// Where the value begins.
  package let position: SourcePosition

  /// Creates a value at a position.
  package init(kind: Kind, position: SourcePosition) {
    self.kind = kind
    self.position = position
  }

  /// What is written. Numbers are kept as their text: how large they may be, their type decides.
  package enum Kind: Sendable, Hashable {
    /// A variable, its name without `$`.
    case variable(String)
    case integer(String)
    case float(String)
    case string(String, isBlock: Bool)
    case boolean(Bool)
    case null
    case enumeration(String)
    case list([ValueNode])
    case object([ArgumentNode])
  }

  /// The variables in it, at any depth, in their order.
  package var variables: [NameNode] {
    switch kind {
    case .variable(let name): [NameNode(text: name, position: position)]
    case .list(let values): values.flatMap(\.variables)
    case .object(let fields): fields.flatMap(\.value.variables)
    default: []
    }
  }
}

/// An argument, or a field of an input object: a name and a value.
package struct ArgumentNode: Sendable, Hashable {
  /// The name of the argument or field.
  package let name: NameNode
  /// The value, which may be a variable.
  package let value: ValueNode
}

/// A directive where it is used: `@include(if: $a)`.
package struct DirectiveNode: Sendable, Hashable {
  /// The name without `@`.
  package let name: NameNode
  /// The arguments, in the order of the source.
  package let arguments: [ArgumentNode]
  /// Where its `@` is.
  package let position: SourcePosition
}

extension [ArgumentNode] {
  /// The value of the first argument with this name.
  package subscript(name: String) -> ValueNode? { first { $0.name.text == name }?.value }
}

extension [DirectiveNode] {
  /// The first directive with this name.
  package subscript(name: String) -> DirectiveNode? { first { $0.name.text == name } }
}
