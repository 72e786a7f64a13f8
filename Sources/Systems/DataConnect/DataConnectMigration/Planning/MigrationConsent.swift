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
