import ExtensionHosting
import ExtensionProtocol
import Synchronization
import TokenBroker

/// The rules from the manifest of a process, with the results of earlier calls: an extension usually requests the same
/// scopes repeatedly.
final class CallerRules: Sendable {
  let rules: AuthRules
  private let known = Mutex(Known())

  /// Only what was allowed.
  private struct Known {
    /// The scopes of tokens that the process may have itself, as it asked for them.
    var asked: [[String]: ScopeList] = [:]
    /// The granted scope lists, by requested scopes.
    var granted: [[String]: ScopeList] = [:]
  }

  /// An extension that asks for ever other scopes has them worked out each time.
  private static let most = 64

  init(_ identity: Caller.Identity) { rules = AuthRules(identity) }

  /// The scopes of a token that the process wants itself.
  ///
  /// - Throws: `invalidParams`, `permissionDenied`.
  func scopesOfToken(_ names: [String]) throws(ExtensionError) -> ScopeList {
    if let scopes = known.withLock({ $0.asked[names] }) { return scopes }
    let scopes = try AuthRules.scopes(names)
    try rules.checkToken(for: scopes)
    known.withLock { known in
      if known.asked.count >= Self.most { known = Known() }
      known.asked[names] = scopes
    }
    return scopes
  }

  /// Checks that a token says no more than one entry asks for.
  ///
  /// - Throws: `permissionDenied`.
  func checkGranted(_ granted: ScopeList, for names: [String], _ asked: ScopeList) throws(ExtensionError) {
    if known.withLock({ $0.granted[names]?.names == granted.names }) { return }
    try rules.checkGranted(granted, asked: asked)
    known.withLock { known in
      if known.granted.count >= Self.most { known.granted = [:] }
      known.granted[names] = granted
    }
  }
}
