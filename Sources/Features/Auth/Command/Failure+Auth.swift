import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import HostServices
import IdentityServices
import TokenBroker

extension Failure {
  /// Creates the tool's error from one of the identity server or the token cache.
  ///
  /// - Parameter isLocal: whether the server is expected on this machine.
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
  /// The exit status of the tool.
  var status: ExitStatus {
    switch self {
    case .emptyScopes, .severalResources, .invalidScope, .invalidRequest, .invalidUsername, .weakPassword,
      .invalidAttributes, .invalidContact, .invalidCode,
      .deadCode:
      .dataError
    case .invalidConfiguration, .clientNotAllowed, .notSupported: .configuration
    case .invalidCredentials, .accountBlocked, .accessDenied, .consentRequired, .insufficientScopes,
      .excessiveScopes, .noAccount,
      .interactionRequired, .passwordResetRequired, .noPassword, .browserRequired:
      .noPermission
    case .unreachable, .untrusted, .timedOut, .serverUnavailable, .invalidAnswer, .tooLarge: .unavailable
    case .rateLimited, .busy: .temporaryFailure
    case .cacheUnusable: .ioError
    case .userNotFound, .userAlreadyExists, .flowExpired, .wrongState, .cancelled: .failure
    }
  }
}
