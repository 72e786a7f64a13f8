import CommandLineTool
import ConfigurationFiles
import ExtensionHosting
package import ExtensionProtocol
package import HostServices

/// Where this run of the tool keeps the group store: in a file below the state directory, or in a database that `--store`,
/// the variable `ANNEX_STORE` or the key of that name in the configuration file names. The first of them counts.
package struct StorePlace: Sendable {
  /// `nil` for the file.
  package let database: (any StoreDatabase)?
  private let path: @Sendable () throws -> String

  /// - Throws: `invalidParams` for what is no URL of a database, or a password on the command line. What was given is not
  ///   repeated.
  package init(_ invocation: Invocation) throws(ExtensionError) {
    let state = try invocation.state()
    path = { try "\(state.folder("store"))/groups.sqlite" }
    guard let (url, place) = try Self.url(of: invocation, state) else {
      database = nil
      return
    }
    guard let libraries = invocation.tool.libraries else {
      throw ExtensionError(.internalError, "\(place) names a database, and this program has no client for it.")
    }
    do throws(ExtensionError) {
      database = try libraries.database(url, isOnCommandLine: place == "--store")
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
  package var store: SuiteStore { database.map { SuiteStore($0.backend) } ?? .file(path) }

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

  /// Returns the store if it is in a database; `nil` for a file.
  package func databaseStore() throws(ExtensionError) -> SuiteStore? {
    let place = try StorePlace(self)
    return place.database == nil ? nil : place.store
  }

  /// Returns the value of `--store` for advice; `nil` when it was not given or contains a secret.
  package static func advisedStore(
    _ url: String?, environment: [String: String], libraries: (any ToolLibraries)?
  ) -> String? {
    guard let url, url != environment["ANNEX_STORE"], let libraries, libraries.isShowable(url) else { return nil }
    return url
  }
}
