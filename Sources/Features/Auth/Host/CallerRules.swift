import ExtensionHosting
import ExtensionProtocol
import Synchronization
import TokenBroker

/// The rules from the manifest of a process, with the results of earlier calls: an extension usually requests the same
/// scopes repeatedly.
final class CallerRules: Sendable {
  /// A token that the process may have itself.
  struct Wanted: Sendable {
    let scopes: ScopeList
    /// The scopes that the token may have at most.
    let limit: TokenLimit
  }

  let rules: AuthRules
  /// What was allowed, by the scopes as the process asked for them.
  private let known = Mutex<[[String]: Wanted]>([:])

  /// An extension that asks for ever other scopes has them worked out each time.
  private static let most = 64

  init(_ identity: Caller.Identity) { rules = AuthRules(identity) }

  /// The scopes of a token that the process wants itself, and what they may be at most.
  ///
  /// - Throws: `invalidParams`, `permissionDenied`.
  func wanted(_ names: [String]) throws(ExtensionError) -> Wanted {
    if let wanted = known.withLock({ $0[names] }) { return wanted }
    let scopes = try AuthRules.scopes(names)
    try rules.checkToken(for: scopes)
    let wanted = Wanted(scopes: scopes, limit: rules.limitOfToken(for: scopes))
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[names] = wanted
    }
    return wanted
  }
}
