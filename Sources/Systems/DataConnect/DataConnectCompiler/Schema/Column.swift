package import GraphQL

/// The type of a column.
package struct ColumnType: Sendable, Hashable {
  /// A scalar or an enumeration, alone or in a list.
  package enum Base: Sendable, Hashable {
    case scalar(DataScalar)
    case enumeration(String)

    /// The name that the schema has for it.
    package var name: String {
      switch self {
      case .scalar(let scalar): scalar.rawValue
      case .enumeration(let name): name
      }
    }
  }

  package let base: Base
  package let isList: Bool
  /// Whether the elements of a list cannot be null.
  package let hasNonNullElements: Bool
  package let isNonNull: Bool

  package init(_ base: Base, isList: Bool = false, hasNonNullElements: Bool = false, isNonNull: Bool) {
    self.base = base
    self.isList = isList
    self.hasNonNullElements = hasNonNullElements
    self.isNonNull = isNonNull
  }

  /// The scalar of a column that is no list.
  package var scalar: DataScalar? { if case .scalar(let scalar) = base, !isList { scalar } else { nil } }

  /// As the schema writes it: `[String!]!`.
  package var text: String { nullableText + (isNonNull ? "!" : "") }
  /// Without the last `!`.
  package var nullableText: String { isList ? "[\(base.name)\(hasNonNullElements ? "!" : "")]" : base.name }
}

/// What a column gets where an insert says nothing.
package enum ColumnDefault: Sendable, Hashable {
  case value(ValueNode)
  /// An expression in CEL.
  case expression(String)
  /// An expression in SQL.
  case sql(String)
}

/// A column of a table or a view.
package struct Column: Sendable, Hashable {
  package let name: String
  package let type: ColumnType
  package let sqlName: String
  /// The whole type that PostgreSQL has for it: `text[]`, `vector(768)`, `varchar(50)`.
  package let sqlType: String
  package let defaultValue: ColumnDefault?
  /// Why there is one that nobody wrote.
  package let origin: Origin
  /// The language of the words that a full-text search finds in it.
  package let searchLanguage: String?
  package let description: String?
  /// Where it is defined; for a foreign key that nobody wrote the place of the reference.
  package let position: SourcePosition

  package enum Origin: Sendable, Hashable {
    case declared
    /// The key `id` of a table without one.
    case implicitKey
    /// The foreign key of this reference.
    case implicitForeignKey(of: String)
  }
}
