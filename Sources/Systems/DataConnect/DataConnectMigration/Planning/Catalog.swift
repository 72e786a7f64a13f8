import PostgreSQL

/// The content of a PostgreSQL schema in the server's own words, which makes two of them comparable.
struct Catalog {
  struct Column: Equatable {
    let name: String
    let type: String
    let isNonNull: Bool
    let defaultValue: String?
    /// Whether the server computes it, or counts it.
    let isGenerated: Bool
  }

  struct Constraint: Equatable {
    enum Kind: String {
      case key = "p"
      case foreignKey = "f"
      case check = "c"
      case unique = "u"
      case other = ""
    }

    let name: String
    let kind: Kind
    let definition: String
    /// The table that a foreign key leads to.
    let target: String?
  }

  struct Table {
    var columns: [Column] = []
    var constraints: [Constraint] = []
    /// The statements by the names of the indexes that belong to no constraint.
    var indexes: [String: String] = [:]

    func column(_ name: String) -> Column? { columns.first { $0.name == name } }
    var key: Constraint? { constraints.first { $0.kind == .key } }
  }

  var tables: [String: Table] = [:]
  /// The comments of the views by their names.
  var views: [String: String] = [:]
  /// The values of the enumerations in order.
  var enumerations: [String: [String]] = [:]
  var exists = false

  /// Reads a schema. Names are unqualified when their schema is in the search path.
  static func read(
    _ namespace: String, on connection: PostgreSQLConnection, within limit: Duration
  ) async throws(PostgreSQLError) -> Catalog {
    var catalog = Catalog()
    func rows(_ sql: String) async throws(PostgreSQLError) -> [PostgreSQLRow] {
      try await connection.query(sql, [.text(namespace)], within: limit)
    }
    catalog.exists = try await !rows("SELECT 1 FROM pg_namespace WHERE nspname = $1").isEmpty
    for row in try await rows(relations) {
      if row.text(at: 1) == "v" {
        catalog.views[row.text(at: 0)] = row.text(at: 2)
      } else {
        catalog.tables[row.text(at: 0)] = Table()
      }
    }
    for row in try await rows(columns) {
      catalog.tables[row.text(at: 0)]?.columns.append(
        Column(
          name: row.text(at: 1), type: row.text(at: 2), isNonNull: row.boolean(at: 3),
          defaultValue: row.isNull(at: 4) ? nil : row.text(at: 4), isGenerated: row.boolean(at: 5)))
    }
    for row in try await rows(constraints) {
      catalog.tables[row.text(at: 0)]?.constraints.append(
        Constraint(
          name: row.text(at: 1), kind: .init(rawValue: row.text(at: 2)) ?? .other, definition: row.text(at: 3),
          target: row.isNull(at: 4) ? nil : row.text(at: 4)))
    }
    for row in try await rows(indexes) {
      catalog.tables[row.text(at: 0)]?.indexes[row.text(at: 1)] = row.text(at: 2)
    }
    for row in try await rows(enumerations) {
      catalog.enumerations[row.text(at: 0), default: []].append(row.text(at: 1))
    }
    return catalog
  }

  /// Tables that belong to an extension are its own.
  private static let relations = """
    SELECT relname::text, relkind::text, coalesce(obj_description(c.oid, 'pg_class'), '')
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname = $1 AND relkind IN ('r', 'p', 'v') AND NOT relispartition
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND deptype = 'e')
    """
  private static let columns = """
    SELECT relname::text, attname::text, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid),
      attidentity <> '' OR attgenerated <> ''
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute a ON attrelid = c.oid
      LEFT JOIN pg_attrdef d ON adrelid = c.oid AND adnum = attnum
    WHERE nspname = $1 AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped ORDER BY relname, attnum
    """
  private static let constraints = """
    SELECT c.relname::text, conname::text, contype::text, pg_get_constraintdef(k.oid), t.relname::text
    FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_class t ON t.oid = confrelid
    WHERE nspname = $1 ORDER BY 1, 2
    """
  private static let indexes = """
    SELECT c.relname::text, i.relname::text, pg_get_indexdef(indexrelid, 0, true)
    FROM pg_index JOIN pg_class c ON c.oid = indrelid JOIN pg_class i ON i.oid = indexrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE nspname = $1 AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
    """
  private static let enumerations = """
    SELECT typname::text, enumlabel::text FROM pg_enum JOIN pg_type t ON t.oid = enumtypid
      JOIN pg_namespace n ON n.oid = typnamespace
    WHERE nspname = $1 ORDER BY typname, enumsortorder
    """
}
