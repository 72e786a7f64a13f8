public import ExtensionProtocol

extension Auth {
  /// `auth/fetch`: `network/fetch` with an access token that the host adds, to a server of an entry of `Annex.Auth` that
  /// has all the scopes.
  ///
  /// When the server refuses the token, the host gets a new one and sends the request once more; then the answer is the
  /// answer. The token goes to no other origin, after a redirect neither.
  public struct Fetch: RemoteMethod {
    /// The wire name; extensions call it. A scope or a server that no entry names is `permissionDenied`; when nobody is
    /// signed in, or has to agree again, it is `interactionRequired`; other failures of the identity server are
    /// `authFailed`.
    public static let method = "auth/fetch"
    /// What the API answered, as of `network/fetch`.
    public typealias Result = Network.Fetch.Result

    /// The user's request that this is for, and that it ends with.
    public var requestID: String?
    /// `http` or `https`, without a user name.
    public var url: String
    /// `GET` when absent; `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` or `OPTIONS`.
    public var method: String?
    /// As of `network/fetch`, without `Authorization`, which is the host's.
    public var headers: [String: String]?
    /// What is sent: text, base64 or a file; `nil` sends none.
    public var body: Network.Body?
    /// Milliseconds for the whole exchange, as of `network/fetch`.
    @Exact<Int?> public var timeoutMs: Int?
    /// The most bytes of the answer's body.
    @Exact<Int?> public var maxBytes: Int?
    /// `inline` when absent.
    public var delivery: Network.Delivery?
    /// What the token is for: at least one scope, all of one resource.
    public var scopes: [String]
    /// An `id` or a `username` of `auth/accounts`; `nil` for the only account there is.
    public var account: String?

    /// Makes the params: a request, and what its token is for.
    public init(_ request: Network.Fetch, scopes: [String], account: String? = nil) {
      requestID = request.requestID
      url = request.url
      method = request.method
      headers = request.headers
      body = request.body
      timeoutMs = request.timeoutMs
      maxBytes = request.maxBytes
      delivery = request.delivery
      self.scopes = scopes
      self.account = account
    }
  }

  /// `auth/token`: an access token itself, for what the host cannot send.
  public struct Token: RemoteMethod {
    /// The wire name; extensions call it. Refused with `permissionDenied` unless an entry of `Annex.Auth` with `Token` has
    /// all the scopes, those that the server granted beside them too.
    public static let method = "auth/token"

    /// A token, which is not to be written down.
    public struct Result: Codable, Sendable, Equatable {
      /// For the field `Authorization: Bearer …` of calls.
      public var accessToken: SecretText
      /// What was granted.
      public var scopes: [String]
      /// Seconds since 1970.
      @Timestamp<Int> public var expiresAt: Int
      /// The `id` of the account.
      public var account: String

      /// Answers with a token.
      ///
      /// - Parameter expiresAt: seconds since 1970.
      public init(accessToken: SecretText, scopes: [String], expiresAt: Int, account: String) {
        self.accessToken = accessToken
        self.scopes = scopes
        self.expiresAt = expiresAt
        self.account = account
      }
    }

    /// What the token is for: at least one scope, all of one resource.
    public var scopes: [String]
    /// An `id` or a `username` of `auth/accounts`; `nil` for the only account there is.
    public var account: String?
    /// Whether the tokens that are kept are passed over.
    public var forceRefresh: Bool?
    /// What an API wants to be told, as the text of a JSON object.
    public var claims: String?

    /// Makes the params.
    ///
    /// - Parameters:
    ///   - account: an id or a user name; `nil` for the only account there is.
    ///   - forceRefresh: `true` passes over the tokens that are kept.
    ///   - claims: the text of a JSON object, as an API demands it.
    public init(scopes: [String], account: String? = nil, forceRefresh: Bool? = nil, claims: String? = nil) {
      self.scopes = scopes
      self.account = account
      self.forceRefresh = forceRefresh
      self.claims = claims
    }
  }

  /// `auth/requestSignIn`: the host asks the user to sign in, where it has a way to.
  public struct RequestSignIn: RemoteMethod {
    /// The wire name; extensions call it. A user who declined is not asked again by the same process.
    public static let method = "auth/requestSignIn"
    /// People take their time.
    public static let serviceDeadline: Duration? = .seconds(600)

    /// What came of it.
    public enum State: String, Codable, Sendable, CaseIterable {
      /// Somebody is signed in, now or since before.
      case signedIn
      /// The user did not want to.
      case cancelled
      /// The host has no way to ask.
      case unavailable
    }

    /// What came of the question.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether somebody is signed in.
      public var state: State
      /// Who, when somebody is.
      public var account: Account?

      /// Answers a question.
      public init(state: State, account: Account? = nil) {
        self.state = state
        self.account = account
      }
    }

    /// Why it is wanted, for the user: one sentence, of which 200 characters are shown.
    public var reason: String
    /// What the extension will ask tokens for; scopes of an entry of `Annex.Auth`.
    public var scopes: [String]?
    /// The user name that is expected.
    public var loginHint: String?

    /// Makes the params; of a reason beyond 200 characters the user sees the beginning.
    public init(reason: String, scopes: [String]? = nil, loginHint: String? = nil) {
      self.reason = reason
      self.scopes = scopes
      self.loginHint = loginHint
    }
  }
}
