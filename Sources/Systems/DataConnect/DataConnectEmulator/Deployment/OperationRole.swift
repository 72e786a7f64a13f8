import Cryptography
import PostgreSQL
import Text

/// The role as which operations are executed in a database whose owner may do more than that.
///
/// A superuser may run programs and read files on the server's machine, and so could every caller of an operation with SQL
/// of its own. `SET ROLE` does not help: the session could reset it. So operations have connections of their own, which
/// sign in as this role. It reads and writes rows, and nothing else.
struct OperationRole: Sendable {
  private static let limit = Duration.seconds(30)
  /// The number of the lock under which roles and rights are changed: several emulators may use one database.
  private static let lock = 0x616E_6E65

  let name: String
  private let password: String

  /// - Parameter key: the secret that the password is made of. With the same key the role is the same.
  init(key: [UInt8]) {
    name = "annex_" + Hexadecimal.text(for: HMAC.sha256(Array("name".utf8), key: key).prefix(8))
    password = Hexadecimal.text(for: HMAC.sha256(Array("password".utf8), key: key))
  }

  /// Whether a connection's role could get at the machine of the server, or at a role that can. The role counts that has
  /// signed in, since a statement can return to it.
  static func isTooPowerful(_ connection: PostgreSQLConnection) async throws(PostgreSQLError) -> Bool {
    let rows = try await connection.query(
      """
      SELECT EXISTS (
        SELECT FROM pg_catalog.pg_roles
        WHERE (rolsuper OR rolcreaterole OR rolreplication OR rolname IN
          ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files', 'pg_create_subscription'))
          AND pg_catalog.pg_has_role(session_user, oid, 'MEMBER'))
      """, within: limit)
    return rows.first?.boolean(at: 0) ?? true
  }

  /// Makes the role, unless the owner of the database needs none.
  ///
  /// - Parameter owner: connections of the owner.
  /// - Returns: the target of operations; `nil` when they may have the owner's connections.
  /// - Throws: `tooPowerful` when the owner cannot make the role, or the server does not admit it.
  func prepare(
    _ target: PostgreSQLTarget, by owner: PostgreSQLPool
  ) async throws(PostgreSQLError) -> PostgreSQLTarget? {
    let isNeeded = try await owner.withConnection(within: Self.limit) { (connection) async throws(PostgreSQLError) in
      guard try await Self.isTooPowerful(connection) else { return false }
      try await make(on: connection)
      return true
    }
    guard isNeeded else { return nil }
    let own = target.signedIn(as: name, password: password)
    do throws(PostgreSQLError) {
      let connection = try await PostgreSQLConnection.connect(to: own, on: owner.loop, within: Self.limit)
      let isTooPowerful = try await Self.isTooPowerful(connection)
      await connection.close()
      guard isTooPowerful else { return own }
    } catch {
      guard error.kind == .notAdmitted else { throw error }
      throw Self.refused("the server does not admit \(name), as which operations would be executed")
    }
    throw Self.refused("\(name), as which operations would be executed, has such a right too")
  }

  private func make(on connection: PostgreSQLConnection) async throws(PostgreSQLError) {
    // Names and password are hexadecimal digits.
    let rights = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '\(password)'"
    do throws(PostgreSQLError) {
      try await connection.run(
        script: """
          SELECT pg_advisory_xact_lock(\(Self.lock));
          DO $make$ BEGIN
            IF EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '\(name)') THEN
              ALTER ROLE \(name) LOGIN PASSWORD '\(password)';
            ELSE
              CREATE ROLE \(name) \(rights);
            END IF;
            EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO \(name)', pg_catalog.current_database());
          END $make$
          """, within: Self.limit)
    } catch {
      guard error.kind == .refused, error.sqlState == "42501" else { throw error }
      throw Self.refused("it may not make another one for operations")
    }
  }

  /// Lets the role read and write the rows of a schema. It may neither make nor change tables there: what the owner
  /// executes later must not be the role's.
  func grant(_ schema: String, by owner: PostgreSQLPool) async throws(PostgreSQLError) {
    let literal = schema.quoted("'")
    let script = """
      SELECT pg_advisory_xact_lock(\(Self.lock));
      DO $grant$ DECLARE found record; BEGIN
        EXECUTE pg_catalog.format('GRANT USAGE ON SCHEMA %I TO \(name)', \(literal));
        FOR found IN SELECT c.oid::pg_catalog.regclass AS name, relkind = 'S' AS counts
          FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
          WHERE nspname = \(literal) AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
            AND pg_catalog.pg_has_role(relowner, 'USAGE')
        LOOP
          IF found.counts THEN
            EXECUTE pg_catalog.format('GRANT USAGE, SELECT ON SEQUENCE %s TO \(name)', found.name);
          ELSE
            EXECUTE pg_catalog.format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO \(name)', found.name);
          END IF;
        END LOOP;
      END $grant$
      """
    try await owner.withConnection(within: Self.limit) { (connection) async throws(PostgreSQLError) in
      try await connection.run(script: script, within: Self.limit)
    }
  }

  private static func refused(_ why: String) -> PostgreSQLError {
    PostgreSQLError(
      .tooPowerful,
      "The role of the database may run programs or read files on the server's machine, and \(why).")
  }
}
