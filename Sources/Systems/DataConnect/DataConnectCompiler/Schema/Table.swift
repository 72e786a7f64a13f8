package import GraphQL

/// A table or a view of a schema, with everything that is implied.
package struct Table: Sendable {
  package enum Kind: Sendable, Hashable {
    case table
    /// A view: of this statement, or the one that the database has.
    case view(sql: String?)
  }

  /// The name of its type.
  package let name: String
  package let kind: Kind
  package let sqlName: String
  /// What single rows are called: `movie`.
  package let singular: String
  /// What several rows are called: `movies`.
  package let plural: String
  /// The columns as they are declared, those that nobody wrote behind them.
  package internal(set) var columns: [Column] = []
  /// The names of the columns that tell a row; a view has none.
  package internal(set) var key: [String] = []
  package internal(set) var references: [Reference] = []
  /// The fields that lead back, lists first, each sorted by name.
  package internal(set) var reverse: [ReverseRelation] = []
  package internal(set) var joins: [JoinRelation] = []
  package internal(set) var uniques: [UniqueConstraint] = []
  package internal(set) var indexes: [TableIndex] = []
  package let description: String?
  package let position: SourcePosition

  package var isView: Bool { kind != .table }

  /// The column with this name.
  package func column(_ name: String) -> Column? { columns.first { $0.name == name } }
  /// The reference with this field.
  package func reference(_ field: String) -> Reference? { references.first { $0.field == field } }

  /// Whether there is an argument `id`, which is where the key is a column of this name alone.
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

/// An enumeration of a schema; its values are ordered as they are declared.
package struct DataEnumeration: Sendable {
  package let name: String
  package let sqlName: String
  package let values: [String]
  package let description: String?
  package let position: SourcePosition
}
