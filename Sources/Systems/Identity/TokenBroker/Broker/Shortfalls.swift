/// The recent grants that lacked a requested scope, or had more than the caller may use. The broker does not repeat such a
/// request for a minute.
struct Shortfalls: Sendable {
  private struct Key: Hashable {
    let identity: CacheIdentity
    let scopes: ScopeList
    let limit: TokenLimit?

    init(_ ask: TokenAsk) { (identity, scopes, limit) = (ask.identity, ask.scopes, ask.limit) }
  }

  private var all: [Key: (error: AuthError, at: Int)] = [:]

  /// The seconds for which a partial grant is remembered.
  static let duration = 60
  private static let most = 256

  mutating func add(_ error: AuthError, for ask: TokenAsk, now: Int) {
    all = all.filter { Self.isRecent($0.value.at, now) }
    if all.count < Self.most { all[Key(ask)] = (error, now) }
  }

  func error(for ask: TokenAsk, now: Int) -> AuthError? {
    guard !ask.isForced, let found = all[Key(ask)], Self.isRecent(found.at, now) else {
      return nil
    }
    return found.error
  }

  mutating func forget(_ identity: CacheIdentity) { all = all.filter { $0.key.identity != identity } }

  /// Whether a grant is recent. A grant in the future, after the clock was set back, is not.
  private static func isRecent(_ at: Int, _ now: Int) -> Bool { now >= at && now < at + duration }
}
