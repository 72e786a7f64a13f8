package import GraphQL

/// The type of a column.
package struct ColumnType: Sendable, Hashable {
  /// A scalar or an enumeration, alone or in a list.
  package enum Base: Sendable, Hashable {
    case scalar(DataScalar)
    case enumeration(String)

    /// The name of the type in the schema.
    package var name: String {
      switch self {
      case .scalar(let scalar): scalar.rawValue
      case .enumeration(let name): name
      }
    }
  }

  /// The type of the value, or of each element of a list.
  package let base: Base
  /// Whether the column holds a list.
  package let isList: Bool
  /// Whether the elements of a list cannot be null.
  package let hasNonNullElements: Bool
  /// Whether the column itself cannot be null.
  package let isNonNull: Bool

  /// Creates a column type.
  ///
  /// - Parameters:
  ///   - base: the type of the value or of each element.
  ///   - isList: whether the column holds a list.
  ///   - hasNonNullElements: whether list elements cannot be null; no effect without a list.
  ///   - isNonNull: whether the column itself cannot be null.
  package init(_ base: Base, isList: Bool = false, hasNonNullElements: Bool = false, isNonNull: Bool) {
    self.base = base
    self.isList = isList
    self.hasNonNullElements = hasNonNullElements
    self.isNonNull = isNonNull
  }

  /// The scalar type of the column; `nil` for lists and enumerations.
  package var scalar: DataScalar? { if case .scalar(let scalar) = base, !isList { scalar } else { nil } }

  /// The type as the schema writes it, such as `[String!]!`.
  package var text: String { nullableText + (isNonNull ? "!" : "") }
  /// The type without the final `!`.
  package var nullableText: String { isList ? "[\(base.name)\(hasNonNullElements ? "!" : "")]" : base.name }
}

/// The value of a column when an insert does not set it.
package enum ColumnDefault: Sendable, Hashable {
  case value(ValueNode)
  /// An expression in CEL.
  case expression(String)
  /// An expression in SQL.
  case sql(String)
}

/// A column of a table or a view.
package struct Column: Sendable, Hashable {
  /// The name of the field in the schema.
  package let name: String
  /// The type in GraphQL.
  package let type: ColumnType
  /// The name of the column in PostgreSQL.
  package let sqlName: String
  /// The complete type in PostgreSQL: `text[]`, `vector(768)`, `varchar(50)`.
  package let sqlType: String
  /// The value when an insert does not set the column; `nil` for null.
  package let defaultValue: ColumnDefault?
  /// Whether the developer declared the column or the compiler added it.
  package let origin: Origin
  /// The language of full-text search in this column, such as `english`; `nil` when it is not searchable.
  package let searchLanguage: String?
  /// The developer's description from the schema, or `nil`.
  package let description: String?
  /// The place of the definition; for a foreign key that the compiler added, the place of the reference.
  package let position: SourcePosition

  /// Why a table has a column.
  package enum Origin: Sendable, Hashable {
    case declared
    /// The compiler added the key `id`, because the table declares none.
    case implicitKey
    /// The compiler added the foreign key of this reference.
    case implicitForeignKey(of: String)
  }
}
