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
