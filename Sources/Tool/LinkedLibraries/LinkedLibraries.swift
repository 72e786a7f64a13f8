package import CommandRuntime
package import ExtensionProtocol
import GroupStore
import HTTPClient
package import HTTPServer
import PostgreSQL
import PostgreSQLGroupStore
import TokenBroker

/// What the second program is linked with: libcurl, libmicrohttpd, libpq and the token cache.
package struct LinkedLibraries: ToolLibraries {
  /// The libraries of this program.
  package init() {}

  package var versions: [(name: String, version: String)] {
    let curl = HTTPClientLibrary.version.split(separator: " ").prefix(2).joined(separator: " ")
    return [("libcurl", curl), ("libmicrohttpd", HTTPServerLibrary.version)]
  }

  package func tokenKey(in environment: [String: String]) -> String {
    let file = environment[CacheKeySource.variable].flatMap { $0.isEmpty ? nil : $0 }
    return (file.map { .file($0) } ?? CacheKeySource.besideCache).summary
  }

  package func database(_ url: String, isOnCommandLine: Bool) throws(ExtensionError) -> any StoreDatabase {
    let target: PostgreSQLTarget
    do throws(PostgreSQLError) { target = try PostgreSQLTarget(url) } catch {
      throw ExtensionError(.invalidParams, error.message)
    }
    guard !isOnCommandLine || !target.hasPassword else {
      throw ExtensionError(
        .invalidParams, "A password on a command line can be read by everybody on the machine.")
    }
    var options = PostgreSQLGroupBackend.Options(target: target)
    options.maximumConnections = 2
    return PostgreSQLDatabase(options)
  }

  package var signedBundles: any SignedBundles { StoredBundles() }

  package func isShowable(_ url: String) -> Bool { (try? PostgreSQLTarget(url)).map { !$0.hasPassword } ?? false }
}

/// The group store in PostgreSQL.
private struct PostgreSQLDatabase: StoreDatabase {
  private let store: PostgreSQLGroupBackend

  init(_ options: PostgreSQLGroupBackend.Options) { store = PostgreSQLGroupBackend(options) }

  var backend: any GroupBackend { store }
  var address: String { "\(store.options.target)" }

  func server() async throws(GroupStoreError) -> DatabaseServer {
    let (server, roundTrip) = try await store.server()
    return DatabaseServer(
      place: "\(server.host):\(server.port)", database: server.database,
      version: "\(server.version / 10_000).\(server.version % 10_000)", roundTrip: roundTrip)
  }
}

extension HTTPServerError: LocalServerFailure {}
