import Text

extension AuthError {
  static let emptyScopes = AuthError(.emptyScopes, "No scope is named.")

  static let tooManyScopes = AuthError(
    .invalidScope, "More than \(ScopeList.mostNames) scopes are named.",
    recovery: "Name at most \(ScopeList.mostNames) scopes.")

  static func invalidScope(_ name: String) -> AuthError {
    let shown = quotable(name)
    return AuthError(
      .invalidScope, "\"\(shown)\" is no scope.",
      recovery: "Write scopes without quotation marks, backslashes and control characters.", names: [shown])
  }

  static func severalResources(_ resources: [String]) -> AuthError {
    let shown = resources.map { $0.isEmpty ? "the default resource" : quotable($0) }
    return AuthError(
      .severalResources, "The scopes belong to \(shown.count) resources: \(shown.joined(separator: ", ")).",
      names: shown)
  }

  static func insufficientScopes(asked: ScopeList, granted: ScopeList) -> AuthError {
    let missing = granted.missing(of: asked)
    return AuthError(
      .insufficientScopes, "The server did not grant \(missing.joined(separator: ", ")).", names: missing)
  }
}
