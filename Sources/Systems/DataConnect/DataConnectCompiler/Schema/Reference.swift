package import GraphQL

/// A field that refers to one row of another table, with its foreign key.
package struct Reference: Sendable, Hashable {
  /// The name of the field.
  package let field: String
  /// The name of the referenced table.
  package let target: String
  /// The columns of this table that form the foreign key.
  package let columns: [String]
  /// The columns of the referenced table that the foreign key matches, in the same order.
  package let targetColumns: [String]
  /// Whether every row refers to another row; otherwise the field may be null.
  package let isNonNull: Bool
  /// Whether at most one row may refer to the same row (a one-to-one relation).
  package let isUnique: Bool
  /// The name of the foreign key constraint in the database.
  package let constraintName: String
  /// Where the field is declared.
  package let position: SourcePosition

  /// What the database does with a row when the referenced row is deleted.
  package var onDelete: OnDelete { isNonNull ? .cascade : .setNull }

  /// The actions of `ON DELETE` that a foreign key may have.
  package enum OnDelete: String, Sendable, Hashable {
    case cascade = "CASCADE"
    case setNull = "SET NULL"
  }
}

/// A generated field that lists the rows which refer to this one.
package struct ReverseRelation: Sendable, Hashable {
  /// The name of the generated field.
  package let field: String
  /// The table or view that holds the reference.
  package let source: String
  /// The name of the reference field in that table.
  package let reference: String
  /// Whether the field is a single row or null instead of a list.
  package let isOne: Bool
}

/// A generated field that lists the rows at the other end of a join table.
package struct JoinRelation: Sendable, Hashable {
  /// The name of the generated field.
  package let field: String
  /// The name of the join table.
  package let joinTable: String
  /// The reference of the join table that refers to this table.
  package let near: String
  /// The reference of the join table that refers to the listed rows.
  package let far: String
  /// The table of the listed rows.
  package let target: String
}
