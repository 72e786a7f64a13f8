public import GroupStore
import PostgreSQL

extension GroupStoreProvider {
  /// A store in a PostgreSQL database, which hosts on several machines share. Nothing is connected before its first use;
  /// the tables are then made where they are missing.
  ///
  /// ```swift
  /// services.use(DefaultsService(store: SuiteStore(try .postgreSQL("postgresql://annex@db1,db2/annex"))))
  /// ```
  ///
  /// - Parameters:
  ///   - url: `postgresql://user@host,host/database`, with any parameter of libpq. Of several servers the one that takes
  ///     writes is used. A password may stand in it; `~/.pgpass` and `PGPASSFILE` are better places.
  ///   - schema: the schema of the tables.
  /// - Throws: an error with a sentence, which repeats nothing of the URL, when it cannot be read.
  public static func postgreSQL(_ url: String, schema: String = "annex") throws -> GroupStoreProvider {
    var options = PostgreSQLGroupBackend.Options(target: try PostgreSQLTarget(url))
    options.schema = schema
    return GroupStoreProvider(PostgreSQLGroupBackend(options))
  }
}
