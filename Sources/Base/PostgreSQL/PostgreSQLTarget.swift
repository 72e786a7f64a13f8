internal import CPostgreSQL

/// Where a database is and how to get in: a connection string, which may name several servers and hold a password.
///
/// What it does not say comes from libpq's own places: `PGHOST` and its like, the service file, `~/.pgpass`.
package struct PostgreSQLTarget: Sendable, CustomStringConvertible {
  /// One server of the string, with the parameters that lead to it alone.
  struct Server: Sendable, Equatable {
    var overrides: [String: String] = [:]
  }

  private let string: String
  let servers: [Server]
  /// The database without user, password and options: for people.
  package let description: String
  /// Whether the string holds a password itself.
  package let hasPassword: Bool
  /// The `sslmode` of the string; `nil` without one.
  private let encryption: String?
  /// Whether every server of the string is on this machine by its name, its address, or its socket.
  private let isLocal: Bool
  /// Whether a server must speak TLS, where the string does not say how it is spoken to.
  private var needsEncryption = false
  /// The role and the password that take the place of the string's own.
  private var signIn: (role: String, password: String)?
  /// Whether a scan of a table always begins at its first row.
  private var scansInOrder = false

  /// - Parameter string: a URL, `postgresql://user@host,host/database?parameter=value`.
  /// - Throws: `invalidTarget`. Nothing of the string is repeated: it may hold a password.
  package init(_ string: String) throws(PostgreSQLError) {
    let isURL = Self.isURL(string)
    guard isURL, !string.utf8.contains(0), let fields = Self.fields(of: string) else {
      throw PostgreSQLError(
        .invalidTarget,
        isURL
          ? "The URL of the database cannot be read." : "The URL of the database does not begin with postgresql://.")
    }
    self.string = string
    hasPassword = !(fields["password"] ?? "").isEmpty || !(fields["sslpassword"] ?? "").isEmpty
    let split = { (name: String) in
      (fields[name] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let (hosts, addresses, ports) = (split("host"), split("hostaddr"), split("port"))
    encryption = fields["sslmode"]
    // An address counts for more than the name beside it.
    isLocal = (0..<max(hosts.count, addresses.count)).allSatisfy { index in
      let address = index < addresses.count ? addresses[index] : ""
      return Self.isThisMachine(address.isEmpty && index < hosts.count ? hosts[index] : address)
    }
    let count = max(hosts.count, addresses.count)
    // Where a character of a password was not encoded, libpq takes the rest of it for something else, which is shown.
    let misread = [fields["host"], fields["hostaddr"], fields["dbname"]].contains {
      $0?.contains("@") == true || $0?.contains("://") == true
    }
    guard !misread, ports.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
      throw PostgreSQLError(
        .invalidTarget, "The URL of the database has a character that must be written as % and two digits.")
    }
    guard ports.count <= 1 || ports.count == count, hosts.count == count || hosts.isEmpty || hosts == [""],
      addresses.count == count || addresses.isEmpty || addresses == [""]
    else { throw PostgreSQLError(.invalidTarget, "The URL of the database names other numbers of hosts and of ports.") }
    servers =
      count < 2
      ? [Server()]
      : (0..<count).map { index in
        var server = Server()
        if hosts.count == count { server.overrides["host"] = hosts[index] }
        if addresses.count == count { server.overrides["hostaddr"] = addresses[index] }
        server.overrides["port"] = ports.count == count ? ports[index] : ports.first ?? ""
        return server
      }
    let place =
      fields["host"] ?? fields["hostaddr"] ?? fields["service"].map { "the service \($0)" } ?? "the usual server"
    description = "\(fields["dbname"].map { "\($0) on " } ?? "")\(place)"
  }

  /// Whether a host of a connection string is this machine. An empty one is not: libpq looks elsewhere what it is.
  private static func isThisMachine(_ host: String) -> Bool {
    host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }

  /// The same target, to which no password goes in clear text: a server on another machine has to speak TLS. On a Unix
  /// socket that means nothing.
  ///
  /// - Throws: `invalidTarget` when the string itself lets such a server do without.
  package func keepingPasswordsPrivate() throws(PostgreSQLError) -> PostgreSQLTarget {
    if isLocal { return self }
    if let encryption, !["require", "verify-ca", "verify-full"].contains(encryption) {
      throw PostgreSQLError(
        .invalidTarget,
        "With sslmode=\(encryption) a server of another machine could be sent a password in clear text: write sslmode=require."
      )
    }
    var target = self
    target.needsEncryption = true
    return target
  }

  /// The same database, signed in to as another role.
  package func signedIn(as role: String, password: String) -> PostgreSQLTarget {
    var target = self
    target.signIn = (role, password)
    return target
  }

  /// The same database, with sessions in which each scan of a table begins at its first row. By default one of a large
  /// table may begin where another scan is (`synchronize_seqscans`).
  package var scanningInOrder: PostgreSQLTarget {
    var target = self
    target.scansInOrder = true
    return target
  }

  /// Whether a text is the string that this target was made of.
  package func isWritten(_ text: String) -> Bool { text == string }

  /// Whether a text is meant as the URL of such a database.
  package static func isURL(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// The parameters of one attempt, in order: what comes later wins.
  func parameters(for server: Server) -> [(String, String)] {
    var parameters = [
      // Defaults, which the string may change.
      ("target_session_attrs", "read-write"), ("fallback_application_name", "annex"), ("keepalives_idle", "10"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "20000"),
    ]
    if scansInOrder { parameters.append(("options", "-c synchronize_seqscans=off")) }
    // In place of PGSSLMODE and of what a service says; the string has none or a stronger one.
    if needsEncryption { parameters.append(("sslmode", encryption ?? "require")) }
    parameters.append(("dbname", string))
    if let signIn { parameters += [("user", signIn.role), ("password", signIn.password)] }
    parameters += server.overrides.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    parameters.append(("client_encoding", "UTF8"))
    return parameters
  }

  /// What the string itself says; `nil` when it cannot be read.
  private static func fields(of string: String) -> [String: String]? {
    guard let options = unsafe PQconninfoParse(string, nil) else { return nil }
    defer { unsafe PQconninfoFree(options) }
    var fields: [String: String] = [:]
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe fields[String(cString: keyword)] = unsafe String(cString: value)
      }
      unsafe option += 1
    }
    return fields
  }
}
