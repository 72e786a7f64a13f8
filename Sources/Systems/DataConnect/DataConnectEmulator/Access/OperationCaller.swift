package import JSON

/// On whose behalf an operation runs.
package enum OperationCaller: Sendable, Hashable {
  /// Whoever owns the machine: `@auth` does not hold for it.
  case administrator
  /// Somebody without a token.
  case nobody
  case user(Claims)

  /// What the token says; `nil` without one.
  var claims: Claims? { if case .user(let claims) = self { claims } else { nil } }
}

/// What a token says of a user.
package struct Claims: Sendable, Hashable {
  /// `auth.uid`, the token's `sub`.
  package let user: String
  /// `auth.token`: all claims.
  package let token: JSONObject

  /// - Returns: `nil` when the claims name no user.
  package init?(_ token: JSONObject) {
    guard let user = (token["sub"] ?? token["user_id"])?.stringValue, !user.isEmpty, user.utf8.count <= 1_024 else {
      return nil
    }
    self.user = user
    self.token = token
  }

  /// Whether it is an account that somebody made, and not one that an app made for a guest.
  var isAnonymous: Bool { token["firebase"]?["sign_in_provider"]?.stringValue == "anonymous" }
  var hasVerifiedEmail: Bool { token["email_verified"]?.boolValue == true }
}
