public import ExtensionProtocol
import Text

/// The way in which a host decides about a permission that its user has not decided about.
public enum Consent: Sendable {
  /// What a user said to a question.
  public enum Answer: String, Sendable, Hashable, Codable {
    /// The user agrees; the decision is kept.
    case granted
    /// The user agrees until this run of the extension ends; nothing is kept. What the sandbox enforces is not changed by it,
    /// since it holds from the start of a process.
    case grantedOnce
    /// The user agrees as long as this host runs; nothing is kept.
    case grantedForSession
    /// The user does not agree; the decision is kept, and the question is not asked again.
    case denied
    /// Nothing: the permission stays undecided, and the user can be asked again another time.
    case dismissed
  }

  /// Undecided stays undecided until an extension requests the permission; then the user is asked, where there is a way.
  case ask((@Sendable (PermissionQuestion) async -> Answer)?)
  /// Grants an undecided permission, for this host only; nothing is stored.
  case grant
  /// Denies an undecided permission, for this host only; nothing is stored.
  case deny

  /// The state that an undecided permission is treated as.
  var presumption: PermissionState {
    switch self {
    case .ask: .undecided
    case .grant: .granted
    case .deny: .denied
    }
  }
}

/// What a user is asked. All of it but the sentence of the permission is foreign text.
public struct PermissionQuestion: Sendable {
  /// The extension that asks.
  public var caller: Caller.Identity
  /// What the extension wants to do.
  public var permission: PermissionKind
  /// The parts that the manifest names; empty when there are none.
  public var scope: [String]
  /// The extension's own words, at most 200 characters.
  public var reason: String

  /// What is shown of an extension's words. Any number of accents makes one `Character`, so their code points count.
  static func shown(_ reason: String) -> String { reason.prefix(scalars: 200) }
}
