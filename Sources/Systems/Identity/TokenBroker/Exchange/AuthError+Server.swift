extension AuthError {
  /// Creates the error for an answer in which the server refuses a request.
  ///
  /// - Parameter server: host and port, for the sentence.
  init(_ failure: ServerFailure, purpose: RequestPurpose, server: String) {
    let kind = Self.kind(of: failure, purpose: purpose)
    var message = Self.sentence(kind, failure, server: server)
    if kind == .invalidContact {
      message = "\(server) sends no codes to this \(purpose == .number ? "number" : "address")."
    }
    if Self.isVague(kind), !failure.saying.isEmpty { message += " It says: \"\(failure.saying)\"." }
    self.init(
      kind, message,
      recovery: kind == .invalidContact ? Self.advice(number: purpose == .number) : Self.recovery(kind, failure),
      code: failure.code, serverError: failure.words,
      correlationID: failure.correlationID, names: failure.attributes.map(\.name),
      retryAfter: [.rateLimited, .serverUnavailable, .accountBlocked].contains(kind) ? failure.retryAfter : nil)
  }

  /// The advice to who names where codes are to go.
  static func advice(number: Bool) -> String {
    number
      ? "Write the whole number with + and the code of the country, such as +4915112345."
      : "Write the whole address, such as rider@example.com."
  }

  private static func kind(of failure: ServerFailure, purpose: RequestPurpose) -> Kind {
    // Two answers to a code: a wrong one, and one that can be right no more.
    if failure.code == 50_184 { return .deadCode }
    if let kind = kind(ofSuberror: failure.suberror) { return kind }
    if let kind = kind(ofCode: failure.code, failure: failure, purpose: purpose) { return kind }
    if let kind = kind(ofError: failure.error, purpose: purpose) { return kind }
    switch failure.status {
    case 429: return .rateLimited
    case 500...: return .serverUnavailable
    case 400, 401, 403: return failure.isEmpty ? kind(ofRefusal: purpose) : .invalidAnswer
    default: return .invalidAnswer
    }
  }

  private static func kind(ofSuberror suberror: String?) -> Kind? {
    switch suberror {
    case "password_too_weak", "password_too_short", "password_too_long", "password_recently_used", "password_banned",
      "password_is_invalid":
      .weakPassword
    case "attribute_validation_failed": .invalidAttributes
    case "invalid_oob_value": .invalidCode
    case "nativeauthapi_disabled": .clientNotAllowed
    case "provider_blocked_by_rep": .accessDenied
    case "consent_required": .consentRequired
    default: nil
    }
  }

  /// The numbers of `AADSTS…`.
  private static func kind(ofCode code: Int?, failure: ServerFailure, purpose: RequestPurpose) -> Kind? {
    switch code {
    case 50034: .userNotFound
    case 50126: .invalidCredentials
    case 500222: .noPassword
    case 50142, 50055: .passwordResetRequired
    case 50053, 50057: .accountBlocked
    case 50072, 50074, 50076, 50079, 50158: purpose == .refresh ? .interactionRequired : .browserRequired
    case 50173, 70008, 70043, 700082, 700084: .interactionRequired
    case 65001: .consentRequired
    case 28000, 28003: .severalResources
    case 70011, 500011: .invalidScope
    case 700016, 7000218: .clientNotAllowed
    case 90100: failure.saying.lowercased().contains("username") ? .invalidUsername : .invalidRequest
    case 901001: [.address, .number].contains(purpose) ? .invalidContact : .invalidUsername
    case 901007: .invalidConfiguration
    case 1_003_037: .userAlreadyExists
    case 55106: .invalidAttributes
    case 55200, 552003: .flowExpired
    case 399246: .weakPassword
    default: nil
    }
  }

  private static func kind(ofError error: String, purpose: RequestPurpose) -> Kind? {
    switch error {
    case "invalid_grant": kind(ofRefusal: purpose)
    case "invalid_request": .invalidRequest
    case "invalid_client", "unauthorized_client": .clientNotAllowed
    case "invalid_scope", "invalid_target": .invalidScope
    case "unsupported_challenge_type", "unsupported_grant_type", "unsupported_response_type": .notSupported
    case "user_already_exists": .userAlreadyExists
    case "user_not_found": .userNotFound
    case "expired_token": .flowExpired
    case "credential_required": .invalidRequest
    case "attributes_required", "verification_required": .invalidAttributes
    case "access_denied": .accessDenied
    case "authorization_pending", "slow_down": .rateLimited
    case "expired_refresh_token", "interaction_required", "login_required", "account_selection_required":
      .interactionRequired
    case "consent_required": .consentRequired
    case "server_error", "temporarily_unavailable": .serverUnavailable
    default: nil
    }
  }

  /// Returns the kind of error for a refusal whose answer names none.
  private static func kind(ofRefusal purpose: RequestPurpose) -> Kind {
    switch purpose {
    case .password: .invalidCredentials
    case .newPassword: .weakPassword
    case .code: .invalidCode
    case .attributes: .invalidAttributes
    case .address, .number: .invalidContact
    case .refresh: .interactionRequired
    case .step, .authorizationCode, .deviceCode: .flowExpired
    case .startSignIn, .startReset, .startSignUp: .invalidRequest
    case .discovery, .revocation: .invalidAnswer
    }
  }

  private static func isVague(_ kind: Kind) -> Bool {
    switch kind {
    case .invalidRequest, .clientNotAllowed, .consentRequired, .invalidScope, .accessDenied, .notSupported,
      .invalidConfiguration, .interactionRequired, .accountBlocked:
      true
    default: false
    }
  }
}
