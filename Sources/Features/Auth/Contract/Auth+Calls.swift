public import ExtensionProtocol

extension Auth {
  /// `auth/fetch`: `network/fetch` with an access token that the host adds, to a server of an entry of `Annex.Auth` that
  /// has all the scopes.
  ///
  /// When the server refuses the token, the host gets a new one and sends the request once more; then the answer is the
  /// answer. The token goes to no other origin, after a redirect neither.
  public struct Fetch: RemoteMethod {
    /// The wire name; extensions call it. Errors: `permissionDenied` for a scope or server that no entry names,
    /// `interactionRequired` when no user is signed in or consent is missing, `authFailed` for other failures of the
    /// identity server.
    public static let method = "auth/fetch"
    /// The API's answer, in the form of `network/fetch`.
    public typealias Result = Network.Fetch.Result

    /// The user's request that this is for, and that it ends with.
    public var requestID: String?
    /// `http` or `https`, without a user name.
    public var url: String
    /// `GET` when absent; `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` or `OPTIONS`.
    public var method: String?
    /// The header fields, in the form of `network/fetch`; the host sets `Authorization`.
    public var headers: [String: String]?
    /// The body: text, base64 or a file; `nil` sends none.
    public var body: Network.Body?
    /// Milliseconds for the whole exchange, as of `network/fetch`.
    @Exact<Int?> public var timeoutMs: Int?
    /// The most bytes of the answer's body.
    @Exact<Int?> public var maxBytes: Int?
    /// `inline` when absent.
    public var delivery: Network.Delivery?
    /// The scopes of the token: at least one, all of one resource.
    public var scopes: [String]
    /// An `id` or a `username` of `auth/accounts`; `nil` for the only account there is.
    public var account: String?

    /// Creates the params: a request, and what its token is for.
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
      /// The token for the header field `Authorization: Bearer …`.
      public var accessToken: SecretText
      /// The granted scopes.
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

    /// The scopes of the token: at least one, all of one resource.
    public var scopes: [String]
    /// An `id` or a `username` of `auth/accounts`; `nil` for the only account there is.
    public var account: String?
    /// Whether the tokens that are kept are passed over.
    public var forceRefresh: Bool?
    /// The claims that an API demands, as the text of a JSON object.
    public var claims: String?

    /// Creates the params.
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
    /// The wire name; extensions call it. After the user declined, the same process cannot ask again.
    public static let method = "auth/requestSignIn"
    /// People take their time.
    public static let serviceDeadline: Duration? = .seconds(600)

    /// The result of asking the user.
    public enum State: String, Codable, Sendable, CaseIterable {
      /// A user is signed in, now or from before.
      case signedIn
      /// The user did not want to.
      case cancelled
      /// The host has no way to ask.
      case unavailable
    }

    /// The result of asking the user.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether a user is signed in, declined, or cannot be asked.
      public var state: State
      /// The signed-in account; `nil` without one.
      public var account: Account?

      /// Answers a question.
      public init(state: State, account: Account? = nil) {
        self.state = state
        self.account = account
      }
    }

    /// The reason for the sign-in, shown to the user: one sentence, of which 200 characters are shown.
    public var reason: String
    /// The scopes that the extension will request tokens for; from an entry of `Annex.Auth`.
    public var scopes: [String]?
    /// The user name that is expected.
    public var loginHint: String?

    /// Creates the params; the user sees the first 200 characters of the reason.
    public init(reason: String, scopes: [String]? = nil, loginHint: String? = nil) {
      self.reason = reason
      self.scopes = scopes
      self.loginHint = loginHint
    }
  }
}
