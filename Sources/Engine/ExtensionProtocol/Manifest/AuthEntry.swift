/// One entry of `Annex.Auth`: what an extension wants access tokens for, and the servers that calls with them go to.
public struct AuthEntry: Sendable, Hashable, CustomStringConvertible {
  /// The scopes, as they were written, each once.
  public let scopes: [String]
  /// The servers that a token may be sent to by the host.
  public let servers: [NetworkServer]
  /// Whether the extension may have the token itself.
  public let allowsToken: Bool

  /// The most scopes, and the most servers, of one entry.
  public static let longest = 64
  /// The most bytes of a scope.
  public static let longestScope = 512

  private static let arrow = "→"
  private static let tokenMark = "(token)"

  init(scopes: [String], servers: [NetworkServer], allowsToken: Bool) {
    self.scopes = scopes
    self.servers = servers
    self.allowsToken = allowsToken
  }

  /// Reads what ``description`` writes: a part of the permission `auth`.
  ///
  /// - Returns: `nil` when the text is no entry.
  public init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard let arrow = words.firstIndex(of: Self.arrow), arrow > 0 else { return nil }
    scopes = Array(words[..<arrow])
    var rest = words[(arrow + 1)...]
    allowsToken = rest.last == Self.tokenMark
    if allowsToken { rest.removeLast() }
    var servers: [NetworkServer] = []
    for word in rest {
      guard let server = NetworkServer(word) else { return nil }
      servers.append(server)
    }
    self.servers = servers
    guard scopes.allSatisfy(Self.isScope), allowsToken || !servers.isEmpty else { return nil }
  }

  /// Scopes, an arrow, servers, and whether the token itself is wanted: what a user is shown.
  public var description: String {
    (scopes + [Self.arrow] + servers.map(\.description) + (allowsToken ? [Self.tokenMark] : [])).joined(separator: " ")
  }

  /// Whether every scope that is asked for is one of the entry's. Case does not count.
  public func covers(_ asked: [String]) -> Bool {
    let own = Set(scopes.map { $0.lowercased() })
    return !asked.isEmpty && asked.allSatisfy { own.contains($0.lowercased()) }
  }

  /// Whether a text can be a scope (RFC 6749, 3.3).
  static func isScope(_ text: String) -> Bool {
    (1...longestScope).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
  }
}

extension Manifest {
  /// `Annex.Identity`: where the users of a containing app sign in.
  public struct Identity: Sendable, Hashable {
    /// `Authority`: the address of the identity server.
    public let authority: String
    /// The identifier by which the app is registered at the identity server (`ClientID`).
    public let clientID: String
    /// `ChallengeTypes`: `password`, `oob`; `nil` for a server that speaks OpenID Connect.
    public let challengeTypes: [String]?
  }
}
