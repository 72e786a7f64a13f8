package import GraphQL

/// A table or a view of a schema, with its generated columns and relations.
package struct Table: Sendable {
  /// Whether the type is a table or a view.
  package enum Kind: Sendable, Hashable {
    case table
    /// A view: defined by this SQL statement, or by the database when the statement is `nil`.
    case view(sql: String?)
  }

  /// The name of the type in the schema.
  package let name: String
  /// Whether it is a table or a view.
  package let kind: Kind
  /// The name of the table in PostgreSQL.
  package let sqlName: String
  /// The name of the fields that return one row, such as `movie`.
  package let singular: String
  /// The name of the fields that return several rows, such as `movies`.
  package let plural: String
  /// The columns: declared ones in their order, then those that the compiler added.
  package internal(set) var columns: [Column] = []
  /// The names of the columns of the primary key; empty for a view.
  package internal(set) var key: [String] = []
  /// The fields that refer to a row of another table.
  package internal(set) var references: [Reference] = []
  /// The generated fields that list referring rows: lists first, each group sorted by name.
  package internal(set) var reverse: [ReverseRelation] = []
  /// The generated fields that go through join tables.
  package internal(set) var joins: [JoinRelation] = []
  /// The unique constraints besides the key.
  package internal(set) var uniques: [UniqueConstraint] = []
  /// The indexes besides those of the key and the unique constraints.
  package internal(set) var indexes: [TableIndex] = []
  /// The developer's description from the schema, or `nil`.
  package let description: String?
  /// Where the type is declared.
  package let position: SourcePosition

  /// The name that the table has in PostgreSQL when the schema gives it none.
  package var usualSQLName: String { SQLName.snake(name) }

  /// Whether it is a view, which has no key and cannot be written.
  package var isView: Bool { kind != .table }

  /// Returns the column with this name, or `nil`.
  package func column(_ name: String) -> Column? { columns.first { $0.name == name } }
  /// Returns the reference with this field name, or `nil`.
  package func reference(_ field: String) -> Reference? { references.first { $0.field == field } }

  /// Whether fields take the argument `id`: the key is a single column with this name.
  package var hasIDArgument: Bool { key == ["id"] }

  /// The columns and references as inputs have them: the key, foreign keys, references, and the rest by name.
  var inputColumns: (columns: [Column], references: [Reference], rest: [Column]) {
    let foreign = Set(references.flatMap(\.columns)).subtracting(key)
    let keys = key.compactMap(column)
    let keyed = Set(key)
    return (
      keys + columns.filter { foreign.contains($0.name) }.sorted(byName: \.name),
      references.sorted(byName: \.field),
      columns.filter { !foreign.contains($0.name) && !keyed.contains($0.name) }.sorted(byName: \.name)
    )
  }
}

/// An enumeration of a schema. Its values are ordered as they are declared.
package struct DataEnumeration: Sendable {
  /// The name of the type in the schema.
  package let name: String
  /// The name of the type in PostgreSQL.
  package let sqlName: String
  /// The values, in the order of declaration.
  package let values: [String]
  /// The developer's description from the schema, or `nil`.
  package let description: String?
  /// Where the type is declared.
  package let position: SourcePosition
}

/// Columns whose values together are different in every row.
package struct UniqueConstraint: Sendable, Hashable {
  package let name: String
  package let columns: [String]
}

/// An index of the database.
package struct TableIndex: Sendable, Hashable {
  package let name: String
  package let columns: [String]
  /// For each column whether it descends.
  package let descends: [Bool]
  package let kind: Kind
  /// How vectors are compared.
  package let vectorMethod: String?

  package enum Kind: String, Sendable, Hashable {
    case btree = "BTREE"
    case gin = "GIN"
    case hnsw = "HNSW"
    case ivfflat = "IVFFLAT"
  }
}
