import DataConnectCompiler
import GraphQL

/// Everything that a schema needs in a database, one statement each.
struct Creation {
  /// A statement, and what it makes.
  struct Item {
    enum Kind { case enumeration, table, check, index, foreignKey, view }

    let kind: Kind
    /// The name in the database.
    let name: String
    /// The table that it belongs to, or is.
    let table: String
    let sql: String
  }

  let context: ColumnContext
  /// What is omitted, each with its reason.
  private(set) var notices: [String] = []
  /// In an order that works.
  private(set) var items: [Item] = []

  init(_ context: ColumnContext) {
    self.context = context
    let tables = context.schema.tables.filter { !$0.isView }
    for enumeration in context.schema.enumerations { add(enumeration) }
    for table in tables {
      add(.table, table.sqlName, table, text(of: table))
      addChecks(table)
    }
    for table in tables { addIndexes(table) }
    for table in tables { addForeignKeys(table) }
    for view in context.schema.viewsInOrder { add(.view, view.table.sqlName, view.table, text(of: view)) }
  }

  var hasVectors: Bool { context.schema.tables.contains { !$0.isView && !$0.vectors.isEmpty } }

  private func name(_ text: String) -> String { SQL.name(context.namespace, text) }

  private mutating func add(_ kind: Item.Kind, _ name: String, _ table: Table, _ sql: String) {
    items.append(Item(kind: kind, name: name, table: table.sqlName, sql: sql))
  }

  // MARK: Types and tables

  private mutating func add(_ enumeration: DataEnumeration) {
    let values = enumeration.values.map(SQL.text).joined(separator: ", ")
    items.append(
      Item(
        kind: .enumeration, name: enumeration.sqlName, table: enumeration.sqlName,
        sql: "CREATE TYPE \(name(enumeration.sqlName)) AS ENUM (\(values))"))
  }

  private func text(of table: Table) -> String {
    var parts = table.columns.map { $0.definition(in: context) }
    if !table.key.isEmpty {
      parts.append("CONSTRAINT \(SQL.name("\(table.sqlName)_pkey")) PRIMARY KEY (\(columns(table.key, of: table)))")
    }
    return "CREATE TABLE \(name(table.sqlName)) (\n  \(parts.joined(separator: ",\n  "))\n)"
  }

  func columns(_ names: [String], of table: Table) -> String {
    SQL.names(names.compactMap { table.column($0)?.sqlName })
  }

  private mutating func addChecks(_ table: Table) {
    for column in table.columns {
      guard let check = column.vectorCheck(in: context) else { continue }
      let constraint = "\(table.sqlName)_\(column.sqlName)_length"
      add(
        .check, constraint, table, "ALTER TABLE \(name(table.sqlName)) ADD CONSTRAINT \(SQL.name(constraint)) \(check)")
    }
  }

  private mutating func addForeignKeys(_ table: Table) {
    for reference in table.references {
      guard let target = context.schema.table(reference.target), !target.isView else { continue }
      add(
        .foreignKey, reference.constraintName, table,
        """
        ALTER TABLE \(name(table.sqlName)) ADD CONSTRAINT \(SQL.name(reference.constraintName)) \
        FOREIGN KEY (\(columns(reference.columns, of: table))) \
        REFERENCES \(name(target.sqlName)) (\(columns(reference.targetColumns, of: target)))\
        \(onDelete(reference, of: table))
        """)
    }
  }

  /// Only columns that may be null are set to it: a part of the key may belong to the foreign key as well.
  private func onDelete(_ reference: Reference, of table: Table) -> String {
    if reference.onDelete == .cascade { return " ON DELETE CASCADE" }
    let nullable = reference.columns.filter {
      table.column($0)?.type.isNonNull != true && !table.key.contains($0)
    }
    if nullable.isEmpty { return "" }
    if nullable.count == reference.columns.count { return " ON DELETE SET NULL" }
    return " ON DELETE SET NULL (\(columns(nullable, of: table)))"
  }

  // MARK: Indexes

  private mutating func addIndexes(_ table: Table) {
    for unique in table.uniques {
      add(
        .index, unique.name, table,
        "CREATE UNIQUE INDEX \(SQL.name(unique.name)) ON \(name(table.sqlName)) (\(columns(unique.columns, of: table)))"
      )
    }
    for index in table.indexes {
      guard let body = body(of: index, table) else { continue }
      add(.index, index.name, table, "CREATE INDEX \(SQL.name(index.name)) ON \(name(table.sqlName)) \(body)")
    }
    for document in table.searchDocuments {
      let index = "\(table.sqlName)_\(document.language)_search_idx"
      add(
        .index, index, table,
        "CREATE INDEX \(SQL.name(index)) ON \(name(table.sqlName)) USING gin (\(document.sql()))")
    }
  }

  /// Returns the part of the statement after the table's name; `nil` when the database does not support the index.
  private mutating func body(of index: TableIndex, _ table: Table) -> String? {
    let parts = zip(index.columns, index.descends).compactMap { column, descends in
      table.column(column).map { ($0, descends) }
    }
    switch index.kind {
    case .btree:
      return "(\(parts.map { SQL.name($0.sqlName) + ($1 ? " DESC" : "") }.joined(separator: ", ")))"
    case .gin:
      if let other = parts.first(where: { !$0.0.type.isList && $0.0.type.scalar != .any }) {
        notices.append(
          "The index \(index.name) is left out: GIN is for lists and for Any, and \(table.name).\(other.0.name) is "
            + "neither.")
        return nil
      }
      return "USING gin (\(SQL.names(parts.map(\.0.sqlName))))"
    case .hnsw, .ivfflat:
      guard case .extension(let namespace) = context.vectors else {
        notices.append(
          "The index \(index.name) is left out: this database has no extension vector, so every row is compared.")
        return nil
      }
      let method =
        switch index.vectorMethod {
        case "COSINE": "vector_cosine_ops"
        case "INNER_PRODUCT": "vector_ip_ops"
        default: "vector_l2_ops"
        }
      let columns = parts.map { "\(SQL.name($0.0.sqlName)) \(SQL.name(namespace)).\(method)" }
      return "USING \(index.kind.rawValue.lowercased()) (\(columns.joined(separator: ", ")))"
    }
  }

  // MARK: Views

  private func text(of view: DatabaseView) -> String {
    """
    CREATE VIEW \(name(view.table.sqlName)) AS
    \(view.sql);
    COMMENT ON VIEW \(name(view.table.sqlName)) IS \(SQL.text(view.mark))
    """
  }
}
