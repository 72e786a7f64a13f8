public import ExtensionHosting
import ExtensionProtocol
import Synchronization

/// The question for the user when an extension requests a sign-in. All texts are untrusted.
public struct SignInQuestion: Sendable {
  /// The extension that asks.
  public var caller: Caller.Identity
  /// The extension's own words, at most 200 characters.
  public var reason: String
  /// The scopes of the future tokens; empty when the extension names none.
  public var scopes: [String]
  /// The user name that is expected.
  public var loginHint: String?

  /// The containing app whose users these are.
  public var app: String { caller.containingApp }
}

/// Tracks the sign-in questions: one at a time for an app, and none for a process whose user declined.
final class SignInQuestions: Sendable {
  private struct State {
    var open: Set<String> = []
    var declined: Set<UInt64> = []
  }

  private let state = Mutex(State())

  /// - Returns: false when the user has declined in this process.
  /// - Throws: `limitExceeded` when a question about the app is open.
  func begin(_ caller: Caller) throws(ExtensionError) -> Bool {
    let app = caller.identity.containingApp
    let (isFree, isOpen) = state.withLock { state in
      if state.declined.contains(caller.instance) { return (true, false) }
      return (state.open.insert(app).inserted, true)
    }
    guard isFree else {
      throw ExtensionError(
        .limitExceeded, "The user is being asked to sign in to \(app) already.", recovery: "Wait, then try again.")
    }
    return isOpen
  }

  func end(_ caller: Caller, declined: Bool) {
    state.withLock { state in
      state.open.remove(caller.identity.containingApp)
      if declined { state.declined.insert(caller.instance) }
    }
  }

  func forget(_ caller: Caller) { state.withLock { _ = $0.declined.remove(caller.instance) } }
}
