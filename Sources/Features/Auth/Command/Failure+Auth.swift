import CommandLineTool
import ExtensionProtocol
import HostCLI
import JSONRPC
import TokenBroker

extension Failure {
  /// What the identity server, or the cache of its tokens, refused, as the tool says it.
  ///
  /// - Parameter isLocal: whether the server is to run on this machine.
  init(_ error: AuthError, isLocal: Bool = false) {
    var recovery = error.recovery
    if isLocal, error.kind == .unreachable { recovery = "“host serve identity” starts a local one." }
    var details: [String: JSONValue] = ["kind": .string(error.kind.rawValue)]
    if let code = error.code { details["serverCode"] = .integer(Int64(code)) }
    if let words = error.serverError { details["serverError"] = .string(words) }
    if !error.names.isEmpty { details["names"] = .array(error.names.map { .string($0) }) }
    if let id = error.correlationID {
      details["correlationID"] = .string(id)
      if error.kind != .unreachable { recovery += " (Correlation id \(id).)" }
    }
    let code: ExtensionError.Code =
      switch error.kind {
      case .cancelled: .cancelled
      case .cacheUnusable: .storeFailed
      default: .serviceUnavailable
      }
    self.init(ExtensionError(code, error.message, recovery: recovery, details: details), status: error.kind.status)
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
