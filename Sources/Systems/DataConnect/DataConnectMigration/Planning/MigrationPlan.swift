/// What changes a database into what a schema says: statements in order.
package struct MigrationPlan: Sendable, Equatable {
  package struct Step: Sendable, Equatable {
    package let sql: String
    /// What is lost by it, as a sentence; `nil` for a compatible step.
    package let loss: String?
    /// The rows that go or change, which are kept in a file before.
    let dump: Dump?
    /// Whether PostgreSQL wants it outside of the transaction, before the others. It does no harm when they fail.
    package let isSeparate: Bool

    package init(sql: String, loss: String? = nil) { self.init(sql, loss: loss) }

    init(_ sql: String, loss: String? = nil, dump: Dump? = nil, isSeparate: Bool = false) {
      self.sql = sql
      self.loss = loss
      self.dump = dump
      self.isSeparate = isSeparate
    }
  }

  /// Rows to keep.
  struct Dump: Sendable, Equatable {
    /// The name of the file: `film.minutes`.
    let name: String
    /// The table, quoted, which nobody writes into meanwhile.
    let table: String
    /// Answers the rows.
    let query: String
  }

  package let steps: [Step]
  /// What cannot be done with the rows that are there, each with advice. A plan with one of them is not applied.
  package let obstacles: [String]
  /// What is worth knowing: what is left out, or left alone.
  package let notices: [String]
  /// The schema of the database that it is for.
  package let namespace: String

  package init(
    steps: [Step], obstacles: [String] = [], notices: [String] = [], namespace: String = "public"
  ) {
    self.steps = steps
    self.obstacles = obstacles
    self.notices = notices
    self.namespace = namespace
  }

  /// Whether the database is as the schema says.
  package var isEmpty: Bool { steps.isEmpty && obstacles.isEmpty }
  /// What is lost, a sentence for each step that loses something.
  package var losses: [String] { steps.compactMap(\.loss) }

  /// As a script for `psql`, with comments; empty when there is nothing to do and to say.
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
