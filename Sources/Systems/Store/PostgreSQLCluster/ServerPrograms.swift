import Files

/// The programs of one version of PostgreSQL, where Debian puts them.
struct ServerPrograms {
  static let oldest = 15
  /// The folder that contains a folder for each installed version.
  static let standard = "/usr/lib/postgresql"

  let version: Int
  let folder: String

  var initdb: String { "\(folder)/initdb" }
  var postgres: String { "\(folder)/postgres" }

  /// - Parameters:
  ///   - made: the version that made the data that is there, which no other can read; `nil` for the newest.
  ///   - parent: the folder of the versions.
  /// - Throws: `programsMissing`.
  static func find(_ made: Int?, in parent: String = standard) throws(PostgreSQLClusterError) -> ServerPrograms {
    let found = Folder.names(in: parent).compactMap { name -> ServerPrograms? in
      guard let version = Int(name), version >= oldest else { return nil }
      let programs = ServerPrograms(version: version, folder: "\(parent)/\(version)/bin")
      let all = [programs.initdb, programs.postgres].allSatisfy {
        FileStatus($0, followsLink: true)?.isExecutable == true
      }
      return all ? programs : nil
    }
    if let made {
      if let programs = found.first(where: { $0.version == made }) { return programs }
      throw PostgreSQLClusterError(
        .programsMissing, "The data was made by PostgreSQL \(made), whose server is not installed.",
        recovery: "Install the Debian package postgresql-\(made), or begin with new data.")
    }
    if let programs = found.max(by: { $0.version < $1.version }) { return programs }
    throw PostgreSQLClusterError(
      .programsMissing, "The server of PostgreSQL \(oldest) or newer is not installed.",
      recovery: "Install the Debian package postgresql, or name a database that runs elsewhere.")
  }
}
