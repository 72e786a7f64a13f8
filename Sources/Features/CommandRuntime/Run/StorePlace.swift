import CommandLineTool
import ConfigurationFiles
import ExtensionHosting
package import ExtensionProtocol
import GroupStore
package import HostServices
import PostgreSQL
package import PostgreSQLGroupStore

/// Where this run of the tool keeps the group store: in a file below the state directory, or in a database that `--store`,
/// the variable `ANNEX_STORE` or the key of that name in the configuration file names. The first of them counts.
package struct StorePlace: Sendable {
  /// `nil` for the file.
  package let backend: PostgreSQLGroupBackend?
  private let path: @Sendable () throws -> String

  /// - Throws: `invalidParams` for what is no URL of a database, or a password on the command line. What was given is not
  ///   repeated.
  package init(_ invocation: Invocation) throws(ExtensionError) {
    let state = try invocation.state()
    path = { try "\(state.folder("store"))/groups.sqlite" }
    guard let (url, place) = try Self.url(of: invocation, state) else {
      backend = nil
      return
    }
    do throws(PostgreSQLError) {
      let target = try PostgreSQLTarget(url)
      guard place != "--store" || !target.hasPassword else {
        throw PostgreSQLError(.invalidTarget, "A password on a command line can be read by everybody on the machine.")
      }
      var options = PostgreSQLGroupBackend.Options(target: target)
      options.maximumConnections = 2
      backend = PostgreSQLGroupBackend(options)
    } catch {
      throw ExtensionError(
        .invalidParams, "\(place): \(error.message)",
        recovery:
          "Write postgresql://user@host/database (in an xcconfig file postgresql:/$()/user@host/database). A password "
          + "belongs in ~/.pgpass, or in a file that PGPASSFILE names; PGPASSWORD, ANNEX_STORE and "
          + "\(state.path)/\(SettingsFile.name) may hold one too."
      )
    }
  }

  /// The store itself.
  package var store: SuiteStore { backend.map { SuiteStore($0) } ?? .file(path) }

  fileprivate static func url(
    of invocation: Invocation, _ state: StateDirectory
  ) throws(ExtensionError) -> (url: String, place: String)? {
    if let url = invocation.parsed.value("store"), !url.isEmpty {
      return (url, url == invocation.environment["ANNEX_STORE"] ? "ANNEX_STORE" : "--store")
    }
    guard let url = try invocation.readSettings()?["ANNEX_STORE"], !url.isEmpty else { return nil }
    return (url, invocation.parsed.value("config") ?? "\(state.path)/\(SettingsFile.name)")
  }
}

extension Invocation {
  /// The group store that the command line, the environment or the state directory names.
  package func store() throws(ExtensionError) -> SuiteStore { try StorePlace(self).store }

  /// The URL of the database; `nil` when the store is in a file. It may hold a password.
  package func storeURL() throws(ExtensionError) -> String? { try StorePlace.url(of: self, state())?.url }

  /// The same when it is in a database; `nil` for a file.
  package func databaseStore() throws(ExtensionError) -> SuiteStore? {
    let place = try StorePlace(self)
    return place.backend == nil ? nil : place.store
  }

  /// What advice may repeat of `--store`; `nil` when it was not said, or holds what nobody is to see.
  package static func advisedStore(_ url: String?, environment: [String: String]) -> String? {
    guard let url, url != environment["ANNEX_STORE"], let target = try? PostgreSQLTarget(url) else { return nil }
    return target.hasPassword ? nil : url
  }
}
