import ConfigurationFiles
import Glibc
import HTTPClient
import TokenBroker

/// Uses a cache of tokens in a process of its own, for tests that have several or that kill it.
@main struct TokenWorker {
  static func main() async {
    let words = CommandLine.arguments
    guard words.count > 2 else { exit(64) }
    do {
      switch words[1] {
      case "ask": try await ask(try broker(words), count: Int(words[4]) ?? 1)
      case "force": try await force(try broker(words), count: Int(words[4]) ?? 1)
      case "write": try await write(folder: words[2])
      default: exit(64)
      }
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  private static func broker(_ words: [String]) throws -> TokenBroker {
    guard words.count > 4 else { exit(64) }
    return TokenBroker(
      try IdentityConfiguration(authority: words[3], clientID: "client", kind: .native), client: HTTPClient(),
      cache: TokenCache(folder: words[2]) { print($0) })
  }

  /// Has one token renewed after the other.
  private static func force(_ broker: TokenBroker, count: Int) async throws {
    for _ in 0..<count { _ = try await broker.token(scopes: ["api://one/Read"], forceRefresh: true) }
  }

  /// Asks for one token many times at once: all are the same.
  private static func ask(_ broker: TokenBroker, count: Int) async throws {
    var tokens: Set<String> = []
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<count {
        group.addTask { try await broker.token(scopes: ["api://one/Read"]).secret.revealed() }
      }
      for try await token in group { tokens.insert(token) }
    }
    guard tokens.count == 1 else { exit(2) }
  }

  /// Changes the cache until it is killed: the tokens of both accounts are always of the same turn.
  private static func write(folder: String) async throws {
    let cache = TokenCache(folder: folder) { _ in exit(3) }
    for turn in 0..<1_000_000 { try await cache.change { (cache) throws(AuthError) in try cache.fill(turn: turn) } }
  }
}

extension UnifiedCache {
  /// - Throws: `AuthError` when what was written before is not whole.
  fileprivate mutating func fill(turn: Int) throws(AuthError) {
    guard let next = try? UnifiedCache(json: Array(Self.text(turn: turn).utf8)) else {
      throw AuthError(.cacheUnusable, "The text of a turn cannot be read.")
    }
    self = next
  }

  private static func text(turn: Int) -> String {
    let tokens = ["a", "b"].map { account in
      """
      "\(account)-env-refreshtoken-client--": {"credential_type": "RefreshToken", "secret": "\(turn)",
      "home_account_id": "\(account)", "environment": "env", "client_id": "client"}
      """
    }
    return "{\"RefreshToken\": {\(tokens.joined(separator: ","))}}"
  }
}
