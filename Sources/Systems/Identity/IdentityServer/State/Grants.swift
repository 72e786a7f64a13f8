/// Who may have tokens, and which.
struct Grant: Sendable {
  let userID: String
  let clientID: String
  /// Everything that was asked for at the sign-in.
  var scope: ScopeRequest
  /// How the user was recognised (RFC 8176).
  var methods: [String]
  /// When that was.
  var signedInAt: Int64
  /// What all tokens of one sign-in share: they are revoked together.
  let family: String
  /// What OpenID Connect ties an id token to its request with.
  var nonce: String?
}

/// A refresh token.
struct RefreshRecord: Sendable {
  let grant: Grant
  var isSpent = false
}

/// A browser that is asked to sign in.
struct AuthorizationRequest: Sendable {
  let clientID: String
  let redirectURI: String
  let scope: ScopeRequest
  let state: String?
  let nonce: String?
  /// SHA-256 of the verifier, base64url (RFC 7636).
  let codeChallenge: String
  let loginHint: String?
  let wantsClientInfo: Bool
  /// Whether the answer is posted, and not in the address.
  let isPosted: Bool
  let issuer: String
  /// Who has given the password, while the second factor is asked for.
  var pending: (userID: String, sent: Flow.Sent)?
}

/// What a browser brings back.
struct AuthorizationCode: Sendable {
  let grant: Grant
  let redirectURI: String
  let codeChallenge: String
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
  /// Who has given the password, while the second factor is asked for.
  var pending: (userID: String, sent: Flow.Sent)?
}
