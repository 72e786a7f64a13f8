import Contracts
package import ExtensionProtocol
import JSON
package import TokenBroker

extension ExtensionError {
  /// A failure of the token broker, in the terms of the wire.
  package init(_ error: AuthError) {
    var details: [String: JSONValue] = ["kind": .string(error.kind.rawValue)]
    if let id = error.correlationID { details["correlationID"] = .string(id) }
    if let code = error.code { details["serverCode"] = .integer(Int64(code)) }
    if let word = error.serverError { details["serverError"] = .string(word) }
    if let seconds = error.retryAfter { details["retryAfterSeconds"] = .integer(Int64(seconds)) }
    if !error.names.isEmpty { details["names"] = .array(error.names.map { .string($0) }) }
    if error.kind == .excessiveScopes {
      self = .grantsMore(error, details)
      return
    }
    self.init(Self.code(of: error), error.message, recovery: error.recovery, details: details)
  }

  private static func code(of error: AuthError) -> Code {
    switch error.kind {
    case .emptyScopes, .severalResources, .wrongState: .invalidParams
    // Without a word of the server's it was found here.
    case .invalidScope, .invalidRequest: error.serverError == nil ? .invalidParams : .authFailed
    case .noAccount, .interactionRequired, .consentRequired: .interactionRequired
    case .invalidConfiguration: .serviceUnavailable
    case .cacheUnusable, .busy: .storeFailed
    case .cancelled: .cancelled
    case .excessiveScopes: .permissionDenied
    default: .authFailed
    }
  }

  /// Scopes that no entry of the manifest has together.
  static func notNamed(scopes: [String], wantsToken: Bool = false) -> ExtensionError {
    let shown = scopes.prefix(8).map { String($0.prefix(200)) }
    let what = wantsToken ? "the token itself of \(shown.joined(separator: ", "))" : shown.joined(separator: ", ")
    return ExtensionError(
      .permissionDenied, "No entry of Annex.Auth in the manifest asks for \(what).",
      recovery: wantsToken
        ? "Name all of these scopes in one entry of Annex.Auth, with Token; or make the call with auth/fetch."
        : "Name all of these scopes, and the servers, in one entry of Annex.Auth.",
      details: [
        "permission": .string(PermissionKind.auth.name), "state": .string(PermissionState.denied.rawValue),
        "scopes": .array(shown.map { .string($0) }),
      ])
  }

  /// The server gives no token that is within what an entry of the manifest asks for.
  private static func grantsMore(_ error: AuthError, _ details: [String: JSONValue]) -> ExtensionError {
    var details = details
    details["permission"] = .string(PermissionKind.auth.name)
    details["state"] = .string(PermissionState.denied.rawValue)
    return ExtensionError(
      .permissionDenied,
      "The identity server grants more than the entry of Annex.Auth asks for: \(error.names.joined(separator: ", ")).",
      recovery: "Name these scopes in the entry too, or register a client at the server that may only have the others.",
      details: details)
  }

  /// The error for a flow that has ended or belongs to another caller.
  static func noFlow(_ id: String) -> ExtensionError {
    ExtensionError(
      .requestUnknown, "There is no sign-in “\(id.prefix(64))” of this app.", recovery: "Begin a new one.")
  }
}

/// Runs what a token broker does, with its errors in the terms of the wire.
///
/// - Throws: the error of the broker as an `ExtensionError`.
package func translatingAuthErrors<Value>(
  _ body: () async throws(AuthError) -> Value
) async throws(ExtensionError) -> Value {
  do { return try await body() } catch { throw ExtensionError(error) }
}
