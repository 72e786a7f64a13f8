import Text

/// An error of a sign-in or of a request for a token.
package struct AuthError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure, for code that decides by it.
  package let kind: Kind
  /// One sentence: what happened, with the names involved, and never with a secret.
  package let message: String
  /// The advice to the reader.
  package let recovery: String
  /// The first number that the server gave: that of `AADSTS50126`.
  package let code: Int?
  /// The words of the server, such as `invalid_grant` or `invalid_grant/mfa_required`.
  package let serverError: String?
  /// The identifier of the request in the server's log; nil before the first request.
  package let correlationID: String?
  /// The attributes, or the scopes, that it is about.
  package let names: [String]
  /// The seconds that the server asks the client to wait; nil when the server names none.
  package let retryAfter: Int?

  /// Creates an error. Without a `recovery` the error takes the advice of its kind.
  package init(
    _ kind: Kind, _ message: String, recovery: String? = nil, code: Int? = nil, serverError: String? = nil,
    correlationID: String? = nil, names: [String] = [], retryAfter: Int? = nil
  ) {
    self.kind = kind
    self.message = message
    self.recovery = recovery ?? kind.recovery
    self.code = code
    self.serverError = serverError
    self.correlationID = correlationID
    self.names = names
    self.retryAfter = retryAfter
  }

  /// The message and the recovery.
  package var description: String { "\(message) \(recovery)" }

  /// Whether the same call may succeed a little later without any change by the user.
  package var isTransient: Bool {
    switch kind {
    case .serverUnavailable, .unreachable, .timedOut, .rateLimited: true
    default: false
    }
  }

  func with(correlationID: String?, recovery new: String? = nil) -> AuthError {
    AuthError(
      kind, message, recovery: new ?? recovery, code: code, serverError: serverError,
      correlationID: self.correlationID ?? correlationID, names: names, retryAfter: retryAfter)
  }
}

extension AuthError {
  static let emptyScopes = AuthError(.emptyScopes, "No scope is named.")

  static let tooManyScopes = AuthError(
    .invalidScope, "More than \(ScopeList.mostNames) scopes are named.",
    recovery: "Name at most \(ScopeList.mostNames) scopes.")

  static func invalidScope(_ name: String) -> AuthError {
    let shown = quotable(name)
    return AuthError(
      .invalidScope, "\"\(shown)\" is not a scope.",
      recovery: "Write scopes without quotation marks, backslashes and control characters.", names: [shown])
  }

  static func severalResources(_ resources: [String]) -> AuthError {
    let shown = resources.map { $0.isEmpty ? "the default resource" : quotable($0) }
    return AuthError(
      .severalResources, "The scopes belong to \(shown.count) resources: \(shown.joined(separator: ", ")).",
      names: shown)
  }

  static func excessiveScopes(_ excess: [String]) -> AuthError {
    AuthError(
      .excessiveScopes,
      "The server grants \(excess.prefix(8).joined(separator: ", ")) too, which this caller may not use.",
      names: Array(excess.prefix(8)))
  }

  static func insufficientScopes(asked: ScopeList, granted: ScopeList) -> AuthError {
    let missing = granted.missing(of: asked)
    return AuthError(
      .insufficientScopes, "The server did not grant \(missing.joined(separator: ", ")).", names: missing)
  }
}
