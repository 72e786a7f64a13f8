import BundleSeals
import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import Testing
import TokenBroker

@testable import FeatureCommands

/// How commands end when an identity server or a key refuses.
@Suite(.timeLimit(.minutes(1)))
struct `A failure of a command` {
  static let identities: [(kind: AuthError.Kind, status: CommandLineTool.ExitStatus)] = [
    (.emptyScopes, .dataError), (.severalResources, .dataError), (.invalidScope, .dataError),
    (.invalidRequest, .dataError), (.invalidUsername, .dataError), (.weakPassword, .dataError),
    (.invalidAttributes, .dataError), (.invalidContact, .dataError), (.invalidCode, .dataError),
    (.deadCode, .dataError), (.invalidConfiguration, .configuration), (.clientNotAllowed, .configuration),
    (.notSupported, .configuration), (.invalidCredentials, .noPermission), (.accountBlocked, .noPermission),
    (.accessDenied, .noPermission), (.consentRequired, .noPermission), (.insufficientScopes, .noPermission),
    (.excessiveScopes, .noPermission), (.noAccount, .noPermission), (.interactionRequired, .noPermission),
    (.passwordResetRequired, .noPermission), (.noPassword, .noPermission), (.browserRequired, .noPermission),
    (.unreachable, .unavailable), (.untrusted, .unavailable), (.timedOut, .unavailable),
    (.serverUnavailable, .unavailable), (.invalidAnswer, .unavailable), (.tooLarge, .unavailable),
    (.rateLimited, .temporaryFailure), (.busy, .temporaryFailure), (.cacheUnusable, .ioError),
    (.userNotFound, .failure), (.userAlreadyExists, .failure), (.flowExpired, .failure), (.wrongState, .failure),
    (.cancelled, .failure),
  ]

  @Test(arguments: identities) func `has the status of what an identity server says`(
    kind: AuthError.Kind, status: CommandLineTool.ExitStatus
  ) {
    let failure = Failure(AuthError(kind, "It is so.", recovery: "Do this."), isLocal: false)
    #expect(failure.status == status && failure.error.recovery == "Do this.")
    // Which scopes are too many is said in other words.
    if kind != .excessiveScopes { #expect(failure.error.message == "It is so.") }
  }

  @Test func `advises the local server where it is expected, and names the request elsewhere`() {
    func recovery(_ kind: AuthError.Kind, id: String? = nil, isLocal: Bool = false) -> String? {
      Failure(AuthError(kind, "m", recovery: "r", correlationID: id), isLocal: isLocal).error
        .recovery
    }
    #expect(recovery(.unreachable, isLocal: true) == "“host serve identity” starts a local one.")
    #expect(recovery(.unreachable) == "r")
    #expect(recovery(.timedOut, isLocal: true) == "r")
    #expect(recovery(.timedOut, id: "abc") == "r (Correlation id abc.)")
    // A server that was not reached has no log to look into.
    #expect(recovery(.unreachable, id: "abc") == "r")
  }

  static let seals: [(kind: SealError.Kind, code: ExtensionError.Code, status: CommandLineTool.ExitStatus)] = [
    (.malformed, .extensionInvalid, .dataError), (.unsealable, .extensionInvalid, .dataError),
    (.wrongPassphrase, .permissionDenied, .noPermission),
    (.keyRefused, .permissionDenied, .noPermission),
    (.system, .storeFailed, .ioError),
  ]

  @Test(arguments: seals)
  func `has the code and the status of what a key or a seal is refused with`(
    kind: SealError.Kind, code: ExtensionError.Code, status: CommandLineTool.ExitStatus
  ) {
    let failure = Failure(SealError(kind, "It is so.", recovery: "Do this."))
    #expect(failure.error.code == code && failure.status == status)
    #expect(failure.error.message == "It is so." && failure.error.recovery == "Do this.")
  }
}
