/// The statements, in order, that change a database to match a schema.
package struct MigrationPlan: Sendable, Equatable {
  /// One statement of a plan.
  package struct Step: Sendable, Equatable {
    /// The statement, without a final semicolon.
    package let sql: String
    /// One sentence that says which data the step loses; `nil` for a step that loses none.
    package let loss: String?
    /// The rows that the step removes or changes; they are saved to a file first.
    let dump: Dump?
    /// What the step may only remove while nothing is in it: checked again when the step runs, and locked.
    let emptiness: Emptiness?
    /// What loses data, as consent names it: `film.minutes` for a column, `film` for a table, a view or an enumeration.
    package let subject: String?
    /// Whether the step only adds something that the previous schema does not mind.
    let isAdditive: Bool
    /// Whether PostgreSQL requires the statement outside of the transaction. It runs before the others and is harmless
    /// when they fail.
    package let isSeparate: Bool

    /// Creates a step inside of the transaction that saves no rows.
    package init(sql: String, loss: String? = nil) { self.init(sql, loss: loss) }

    init(
      _ sql: String, loss: String? = nil, subject: String? = nil, dump: Dump? = nil, emptiness: Emptiness? = nil,
      isAdditive: Bool = false, isSeparate: Bool = false
    ) {
      self.sql = sql
      self.loss = loss
      self.subject = subject
      self.dump = dump
      self.emptiness = emptiness
      self.isAdditive = isAdditive
      self.isSeparate = isSeparate
    }
  }

  /// A query whose rows are saved before a step.
  struct Dump: Sendable, Equatable {
    /// The name of the file without its extension, such as `film.minutes`.
    let name: String
    /// The quoted name of the table, which is locked against writes meanwhile.
    let table: String
    /// The statement that selects the rows to save.
    let query: String
  }

  /// A table or a column that is removed since nothing is in it.
  struct Emptiness: Sendable, Equatable {
    /// The quoted name of the table.
    let table: String
    /// The statement that counts what is in it.
    let count: String
  }

  /// The statements, in the order in which they run.
  package let steps: [Step]
  /// The steps that would lose data and that nobody consented to. What they would remove is left alone.
  package let refused: [Step]
  /// Whether the database serves the schema when the steps have run: it may have more than the schema, and nothing has
  /// another type.
  package let isServable: Bool
  /// What existing rows prevent, each with advice. A plan with an obstacle is not applied.
  package let obstacles: [String]
  /// Notes for the developer: what the plan leaves out or leaves alone.
  package let notices: [String]
  /// The name of the PostgreSQL schema that the plan changes.
  package let namespace: String

  /// Creates a plan.
  package init(
    steps: [Step], refused: [Step] = [], isServable: Bool = true, obstacles: [String] = [], notices: [String] = [],
    namespace: String = "public"
  ) {
    self.steps = steps
    self.refused = refused
    self.isServable = isServable
    self.obstacles = obstacles
    self.notices = notices
    self.namespace = namespace
  }

  /// Whether the database already matches the schema.
  package var isEmpty: Bool { steps.isEmpty && obstacles.isEmpty }
  /// The plan without what depends on a step that was refused, or on rows that are in the way.
  package var additive: MigrationPlan {
    MigrationPlan(
      steps: steps.filter(\.isAdditive), refused: refused, isServable: false, notices: notices, namespace: namespace)
  }

  /// One sentence for each step that loses data.
  package var losses: [String] { steps.compactMap(\.loss) }

  /// The plan as a commented script for `psql`; empty when there are no statements and no notes.
  package var sql: String {
    var lines = notices.map { Self.comment("Note: \($0)") } + obstacles.map { Self.comment("Cannot be done: \($0)") }
    lines += steps.filter(\.isSeparate).map { $0.sql + ";" }
    let others = steps.filter { !$0.isSeparate }
    if !others.isEmpty {
      lines += ["BEGIN;", DatabaseMigration.searchPath(namespace) + ";"]
      lines += others.map { ($0.loss.map { Self.comment("Loss: \($0)") + "\n" } ?? "") + $0.sql + ";" }
      lines.append("COMMIT;")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func comment(_ text: String) -> String {
    "-- " + text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// What a change of the database may lose.
package enum MigrationConsent: Sendable, Hashable {
  /// Whatever the schema does not want.
  case everything
  /// These columns (`film.minutes`), tables, views and enumerations (`film`), by their names in the database.
  case only(Set<String>)

  func covers(_ subject: String) -> Bool {
    switch self {
    case .everything: true
    case .only(let subjects): subjects.contains(subject)
    }
  }
}
