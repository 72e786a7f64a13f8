/// What a selection set has.
package enum SelectionNode: Sendable, Hashable {
  case field(FieldNode)
  case spread(FragmentSpreadNode)
  case inline(InlineFragmentNode)

  package var position: SourcePosition {
    switch self {
    case .field(let field): field.position
    case .spread(let spread): spread.position
    case .inline(let inline): inline.position
    }
  }

  package var directives: [DirectiveNode] {
    switch self {
    case .field(let field): field.directives
    case .spread(let spread): spread.directives
    case .inline(let inline): inline.directives
    }
  }
}

/// A field that is asked for.
package struct FieldNode: Sendable, Hashable {
  package let alias: NameNode?
  package let name: NameNode
  package let arguments: [ArgumentNode]
  package let directives: [DirectiveNode]
  /// Empty when it has no selection set: none is written without a selection.
  package let selections: [SelectionNode]

  /// The name that its value has in a response: the alias, if there is one.
  package var responseName: String { alias?.text ?? name.text }
  package var position: SourcePosition { alias?.position ?? name.position }
}

/// A fragment spread: `...name`.
package struct FragmentSpreadNode: Sendable, Hashable {
  package let name: NameNode
  package let directives: [DirectiveNode]
  package let position: SourcePosition
}

/// `... on Type { }`, or without the type.
package struct InlineFragmentNode: Sendable, Hashable {
  package let typeCondition: NameNode?
  package let directives: [DirectiveNode]
  package let selections: [SelectionNode]
  package let position: SourcePosition
}
