import DataConnectCompiler
package import JSON
import Text

/// The caller of an operation.
package enum OperationCaller: Sendable, Hashable {
  /// The owner of the machine, to whom `@auth` does not apply.
  case administrator
  /// A caller without a token.
  case nobody
  case user(Claims)

  /// The claims of the token; `nil` without one.
  var claims: Claims? { if case .user(let claims) = self { claims } else { nil } }
  /// The name of the user, which may differ from another's in its bytes alone; `nil` without one.
  var name: ExactText? { claims.map { ExactText($0.user) } }
}

/// The claims of a user's token.
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

  /// Whether the account is anonymous: an app created it for a guest.
  var isAnonymous: Bool { token["firebase"]?["sign_in_provider"]?.stringValue == "anonymous" }
  var hasVerifiedEmail: Bool { token["email_verified"]?.boolValue == true }
}

/// On whose behalf an administrator has something executed: `{"authClaims": {…}}` or `{"unauthenticated": true}`.
enum Impersonation {
  /// - Parameter extensions: the member of that name of the request's body.
  /// - Throws: `invalidArgument` for what is neither.
  static func caller(_ extensions: JSONValue?) throws(RequestFailure) -> OperationCaller {
    guard let value = extensions?["impersonate"], !value.isNull else { return .administrator }
    if value["unauthenticated"]?.boolValue == true, value["authClaims"] == nil { return .nobody }
    if case .object(let token) = value["authClaims"], value["unauthenticated"]?.boolValue != true,
      let claims = Claims(token)
    {
      return .user(claims)
    }
    throw RequestFailure(
      .invalidArgument, "\"impersonate\" has either \"authClaims\" with \"sub\", or \"unauthenticated\": true.")
  }
}

extension OperationAccess {
  /// - Returns: why a caller may not; `nil` when it may.
  func refusal(of caller: OperationCaller, _ scope: ExpressionScope) -> RequestFailure? {
    if caller == .administrator { return nil }
    switch grant {
    case .level(.everybody): return nil
    case .level(.nobody): return RequestFailure(.permissionDenied, Self.unauthorized)
    case .level(let level):
      guard let claims = caller.claims else { return Self.unauthenticated }
      switch level {
      case .user where claims.isAnonymous:
        return Self.unauthenticated
      case .verifiedUser where claims.isAnonymous || !claims.hasVerifiedEmail:
        return Self.unauthenticated
      default: return nil
      }
    case .expression(let text):
      if scope.holds(text) { return nil }
      return caller.claims == nil
        ? Self.unauthenticated : RequestFailure(.permissionDenied, Self.unauthorized)
    }
  }

  /// The sentence of the public service.
  private static let unauthorized = "unauthorized: you are not authorized to perform this operation"
  private static let unauthenticated = RequestFailure(.unauthenticated, unauthorized)
}
