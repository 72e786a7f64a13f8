internal import Files
internal import Synchronization

/// The tokens that were given lately, by what was asked for: one look at the file system says whether they still hold.
final class RecentTokens: Sendable {
  struct Key: Hashable, Sendable {
    let scopes: [String]
    let account: String?
    let limit: TokenLimit?
  }

  private struct State {
    var stamp: FileStamp?
    var tokens: [Key: (cached: CachedAccessToken, answer: AccessToken)] = [:]
  }

  private static let most = 256
  private let state = Mutex(State())

  /// - Parameter stamp: of the file of the tokens now.
  /// - Returns: a token that is nowhere near its end; `nil` when that is not known.
  func token(for key: Key, stamp: FileStamp?, now: Int) -> AccessToken? {
    guard let stamp else { return nil }
    return state.withLock { state in
      guard state.stamp == stamp, let found = state.tokens[key], found.cached.freshness(now: now) == .fresh else {
        return nil
      }
      return found.answer
    }
  }

  /// - Parameter stamp: of the file before it was read.
  func keep(_ answer: AccessToken, of cached: CachedAccessToken, for key: Key, stamp: FileStamp?) {
    guard let stamp else { return }
    state.withLock { state in
      if state.stamp != stamp || state.tokens.count >= Self.most { state = State(stamp: stamp) }
      state.tokens[key] = (cached, answer)
    }
  }
}
