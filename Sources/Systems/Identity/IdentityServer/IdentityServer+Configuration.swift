package import Cryptography
package import HTTPServer
internal import Time

extension IdentityServer {
  /// The settings of an identity server.
  package struct Configuration: Sendable {
    /// A port of this machine; 0 takes any free one.
    package var port = 0
    /// The address to listen at. The outbox is served at loopback addresses only.
    package var host = "127.0.0.1"
    /// Names that a `Host` field may have besides those of this machine.
    package var additionalHostNames: [String] = []
    /// The certificate for TLS; nil serves plain HTTP.
    package var certificate: ServerCertificate?
    /// The issuer in tokens and in the metadata, without a slash at the end; nil uses the server's address.
    package var base: String?
    /// The name of the tenant in paths, `local` and `local.onmicrosoft.com`; its identifier stands there as well.
    package var tenant = "local"
    /// The identifier of the tenant, a GUID.
    package var tenantID = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
    /// The applications that may sign users in.
    package var clients = [IdentityClient.native]
    /// A JSON file of clients. The server adds them to `clients`.
    package var clientsFile: String?
    /// The APIs that the server serves and issues access tokens for.
    package var resources = ProtectedResource.samples
    /// A JSON file of users. The server adds them before `users`.
    package var usersFile: String?
    /// The accounts that exist when the server starts.
    package var users: [IdentityUser] = []
    /// The lifetimes of tokens, codes and flows.
    package var lifetimes = Lifetimes()
    /// The rules for new passwords.
    package var passwordPolicy = PasswordPolicy()
    /// The attributes that sign-up asks for.
    package var attributes: [AttributeRule] = []
    /// Whether sign-up asks for a password when the request contains none.
    package var signUpNeedsPassword = true
    /// The cost of each password hash (RFC 7914), which slows the guessing of passwords.
    package var scryptCost = Scrypt.Cost()
    /// The treatment of a refresh token after its use.
    package var rotation = Rotation.rotate
    /// The names of users in `sub`.
    package var subjects = Subjects.pairwise
    /// The number of digits of a one-time code, 4 to 12.
    package var codeLength = 8
    /// The number of polls that report a password reset as in progress before one reports its success.
    package var pollsOfReset = 1
    /// Limits on attempts, messages and stored entries.
    package var limits = Limits()
    /// The deviations from the standard behaviour that are active.
    package var quirks: Set<Quirk> = []
    /// The faults to inject, as texts that ``IdentityFaults/add(_:)`` accepts.
    package var faults: [String] = []
    /// A private key in PEM, so that tokens outlive the server; `nil` makes one at each start.
    package var signingKeyFile: String?
    /// A file that one-time codes are added to, a line of JSON each, readable by its owner only; `nil` keeps them in
    /// memory.
    package var outboxFile: String?
    /// What `GET /outbox` needs as `Authorization: Bearer SECRET`: one that nobody knows unless it is set.
    package var outboxSecret = Hexadecimal.text(for: SecureRandom.bytes(32))
    /// Receives a line for each request: method, path, status and error code, and never a parameter.
    package var log: @Sendable (String) -> Void = { _ in }
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64 = { UnixTime.now.seconds }
    /// Bytes that nobody can guess.
    package var random: @Sendable (_ count: Int) -> [UInt8] = { SecureRandom.bytes($0) }

    /// Creates the default configuration: any free port, the sample client and APIs, and no users.
    package init() {}
  }

  /// Lifetimes and intervals in seconds. The server limits each to 0 to ten years.
  package struct Lifetimes: Sendable {
    /// The lifetime of an access token.
    package var accessToken: Int64 = 3_600
    /// The value of `expires_in`; nil sends the true lifetime.
    package var announced: Int64?
    /// The value of `ext_expires_in`; nil omits the member.
    package var extended: Int64?
    /// The value of `refresh_in`; nil omits the member.
    package var refreshIn: Int64?
    /// The lifetime of an id token.
    package var idToken: Int64 = 3_600
    /// The lifetime of a refresh token.
    package var refreshToken: Int64 = 90 * 86_400
    /// The lifetime of a continuation token of native authentication.
    package var continuation: Int64 = 600
    /// The lifetime of a one-time code.
    package var oneTimeCode: Int64 = 600
    /// The lifetime of an authorization code.
    package var authorizationCode: Int64 = 120
    /// The lifetime of a device code.
    package var deviceCode: Int64 = 900
    /// The shortest time between two polls for a device code (RFC 8628, 3.5).
    package var deviceInterval: Int64 = 5
    /// The shortest time between two polls for the end of a password reset.
    package var pollInterval: Int64 = 2
    /// The shortest time between two one-time codes of the same flow.
    package var resendInterval: Int64 = 300

    /// Creates the default lifetimes.
    package init() {}

    /// The longest lifetime: ten years.
    static let longest: Int64 = 3_650 * 86_400

    /// The lifetimes, each limited to 0 to ten years.
    var bounded: Lifetimes {
      func bound(_ seconds: Int64) -> Int64 { min(max(seconds, 0), Self.longest) }
      var copy = self
      for path in [
        \Lifetimes.accessToken, \.idToken, \.refreshToken, \.continuation, \.oneTimeCode, \.authorizationCode,
        \.deviceCode, \.deviceInterval, \.pollInterval, \.resendInterval,
      ] { copy[keyPath: path] = bound(copy[keyPath: path]) }
      return copy
    }
  }

  /// The treatment of a refresh token after its use.
  package enum Rotation: String, Sendable, CaseIterable {
    /// A new token replaces the old one. A second use of the old one revokes all tokens of the sign-in.
    case rotate
    /// The server issues a new token, and the old one stays valid.
    case add
    /// The token stays valid, and the server issues no other.
    case keep
  }

  /// The names that users have in `sub` (OpenID Connect Core, 8). `oid` is the same for every client.
  package enum Subjects: String, Sendable, CaseIterable {
    /// Each client has a name of its own for a user.
    case pairwise
    /// All clients have the same name for a user.
    case `public`
  }

  /// Limits on what clients may do.
  package struct Limits: Sendable {
    /// Wrong passwords of one account in a window before it is locked until the window ends.
    package var failures = 10
    /// The window in seconds.
    package var window: Int64 = 60
    /// Wrong tries of one code.
    package var triesOfCode = 5
    /// Codes sent to one account in a window.
    package var codes = 20
    /// Flows, tokens and codes kept of each kind. The oldest gives way.
    package var entries = 10_000
    /// Accounts made by sign-up.
    package var accounts = 10_000

    /// Creates the default limits.
    package init() {}
  }
}

/// An error that prevents an identity server from starting.
package struct IdentityServerError: Error, Sendable, CustomStringConvertible {
  /// One sentence with the file and the place in it.
  package let message: String
  /// The advice to the reader.
  package let recovery: String

  init(_ message: String, recovery: String) {
    self.message = message
    self.recovery = recovery
  }

  /// The message without the recovery.
  package var description: String { message }
}
