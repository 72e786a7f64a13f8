/// Grants that were less than was asked for: for a while the server is not asked the same again.
struct Shortfalls: Sendable {
  private struct Key: Hashable {
    let identity: CacheIdentity
    let scopes: ScopeList
  }

  private var all: [Key: (error: AuthError, at: Int)] = [:]

  /// Seconds.
  static let duration = 60
  private static let most = 256

  mutating func add(_ error: AuthError, for ask: TokenAsk, now: Int) {
    all = all.filter { Self.isRecent($0.value.at, now) }
    if all.count < Self.most { all[Key(identity: ask.identity, scopes: ask.scopes)] = (error, now) }
  }

  func error(for ask: TokenAsk, now: Int) -> AuthError? {
    guard !ask.isForced, let found = all[Key(identity: ask.identity, scopes: ask.scopes)],
      Self.isRecent(found.at, now)
    else { return nil }
    return found.error
  }

  mutating func forget(_ identity: CacheIdentity) { all = all.filter { $0.key.identity != identity } }

  /// Not when somebody set the clock back either.
  private static func isRecent(_ at: Int, _ now: Int) -> Bool { now >= at && now < at + duration }
}
