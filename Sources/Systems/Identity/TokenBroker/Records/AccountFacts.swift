internal import ConfigurationFiles
internal import JSON
internal import Text

/// The account that an answer with tokens names. The id token was checked before.
struct AccountFacts: Sendable, Equatable {
  /// `uid.utid`, or the subject.
  var homeAccountID: String
  /// The tenant, where the server has any.
  var realm: String?
  var localID: String?
  var username: String
  var name: String?
  /// The `client_info` as the server sent it.
  var clientInfo: String?

  /// - Parameter username: what the user typed, where the server names no user; nil when nothing was typed. Then a name,
  ///   and at last the subject, has to do.
  init(_ grant: TokenGrant, username: String?) {
    let claims = grant.idToken.flatMap(IDTokenClaims.init)
    let info = grant.clientInfo.flatMap(ClientInfo.init)
    homeAccountID = info.map { "\($0.user).\($0.tenant)" } ?? claims?.subject ?? (username ?? "unknown").lowercased()
    realm = claims?.tenant ?? info?.tenant
    localID = claims?.objectID ?? claims?.subject ?? info?.user
    self.username = claims?.username ?? username ?? claims?.name ?? claims?.subject ?? "unknown"
    name = claims?.name
    clientInfo = info == nil ? nil : grant.clientInfo
  }
}

/// The identifiers of the user and the tenant, from the `client_info` of an answer.
struct ClientInfo: Sendable, Equatable {
  let user: String
  let tenant: String

  /// - Parameter text: base64url of a JSON object.
  init?(_ text: String) {
    guard text.utf8.count <= 8_192, let bytes = Base64URL.decode(text),
      let value = try? JSONCoding.parse(bytes, maximumDepth: 4),
      let user = value["uid"]?.stringValue, let tenant = value["utid"]?.stringValue,
      Self.isIdentifier(user), Self.isIdentifier(tenant)
    else { return nil }
    (self.user, self.tenant) = (user, tenant)
  }

  private static func isIdentifier(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}

/// The claims of an id token that are read.
struct IDTokenClaims: Sendable, Equatable {
  let issuer: String?
  let audiences: [String]
  let subject: String?
  let tenant: String?
  let objectID: String?
  let username: String?
  let name: String?
  let nonce: String?
  /// The client that the token was made for, where it names several audiences.
  let authorizedParty: String?
  /// The time at which the id token expires, in seconds since 1970.
  let expires: Int?

  /// - Returns: `nil` when the text is no token of three parts with an object of claims.
  init?(_ token: Secret) {
    let parts = token.revealed().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].utf8.count <= 1 << 16, let bytes = Base64URL.decode(parts[1]),
      let claims = (try? JSONCoding.parse(bytes, maximumDepth: 16))?.objectValue
    else { return nil }
    func text(_ name: String) -> String? {
      guard let text = claims[name]?.stringValue, (1...1_024).contains(text.utf8.count) else { return nil }
      return text
    }
    issuer = text("iss")
    audiences = claims["aud"]?.arrayValue?.prefix(16).compactMap(\.stringValue) ?? text("aud").map { [$0] } ?? []
    subject = text("sub")
    tenant = text("tid")
    objectID = text("oid")
    username = text("preferred_username") ?? text("email") ?? text("upn") ?? text("unique_name")
    name = text("name").map { quotable($0) }
    nonce = text("nonce")
    authorizedParty = text("azp")
    let end = claims["exp"]?.doubleValue ?? -1
    expires = CacheEntity.times.contains(Int64(exactly: end.rounded(.down)) ?? -1) ? Int(end) : nil
  }
}

/// An account that is, or was, signed in.
package struct Account: Sendable, Hashable {
  /// The account's `home_account_id`.
  package let id: String
  /// The name that the user signs in with.
  package let username: String
  /// The name for display; nil when the server gave none.
  package let name: String?
  /// Whether the broker can get tokens without the user's help.
  package let signedIn: Bool

  /// Creates an account from its identifier, its names and its state.
  package init(id: String, username: String, name: String? = nil, signedIn: Bool) {
    (self.id, self.username, self.name, self.signedIn) = (id, username, name, signedIn)
  }
}
