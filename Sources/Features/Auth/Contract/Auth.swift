public import ExtensionProtocol

/// `auth/…`: one sign-in of the user's, and calls of web APIs with access tokens that the host keeps.
public enum Auth: ServiceContract {
  /// The prefix of the methods, and the permission that the user has to grant.
  public static let name = "auth"
  /// Calls and tokens are open to every extension point with the permission `auth`, a keyboard needs open access too. The
  /// steps of a sign-in belong to the containing app.
  public static let methods: [any RemoteMethod.Type] = [
    Fetch.self, Token.self, Accounts.self, RequestSignIn.self, Begin.self, Continue.self, Resend.self, Cancel.self,
    SignOut.self,
  ]
  /// Every extension point with the permission `auth`; what concerns passwords and codes, containing apps only.
  public static let access =
    [
      Allowlist.Row(
        "auth/*", nil, nil, permissions: ["auth"],
        "The host keeps the tokens, for the scopes and servers that Annex.Auth names; the user has to agree.")
    ]
    + [
      Allowlist.Row(
        "auth/accounts", [.containingApp], nil, "A containing app knows its signed-in accounts."),
      Allowlist.Row(
        "auth/accounts", nil, nil, permissions: ["auth"],
        "The signed-in accounts of its containing app; the user has to agree to what Annex.Auth names."),
      Allowlist.Row(
        "auth/requestSignIn", [.containingApp], nil, "A containing app may have its own users asked to sign in."),
      Allowlist.Row(
        "auth/requestSignIn", nil, nil, permissions: ["auth"],
        "The host keeps the tokens, for the scopes and servers that Annex.Auth names; the user has to agree."),
    ]
    + ["auth/begin", "auth/continue", "auth/resend", "auth/cancel", "auth/signOut"].map {
      Allowlist.Row(
        $0, [.containingApp], nil,
        "Only the containing app shows the form of a sign-in; an extension has the host ask, with auth/requestSignIn.")
    }

  /// An account that is, or was, signed in.
  public struct Account: Codable, Sendable, Hashable {
    /// The identity server's identifier of the account.
    public var id: String
    /// The name that the user signs in with. It comes from the server: escape it before you print it.
    public var username: String
    /// The name for people, where the server tells it.
    public var name: String?
    /// Whether tokens can be got without the user.
    public var signedIn: Bool

    /// Names an account.
    public init(id: String, username: String, name: String? = nil, signedIn: Bool) {
      self.id = id
      self.username = username
      self.name = name
      self.signedIn = signedIn
    }
  }

  /// `auth/accounts`: returns the accounts signed in at the identity server of the caller's containing app.
  public struct Accounts: RemoteMethod {
    /// The wire name; extensions and containing apps call it.
    public static let method = "auth/accounts"

    /// The accounts, which no other containing app sees.
    public struct Result: Codable, Sendable, Equatable {
      /// The accounts, in no particular order; empty when no user has signed in.
      public var accounts: [Account]

      /// Lists accounts.
      public init(accounts: [Account]) { self.accounts = accounts }
    }

    /// Creates empty params.
    public init() {}
  }

  /// `auth/signOut`: deletes everything of an account, and has the server revoke its tokens where it can.
  public struct SignOut: RemoteMethod {
    /// The wire name; containing apps call it.
    public static let method = "auth/signOut"
    /// Empty: the sign-out is done.
    public typealias Result = Empty

    /// An `id` or a `username` of ``Accounts``.
    public var account: String

    /// Names the account by its id or its user name.
    public init(account: String) { self.account = account }
  }
}
