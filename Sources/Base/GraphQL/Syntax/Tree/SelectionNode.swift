/// What a selection set has.
package enum SelectionNode: Sendable, Hashable {
  case field(FieldNode)
  case spread(FragmentSpreadNode)
  case inline(InlineFragmentNode)

  /// Where the selection begins.
  package var position: SourcePosition {
    switch self {
    case .field(let field): field.position
    case .spread(let spread): spread.position
    case .inline(let inline): inline.position
    }
  }

  /// The directives on the selection, such as `@include`.
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
  /// The name for the response; `nil` when it is the field's own.
  package let alias: NameNode?
  /// The name of the field.
  package let name: NameNode
  /// The arguments, in the order of the source.
  package let arguments: [ArgumentNode]
  /// The directives on the field.
  package let directives: [DirectiveNode]
  /// Empty when it has no selection set: none is written without a selection.
  package let selections: [SelectionNode]

  /// The name that its value has in a response: the alias, if there is one.
  package var responseName: String { alias?.text ?? name.text }
  /// Where the selection begins: at the alias, if there is one.
  package var position: SourcePosition { alias?.position ?? name.position }
}

/// A fragment spread: `...name`.
package struct FragmentSpreadNode: Sendable, Hashable {
  /// The name of the fragment.
  package let name: NameNode
  /// The directives on the spread.
  package let directives: [DirectiveNode]
  /// Where the spread begins.
  package let position: SourcePosition
}

/// `... on Type { }`, or without the type.
package struct InlineFragmentNode: Sendable, Hashable {
  /// The type to which the selections apply; `nil` for any.
  package let typeCondition: NameNode?
  /// The directives on the fragment.
  package let directives: [DirectiveNode]
  /// The fields and fragments that it selects.
  package let selections: [SelectionNode]
  /// Where the fragment begins.
  package let position: SourcePosition
}
