package import PostgreSQL

/// A private server of PostgreSQL in a folder: a Unix socket alone, a user of its own when root, stopped with its owner.
package actor PostgreSQLCluster {
  package let folder: String
  package init(folder: String) { self.folder = folder }
  /// The target of a database of it, which is made when it is not there.
  package func database(_ name: String) async throws -> PostgreSQLTarget { throw CancellationError() }
  package func stop() async {}
}
