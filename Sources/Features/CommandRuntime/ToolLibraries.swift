package import ExtensionProtocol
package import GroupStore

/// The libraries that only the second program, `host-services`, is linked with: servers, clients and databases. The tool
/// itself stays small and starts quickly without them.
package protocol ToolLibraries: Sendable {
  /// The name and the version of each library, for `host doctor`.
  var versions: [(name: String, version: String)] { get }
  /// Returns where the key of the token cache comes from, in one phrase.
  ///
  /// - Parameter environment: the variables of the process.
  func tokenKey(in environment: [String: String]) -> String
  /// Returns the group store in a database. Nothing is connected yet.
  ///
  /// - Parameter isOnCommandLine: whether the URL stands on the command line, where it may hold no password.
  /// - Throws: `invalidParams` for what is no URL of a database. What was given is not repeated.
  func database(_ url: String, isOnCommandLine: Bool) throws(ExtensionError) -> any StoreDatabase
  /// What verifies signed bundles and copies them.
  var signedBundles: any SignedBundles { get }
  /// Whether advice may repeat the URL of a database: it is one, and holds no password.
  func isShowable(_ url: String) -> Bool
}

/// A database that holds the group store.
package protocol StoreDatabase: Sendable {
  /// The group store in it.
  var backend: any GroupBackend { get }
  /// Its address, without a password.
  var address: String { get }
  /// Connects, and returns which server answers.
  func server() async throws(GroupStoreError) -> DatabaseServer
}

/// The server of a database, as `host doctor` reports it.
package struct DatabaseServer: Sendable {
  /// The host and the port, such as `127.0.0.1:5432`.
  package let place: String
  /// The name of the database.
  package let database: String
  /// The version of the server, such as `15.4`.
  package let version: String
  /// How long a query takes that reads no table.
  package let roundTrip: Duration

  /// Describes a server.
  package init(place: String, database: String, version: String, roundTrip: Duration) {
    self.place = place
    self.database = database
    self.version = version
    self.roundTrip = roundTrip
  }
}
