package import GraphQL

/// A field that leads to one row of another table, and the foreign key behind it.
package struct Reference: Sendable, Hashable {
  package let field: String
  /// The name of the table that it leads to.
  package let target: String
  /// The columns of this table that hold the foreign key.
  package let columns: [String]
  /// The columns of the other table that they match, in the same order.
  package let targetColumns: [String]
  package let isNonNull: Bool
  /// Whether at most one row leads to a row of the other table.
  package let isUnique: Bool
  package let constraintName: String
  package let position: SourcePosition

  /// What happens to a row when the one that it leads to is deleted.
  package var onDelete: OnDelete { isNonNull ? .cascade : .setNull }

  package enum OnDelete: String, Sendable, Hashable {
    case cascade = "CASCADE"
    case setNull = "SET NULL"
  }
}

/// A field that leads back to the rows whose reference leads here.
package struct ReverseRelation: Sendable, Hashable {
  package let field: String
  /// The table or view that has the reference.
  package let source: String
  /// The field of the reference.
  package let reference: String
  /// Whether it is one row, or null, and not a list.
  package let isOne: Bool
}

/// A field that leads through a join table to the rows at its other end.
package struct JoinRelation: Sendable, Hashable {
  package let field: String
  package let joinTable: String
  /// The reference of the join table that leads here.
  package let near: String
  /// The one that leads to the rows.
  package let far: String
  /// The table of the rows.
  package let target: String
}
