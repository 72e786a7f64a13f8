import DataConnectCompiler
import PostgreSQL

/// Compares the present database with the wanted one, and finds the steps between them.
struct Planner {
  typealias Step = MigrationPlan.Step

  /// The steps come in this order, whatever is compared first.
  enum Phase: Int, CaseIterable {
    case values, renames, support, views, foreignKeys, constraints, tables, types, newTables, columns, oldColumns,
      newConstraints
    case newForeignKeys, newViews, oldTypes
  }

  let creation: Creation
  let wanted: Catalog
  let found: Catalog
  let connection: PostgreSQLConnection
  let limit: Duration
  /// Whether what the schema does not know is left alone.
  let isIgnoring: Bool
  let consent: MigrationConsent
  private var phases: [Phase: [Step]] = [:]
  /// What nobody consented to.
  private(set) var refused: [Step] = []
  private var isServable = true
  var obstacles: [String] = []
  var notices: [String] = []
  /// The tables with columns of other types or another key, by their names in the database: nothing may refer to them
  /// meanwhile.
  var changed: Set<String> = []

  init(
    creation: Creation, wanted: Catalog, found: Catalog, connection: PostgreSQLConnection, limit: Duration,
    isIgnoring: Bool, consent: MigrationConsent
  ) {
    self.consent = consent
    self.creation = creation
    self.wanted = wanted
    self.found = found
    self.connection = connection
    self.limit = limit
    self.isIgnoring = isIgnoring
    notices = creation.notices
  }

  var namespace: String { creation.context.namespace }
  /// The tables that are there and stay, by name.
  var kept: [(name: String, wanted: Catalog.Table, found: Catalog.Table)] {
    wanted.tables.sorted { $0.key < $1.key }.compactMap { name, table in
      found.tables[name].map { (name, table, $0) }
    }
  }

  mutating func add(
    _ phase: Phase, _ sql: String, loss: String? = nil, of subject: String? = nil, dump: MigrationPlan.Dump? = nil,
    emptiness: MigrationPlan.Emptiness? = nil, isAdditive: Bool = false
  ) {
    phases[phase, default: []].append(
      Step(
        sql, loss: loss, subject: loss == nil ? nil : subject, dump: dump, emptiness: emptiness,
        isAdditive: isAdditive || [.values, .support, .newTables].contains(phase), isSeparate: phase == .values))
  }

  /// Notes a step that nobody consented to.
  ///
  /// - Parameter isInTheWay: whether the schema cannot be served without it. Otherwise what it would remove is left alone.
  mutating func refuse(_ sql: String, loss: String, of subject: String, isInTheWay: Bool) {
    refused.append(Step(sql, loss: loss, subject: subject))
    if isInTheWay { isServable = false }
  }

  /// Whether a step with this statement is planned.
  func has(_ phase: Phase, _ sql: String) -> Bool { phases[phase]?.contains { $0.sql == sql } == true }

  func name(_ text: String) -> String { SQL.name(namespace, text) }

  mutating func plan() async throws(PostgreSQLError) -> MigrationPlan {
    if !found.exists { add(.support, "CREATE SCHEMA \(SQL.name(namespace))") }
    try await planVectors()
    try await planEnumerations()
    try await planTables()
    try await planColumns()
    planOldEnumerations()
    try await planConstraints()
    planViews()
    return MigrationPlan(
      steps: Phase.allCases.flatMap { phases[$0] ?? [] }, refused: refused, isServable: isServable,
      obstacles: obstacles, notices: notices, namespace: namespace)
  }

  /// The number that a query answers.
  func count(_ sql: String) async throws(PostgreSQLError) -> Int64 {
    try await connection.query(sql, within: limit).first?.integer(at: 0) ?? 0
  }

  // MARK: Vectors

  private mutating func planVectors() async throws(PostgreSQLError) {
    guard creation.hasVectors else { return }
    let support = creation.context.vectors
    let isExtension = support != .arrays
    let there = try await connection.query(
      """
      SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace JOIN pg_type t ON t.oid = proargtypes[0]
      WHERE nspname = $1 AND typname = $2
        AND proname IN ('l2_distance', 'cosine_distance', 'inner_product', 'negative_inner_product')
      """, [.text(VectorSupport.functions), .text(isExtension ? "vector" : "_float4")], within: limit
    ).first?.integer(at: 0)
    if there != 4 { for sql in support.script { add(.support, sql) } }
  }

  // MARK: Tables

  private mutating func planTables() async throws(PostgreSQLError) {
    for item in creation.items where item.kind == .table && found.tables[SQL.kept(item.name)] == nil {
      add(.newTables, item.sql)
    }
    for name in found.tables.keys.sorted() where wanted.tables[name] == nil {
      if isIgnoring {
        notices.append("The table \(name) is left alone: the schema does not know it.")
        continue
      }
      let table = self.name(name)
      let query = "SELECT count(*) FROM \(table)"
      let rows = try await count(query)
      let loss = "The table \(name) goes, with \(rows) rows."
      if rows > 0, !consent.covers(name) {
        refuse("DROP TABLE \(table)", loss: loss, of: name, isInTheWay: false)
        continue
      }
      // Foreign keys are dropped first, so that tables that refer to each other can be dropped one by one.
      for constraint in found.tables[name]?.constraints ?? [] where constraint.kind == .foreignKey {
        add(.foreignKeys, "ALTER TABLE \(table) DROP CONSTRAINT \(SQL.name(constraint.name))")
      }
      add(
        .tables, "DROP TABLE \(table)", loss: rows == 0 ? nil : loss, of: name,
        dump: rows == 0 ? nil : .init(name: name, table: table, query: "SELECT * FROM \(table)"),
        emptiness: rows == 0 ? .init(table: table, count: query) : nil)
    }
  }

  // MARK: Views

  /// Plans views. They hold no data, so the plan may drop and create them freely.
  private mutating func planViews() {
    let isInTheWay = [Phase.tables, .types, .oldColumns].contains { phases[$0] != nil } || !changed.isEmpty
    var made: [Creation.Item] = []
    let marks = Dictionary(
      creation.context.schema.viewsInOrder.map { (SQL.kept($0.table.sqlName), $0.mark) }
    ) { first, _ in first }
    var isBehind = false
    for item in creation.items where item.kind == .view {
      let comment = found.views[SQL.kept(item.name)]
      // A view may be of one before it.
      isBehind = isBehind || comment != marks[SQL.kept(item.name)]
      if isBehind || isInTheWay { made.append(item) }
    }
    let known = Set(creation.context.schema.tables.filter(\.isView).map { SQL.kept($0.sqlName) })
    for name in found.views.keys.sorted() where !known.contains(name) {
      guard found.views[name]?.hasPrefix(DatabaseView.markBeginning) == true else { continue }
      add(.views, "DROP VIEW \(self.name(name))")
    }
    for item in made.reversed() {
      guard let comment = found.views[SQL.kept(item.name)] else { continue }
      let isOurs = comment.hasPrefix(DatabaseView.markBeginning)
      let (sql, loss) = (
        "DROP VIEW \(name(item.name))", "The view \(item.name), which something else made, is replaced."
      )
      if isOurs || consent.covers(item.name) {
        add(.views, sql, loss: isOurs ? nil : loss, of: item.name)
      } else {
        refuse(sql, loss: loss, of: item.name, isInTheWay: true)
      }
    }
    for item in made { add(.newViews, item.sql) }
  }
}
