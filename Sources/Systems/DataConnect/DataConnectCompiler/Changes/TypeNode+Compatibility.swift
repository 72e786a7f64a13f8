import GraphQL

extension TypeNode {
  var shownType: String { GraphQLPrinter.text(of: self).shown }

  /// Whether every value of another type can be given where this one is wanted.
  ///
  /// - Parameter ignoringNull: whether null is no matter at the outermost level.
  func accepts(_ other: TypeNode, ignoringNull: Bool) -> Bool {
    if isNonNull, !other.isNonNull, !ignoringNull { return false }
    switch (nullable, other.nullable) {
    case (.list(let mine, _), .list(let other, _)): return mine.accepts(other, ignoringNull: false)
    // One value stands for a list of one, and null for no list.
    case (.list(let mine, _), let other): return mine.accepts(other, ignoringNull: true)
    case (.named(let mine), .named(let other)): return mine.text == other.text
    default: return false
    }
  }

  /// Whether a client that expects another type understands every result of this one.
  ///
  /// - Parameter isObject: whether what is inside is compared field by field.
  func gives(_ other: TypeNode, isObject: Bool) -> Bool {
    if other.isNonNull, !isNonNull { return false }
    switch (nullable, other.nullable) {
    case (.list(let mine, _), .list(let other, _)): return mine.gives(other, isObject: isObject)
    case (.named(let mine), .named(let other)): return isObject || mine.text == other.text
    default: return false
    }
  }
}

extension CompiledField {
  /// Whether a client that expects the result of another field understands that of this one.
  func hasResult(of other: CompiledField) -> Bool {
    fields.isEmpty == other.fields.isEmpty && type.gives(other.type, isObject: !fields.isEmpty)
  }
}
