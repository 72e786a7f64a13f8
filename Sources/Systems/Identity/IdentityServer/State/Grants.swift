/// The permission of a client to receive tokens for a user, from one sign-in.
struct Grant: Sendable {
  let userID: String
  let clientID: String
  /// All scopes that the sign-in requested.
  var scope: ScopeRequest
  /// The methods by which the user was authenticated (RFC 8176).
  var methods: [String]
  /// The time of the sign-in, in seconds since 1970.
  var signedInAt: Int64
  /// The identifier that all tokens of one sign-in share; the server revokes them together.
  let family: String
  /// The value that ties an id token to its request (OpenID Connect Core, 3.1.2.1).
  var nonce: String?
}

/// A refresh token and its use.
struct RefreshRecord: Sendable {
  let grant: Grant
  var isSpent = false
}

/// The request of a browser at the authorization endpoint.
struct AuthorizationRequest: Sendable {
  let clientID: String
  let redirectURI: String
  let scope: ScopeRequest
  let state: String?
  let nonce: String?
  /// SHA-256 of the verifier, base64url (RFC 7636); nil for a client that proves itself by its secret alone.
  let codeChallenge: String?
  let loginHint: String?
  let wantsClientInfo: Bool
  /// Whether the answer is posted, and not in the address.
  let isPosted: Bool
  let issuer: String
  /// The user whose password was correct, and the code sent for the second factor; nil before that.
  var pending: (userID: String, sent: Flow.Sent)?
}

/// An authorization code, which the client redeems for tokens.
struct AuthorizationCode: Sendable {
  let grant: Grant
  let redirectURI: String
  let codeChallenge: String?
  var isSpent = false
}

/// A device that waits for its user (RFC 8628).
struct DeviceRequest: Sendable {
  enum State: Sendable {
    case waiting
    case denied
    case granted(Grant)
  }

  let clientID: String
  let userCode: String
  let scope: ScopeRequest
  let expires: Int64
  var interval: Int64
  var lastAsked: Int64?
  var state = State.waiting
  /// The user whose password was correct, and the code sent for the second factor; nil before that.
  var pending: (userID: String, sent: Flow.Sent)?
}
