extension AuthError {
  static func sentence(_ kind: Kind, _ failure: ServerFailure, server: String) -> String {
    if let known = sentence(ofUser: kind, failure, server: server) { return known }
    switch kind {
    case .invalidScope: return "\(server) does not take the scopes."
    case .severalResources: return "\(server) gives no token for scopes of several resources."
    case .interactionRequired: return "\(server) wants the user to sign in again."
    case .consentRequired: return "No user has agreed to these scopes yet."
    case .browserRequired: return "\(server) wants more than this way of signing in can give."
    case .clientNotAllowed: return "\(server) does not allow this client to do that."
    case .notSupported: return "\(server) does not support this way of signing in."
    case .invalidConfiguration: return "\(server) wants a client that can be sent to a browser."
    case .accessDenied: return "\(server) refused access."
    case .rateLimited: return "\(server) gets too many requests (\(failure.status))."
    case .serverUnavailable: return "\(server) failed (\(failure.status))."
    case .invalidRequest: return "\(server) does not take the request (\(failure.status))."
    default:
      let what =
        failure.isEmpty ? "without a word" : failure.isWebPage ? "with a web page" : "with what is not an answer"
      return "\(server) answered \(what) (\(failure.status))."
    }
  }

  private static func sentence(ofUser kind: Kind, _ failure: ServerFailure, server: String) -> String? {
    switch kind {
    case .userNotFound: "\(server) knows no such user."
    case .invalidUsername: "\(server) does not take this user name."
    case .invalidCredentials: "The user name or the password is wrong."
    case .noPassword: "This account has no password."
    case .passwordResetRequired: "The password of this account has to be reset."
    case .accountBlocked: "This account is locked or switched off."
    case .userAlreadyExists: "\(server) has a user of this name already."
    case .weakPassword: "\(server) does not take this password: \(fault(failure.suberror))."
    case .invalidAttributes: "\(server) does not take \(names(failure.attributes))."
    case .invalidCode: "The code is wrong."
    case .deadCode: "The code was tried too often, or is too old."
    case .flowExpired: "This attempt took too long, or one of its steps was made twice."
    default: nil
    }
  }

  static func recovery(_ kind: Kind, _ failure: ServerFailure) -> String {
    if let seconds = failure.retryAfter, seconds > 0,
      [.rateLimited, .serverUnavailable, .accountBlocked].contains(kind)
    {
      return "Wait \(seconds) s, then try again."
    }
    guard kind == .weakPassword else { return kind.recovery }
    return switch failure.suberror {
    case "password_too_short": "Choose a longer password."
    case "password_too_long": "Choose a shorter password."
    case "password_recently_used": "Choose a password that was not used before."
    case "password_banned": "Choose a password that is not so common."
    case "password_is_invalid": "Leave out the characters that the server does not allow."
    default: kind.recovery
    }
  }

  private static func fault(_ suberror: String?) -> String {
    switch suberror {
    case "password_too_short": "it is too short"
    case "password_too_long": "it is too long"
    case "password_recently_used": "it was used before"
    case "password_banned": "everybody guesses it"
    case "password_is_invalid": "it has characters that are not allowed"
    default: "it is too weak"
    }
  }

  private static func names(_ attributes: [RequiredAttribute]) -> String {
    if attributes.isEmpty { return "the attributes as they are" }
    return "the attributes as they are: \(attributes.map(\.name).joined(separator: ", "))"
  }
}
