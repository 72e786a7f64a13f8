import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import HostServices
import IdentityServices
import TokenBroker

extension Failure {
  /// What the identity server, or the cache of its tokens, refused, as the tool says it.
  ///
  /// - Parameter isLocal: whether the server is to run on this machine.
  init(_ error: AuthError, isLocal: Bool = false) {
    var recovery = error.recovery
    if isLocal, error.kind == .unreachable { recovery = "“host serve identity” starts a local one." }
    if let id = error.correlationID, error.kind != .unreachable { recovery += " (Correlation id \(id).)" }
    var failure = ExtensionError(error)
    failure.recovery = recovery
    self.init(failure, status: error.kind.status)
  }
}

extension AuthError.Kind {
  /// What the tool ends with.
  var status: ExitStatus {
    switch self {
    case .emptyScopes, .severalResources, .invalidScope, .invalidRequest, .invalidUsername, .weakPassword,
      .invalidAttributes, .invalidCode:
      .dataError
    case .invalidConfiguration, .clientNotAllowed, .notSupported: .configuration
    case .invalidCredentials, .accountBlocked, .accessDenied, .consentRequired, .insufficientScopes, .noAccount,
      .interactionRequired, .passwordResetRequired, .noPassword, .browserRequired:
      .noPermission
    case .unreachable, .untrusted, .timedOut, .serverUnavailable, .invalidAnswer, .tooLarge: .unavailable
    case .rateLimited, .busy: .temporaryFailure
    case .cacheUnusable: .ioError
    case .userNotFound, .userAlreadyExists, .flowExpired, .wrongState, .cancelled: .failure
    }
  }
}
