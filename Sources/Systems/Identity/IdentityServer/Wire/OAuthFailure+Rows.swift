import HTTPServer
import JSON

/// The rows of the table that more than one place gives.
extension OAuthFailure {
  static func badRequest(_ message: String) -> OAuthFailure { OAuthFailure("invalid_request", 90_100, message) }

  static func badParameter(_ name: String) -> OAuthFailure {
    .badRequest("The \(name) parameter is empty or not valid.")
  }

  // MARK: Clients and users

  static let unknownClient = OAuthFailure(
    "unauthorized_client", 700_016, "The application with this client_id was not found in the directory.")
  static var badClientSecret: OAuthFailure {
    var failure = OAuthFailure(
      status: 401, "invalid_client", 7_000_215, "The client is not known, or its secret is wrong or missing.")
    failure.headers = [ServerField("WWW-Authenticate", "Basic realm=\"clients\"")]
    return failure
  }
  static let nativeDisabled = OAuthFailure(
    "invalid_client", 7_000_112, "The application may not use the native authentication API.",
    suberror: "nativeauthapi_disabled")
  static let userNotFound = OAuthFailure("user_not_found", 50_034, "The user account does not exist in the directory.")
  static let wrongPassword = OAuthFailure(
    "invalid_grant", 50_126, "Error validating credentials due to invalid username or password.")
  static let withoutPassword = OAuthFailure(
    "invalid_request", 500_222, "The account has no password, so it has none to reset.")
  /// The public libraries look for the number with this error only.
  static let mustResetPassword = OAuthFailure(
    "invalid_request", 50_142, "The password has to be reset before the user can sign in.")
  static let userExists = OAuthFailure(
    "user_already_exists", 1_003_037, "It looks like you may already have an account with this address.")
  static let wrongCode = OAuthFailure(
    "invalid_grant", 50_181, "The one-time code is not the one that was sent.", suberror: "invalid_oob_value")
  static let deadCode = OAuthFailure(
    "invalid_grant", 50_184, "The one-time code was tried too often or is too old: ask for another one.",
    suberror: "invalid_oob_value")
  static let secondFactorNeeded = OAuthFailure(
    "invalid_grant", 50_076, "The user has to use multifactor authentication to access the resource.",
    suberror: "mfa_required")
  static let blockedContact = OAuthFailure(
    "access_denied", 550_021, "The contact was blocked because of its reputation.", suberror: "provider_blocked_by_rep")

  static func locked(_ seconds: Int64) -> OAuthFailure {
    var failure = OAuthFailure(
      "invalid_grant", 50_053, "The account is locked: too many tries with a wrong password or code.")
    failure.headers = [ServerField("Retry-After", "\(seconds)")]
    return failure
  }

  static func tooMany(_ seconds: Int64) -> OAuthFailure {
    var failure = OAuthFailure(status: 429, "temporarily_unavailable", 90_055, "There were too many requests.")
    failure.headers = [ServerField("Retry-After", "\(seconds)")]
    return failure
  }

  static func badPassword(_ fault: PasswordPolicy.Fault) -> OAuthFailure {
    OAuthFailure("invalid_grant", 399_246, fault.sentence, suberror: fault.rawValue)
  }

  // MARK: Continuation tokens

  static let badContinuation = OAuthFailure("invalid_request", 55_200, "The continuation_token is invalid.")
  static let expiredContinuation = OAuthFailure("expired_token", 552_003, "The continuation_token is expired.")
  static let wrongStep = OAuthFailure(
    "invalid_request", 55_200, "The continuation_token is invalid for this step of the flow.")

  // MARK: Challenges and grants

  static let redirectMissing = OAuthFailure(
    "unsupported_challenge_type", 901_007, "The challenge_type list parameter does not include the 'redirect' type.")
  static let badChallengeType = OAuthFailure(
    "invalid_request", 90_100, "The challenge_type parameter has a type that is not known.")
  static let introspectNeeded = OAuthFailure(
    "invalid_request", 550_033, "The id of a method is missing: ask /introspect for the methods.",
    suberror: "introspect_required")
  static let unsupportedGrant = OAuthFailure(
    "unsupported_grant_type", 70_003, "The app requested a grant type that is not supported.")

  static func invalidContact(_ channel: String) -> OAuthFailure {
    let what = channel == "sms" ? "a telephone number, such as +4915112345" : "an address of mail"
    return OAuthFailure("invalid_request", 901_001, "The contact is not \(what) that can be reached.")
  }

  static func invalidScope(_ why: String, code: Int = 70_011) -> OAuthFailure {
    OAuthFailure("invalid_scope", code, "The provided value for the input parameter 'scope' is not valid: \(why)")
  }

  static func invalidGrant(_ code: Int, _ message: String) -> OAuthFailure {
    OAuthFailure("invalid_grant", code, message)
  }

  func adding(_ key: String, _ value: JSONValue) -> OAuthFailure {
    var copy = self
    copy.details[key] = value
    return copy
  }
}
