package import Cryptography
internal import Glibc
package import HTTPServer

extension IdentityServer {
  /// How the server behaves.
  package struct Configuration: Sendable {
    /// A port of this machine; 0 takes any free one.
    package var port = 0
    /// The address to listen at. The outbox is served at loopback addresses only.
    package var host = "127.0.0.1"
    /// Names that a `Host` field may have besides those of this machine.
    package var additionalHostNames: [String] = []
    /// What to show of itself under TLS; `nil` speaks without.
    package var certificate: ServerCertificate?
    /// What tokens name as their issuer, and discovery, without a slash at the end; `nil` takes the server's address.
    package var base: String?
    /// The name of the tenant in paths, `local` and `local.onmicrosoft.com`; its identifier stands there as well.
    package var tenant = "local"
    /// A GUID.
    package var tenantID = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
    package var clients = [IdentityClient.native]
    package var resources = ProtectedResource.samples
    /// A JSON file of users; they come before `users`.
    package var usersFile: String?
    package var users: [IdentityUser] = []
    package var lifetimes = Lifetimes()
    package var passwordPolicy = PasswordPolicy()
    /// What sign-up asks for.
    package var attributes: [AttributeRule] = []
    /// Whether sign-up asks for a password when none came along.
    package var signUpNeedsPassword = true
    /// What a password costs who guesses it.
    package var scryptCost = Scrypt.Cost()
    /// What is done with a refresh token when it is spent.
    package var rotation = Rotation.rotate
    /// Digits of a one-time code, 4 to 12.
    package var codeLength = 8
    /// How often a password reset is told to be in progress before it succeeds.
    package var pollsOfReset = 1
    package var limits = Limits()
    package var quirks: Set<Quirk> = []
    /// What goes wrong, in the words of ``IdentityFaults/add(_:)``.
    package var faults: [String] = []
    /// A private key in PEM, so that tokens outlive the server; `nil` makes one at each start.
    package var signingKeyFile: String?
    /// A file that one-time codes are added to, a line of JSON each, readable by its owner only; `nil` keeps them in
    /// memory.
    package var outboxFile: String?
    /// Gets a line for each request: method, path, status, and error code. Never a parameter.
    package var log: @Sendable (String) -> Void = { _ in }
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64 = { Int64(time(nil)) }
    /// Bytes that nobody can guess.
    package var random: @Sendable (_ count: Int) -> [UInt8] = { SecureRandom.bytes($0) }

    package init() {}
  }

  /// How long things hold, in seconds: none, to ten years.
  package struct Lifetimes: Sendable {
    package var accessToken: Int64 = 3_600
    /// What `expires_in` says; `nil` says the truth.
    package var announced: Int64?
    /// What `ext_expires_in` says; `nil` leaves it out.
    package var extended: Int64?
    /// What `refresh_in` says; `nil` leaves it out.
    package var refreshIn: Int64?
    package var idToken: Int64 = 3_600
    package var refreshToken: Int64 = 90 * 86_400
    package var continuation: Int64 = 600
    package var oneTimeCode: Int64 = 600
    package var authorizationCode: Int64 = 120
    package var deviceCode: Int64 = 900
    /// The time between two questions for a device code.
    package var deviceInterval: Int64 = 5
    /// The time between two questions for the end of a password reset.
    package var pollInterval: Int64 = 2
    /// The time before a code may be sent again.
    package var resendInterval: Int64 = 300

    package init() {}

    /// Ten years.
    static let longest: Int64 = 3_650 * 86_400

    /// None below zero and none above ten years.
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

  /// What is done with a refresh token when it is spent.
  package enum Rotation: String, Sendable, CaseIterable {
    /// A new one takes its place; who brings the old one again loses all of its line.
    case rotate
    /// A new one comes beside it.
    case add
    /// It stays, and no other is given.
    case keep
  }

  /// Bounds on what others may do.
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

    package init() {}
  }
}

/// Why an identity server does not start.
package struct IdentityServerError: Error, Sendable, CustomStringConvertible {
  /// One sentence with the file and the place in it.
  package let message: String
  /// What the reader can do about it.
  package let recovery: String

  init(_ message: String, recovery: String) {
    self.message = message
    self.recovery = recovery
  }

  package var description: String { message }
}
