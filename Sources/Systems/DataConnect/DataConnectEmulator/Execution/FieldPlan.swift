import DataConnectCompiler
import DataConnectStatements
import GraphQL

/// A field of an operation, with everything that is known of it before any request.
struct FieldPlan: Sendable {
  enum Kind: Sendable, Hashable {
    /// The database answers it.
    case query, mutation
    /// `query` in a mutation: what is in it are fields of queries.
    case queries
    case typeName
    /// A field inside of what the database answers.
    case member
  }

  let field: CompiledField
  let kind: Kind
  /// The action of a root field; `nil` for one that belongs to no table.
  let action: RootAction?
  let fields: [FieldPlan]
  /// What the database is asked, where it answers the field.
  let statements: FieldStatements?
  /// The key that identifies the field's objects, if the whole key of their table is selected.
  let entity: EntityKey?
  /// Whether clients may cache the objects by their rows. Clients cache members under the names in the response, so no
  /// column may have another name there.
  let isTold: Bool
  /// The table of the key that a mutation gives.
  let keyTable: String?
  /// Whether the field or a field below it has a check.
  let hasChecks: Bool
  /// Whether the field or a field below it is redacted.
  let hasRedactions: Bool
  /// Whether the field's objects, or objects below it, can be identified.
  let hasEntities: Bool

  init(root field: CompiledField, of kind: OperationKind, _ schema: CompiledSchema) {
    let place: Kind =
      if field.name == "__typename" {
        .typeName
      } else if kind == .mutation, field.parent == schema.graphQL.roots[.mutation], field.name == "query" {
        .queries
      } else {
        kind == .mutation ? .mutation : .query
      }
    self.init(field, place, schema)
  }

  private init(_ field: CompiledField, _ kind: Kind, _ schema: CompiledSchema) {
    self.field = field
    self.kind = kind
    let isAnswered = kind == .query || kind == .mutation
    statements = isAnswered ? FieldStatements(field, isMutation: kind == .mutation) : nil
    action = isAnswered ? schema.action(ofRootField: field.name) : nil
    fields = field.fields.map { inner in
      switch (kind, inner.name) {
      case (.queries, "__typename"): FieldPlan(inner, .typeName, schema)
      case (.queries, _): FieldPlan(inner, .query, schema)
      default: FieldPlan(inner, .member, schema)
      }
    }
    let name = field.type.name.text
    let (table, members) = (schema.table(name), fields)
    isTold = table.map { table in members.allSatisfy { $0.isNamedAsColumn(of: table) } } ?? true
    entity = isTold ? EntityKey(table, fields) : nil
    keyTable = kind == .mutation && name.hasSuffix("_KeyOutput") ? action?.table : nil
    hasChecks = !field.checks.isEmpty || fields.contains(where: \.hasChecks)
    hasRedactions = fields.contains { $0.field.isRedacted || $0.hasRedactions }
    hasEntities = entity != nil || keyTable != nil || fields.contains(where: \.hasEntities)
  }

  var name: String { field.responseName }

  /// Whether a check below the field fails when it is not reached.
  var hasRequiredChecks: Bool {
    field.checks.contains { !$0.isOptional } || fields.contains(where: \.hasRequiredChecks)
  }

  /// Whether the field has the name of a column, or is a part of the key whose name no column has.
  fileprivate func isNamedAsColumn(of table: Table) -> Bool {
    if !field.fields.isEmpty || name == field.name { return true }
    return table.key.contains(field.name) && table.column(name) == nil
  }

  /// Itself and everything in it.
  var all: [FieldPlan] { [self] + fields.flatMap(\.all) }
}

/// The key that identifies rows of a table in a response.
struct EntityKey: Sendable {
  let table: String
  /// The columns of the key, sorted, each with the name that it has in the response.
  let columns: [(column: String, name: String)]

  /// - Returns: `nil` where the key is not selected whole.
  init?(_ table: Table?, _ fields: [FieldPlan]) {
    guard let table, !table.key.isEmpty else { return nil }
    var columns: [(column: String, name: String)] = []
    for column in table.key.sorted() {
      guard let field = fields.first(where: { $0.field.name == column && !$0.field.isRedacted }) else { return nil }
      columns.append((column, field.name))
    }
    self.table = table.name
    self.columns = columns
  }
}
