import HTTPClient
import JSON
import TokenBroker

extension FuzzTargets {
  /// The first line is a list of scopes and a challenge of a web API, the rest a cache of tokens or the body of an answer.
  static func tokenCache(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let first = parts.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let rest = parts.count > 1 ? Array(parts[1]) : []
    let granted = ScopeList(granted: first)
    if let asked = try? ScopeList([first]) {
      precondition(granted.covers(asked) && asked.resources.count <= 1, "\(first) does not cover itself")
      precondition(ScopeList(granted: asked.target) == asked, "\(asked.target) does not read back")
    }
    for status in [400, 401, 403] {
      if case .wantsClaims(let claims) = CallVerdict(status: status, headers: ["WWW-Authenticate": first], body: rest) {
        precondition((try? JSONCoding.parse(claims)) != nil, "\(claims) is not JSON")
      }
    }
    guard let cache = try? UnifiedCache(json: rest), let again = try? UnifiedCache(json: cache.json) else { return }
    precondition((try? UnifiedCache(json: again.json)) == again, "the cache does not read back")
    _ = cache.accounts(environment: first, client: "client", now: 1_800_000_000)
  }
}
