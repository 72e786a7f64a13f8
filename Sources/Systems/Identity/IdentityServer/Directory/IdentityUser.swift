package import JSON

/// A user with an account.
package struct IdentityUser: Sendable {
  /// A contact that receives the second factor.
  package struct Method: Sendable, Equatable {
    /// The identifier of the method, unique for the user.
    package var id: String
    /// The channel: `email` or `sms`.
    package var channel: String
    /// The address or the number.
    package var target: String

    /// Creates a method from its identifier, its channel and the address.
    package init(id: String, channel: String, target: String) {
      self.id = id
      self.channel = channel
      self.target = target
    }

    /// Enough of the address for its owner: `c***r@example.com`.
    var hint: String { Self.masked(target) }

    static func masked(_ target: String) -> String {
      guard let at = target.lastIndex(of: "@") else { return "***" + target.suffix(2) }
      let name = target[..<at]
      let last = name.count > 1 ? name.suffix(1) : ""
      return "\(name.prefix(1))***\(last)\(target[at...])"
    }
  }

  /// A GUID; made when it is empty.
  package var id = ""
  /// An address of mail.
  package var username: String
  /// The name for display; nil for none.
  package var name: String?
  /// `nil` signs in by one-time code.
  package var password: PasswordHash?
  /// The earlier passwords, which the user may not choose again.
  package var earlier: [PasswordHash] = []
  /// The attributes that the user gave at sign-up.
  package var attributes: JSONObject = [:]
  /// Whether the first factor is not enough.
  package var needsSecondFactor = false
  /// The contacts for a second factor. With `needsSecondFactor` and no method, the user has to register one.
  package var methods: [Method] = []
  /// Whether the password has to be chosen anew before a sign-in.
  package var mustResetPassword = false
  /// Whether only a browser can sign the user in.
  package var needsBrowser = false
  /// Whether contacts of the user are refused.
  package var isContactBlocked = false

  /// Creates a user; without a password the user signs in by one-time code.
  package init(username: String, password: PasswordHash? = nil) {
    self.username = username
    self.password = password
  }

  /// Usernames are the same without regard to case.
  static func key(_ username: String) -> String { username.lowercased() }
}
