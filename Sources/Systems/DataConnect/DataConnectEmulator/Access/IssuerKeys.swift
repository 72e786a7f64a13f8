import Cryptography
import EventLoop
import JSON
import WebTokens

/// The keys of an issuer, fetched when a token names one that is not known.
actor IssuerKeys {
  private static let most = 64

  private let pause: Duration
  private let fetch: @Sendable () async throws -> [UInt8]
  private var keys: [String: RSAPublicKey] = [:]
  private var fetched: ContinuousClock.Instant?
  private var isFetching = false
  private let done = Signal()

  /// - Parameter pause: how long to wait before they are fetched again.
  init(pause: Duration = .seconds(10), _ fetch: @escaping @Sendable () async throws -> [UInt8]) {
    self.pause = pause
    self.fetch = fetch
  }

  /// The key of a name; `nil` when the issuer has none.
  func key(_ id: String) async -> RSAPublicKey? {
    if let key = keys[id] { return key }
    // Callers that arrive during a request wait for its answer.
    while isFetching {
      let count = done.count
      guard (try? await done.wait(past: count)) != nil else { return nil }
    }
    if let key = keys[id] { return key }
    if let fetched, ContinuousClock.now < fetched + pause { return nil }
    isFetching = true
    if let bytes = try? await fetch() { keys = Self.read(bytes) }
    (isFetching, fetched) = (false, .now)
    done.send()
    return keys[id]
  }

  /// The keys of a set (RFC 7517) by their names.
  private static func read(_ bytes: [UInt8]) -> [String: RSAPublicKey] {
    guard bytes.count <= 1 << 20, let set = try? JSONCoding.parse(bytes) else { return [:] }
    var keys: [String: RSAPublicKey] = [:]
    for key in (set["keys"]?.arrayValue ?? []).prefix(most) where key["kty"] == "RSA" {
      guard let n = key["n"]?.stringValue, let e = key["e"]?.stringValue,
        let made = try? JSONWebKey(n: n, e: e).publicKey()
      else { continue }
      keys[key["kid"]?.stringValue ?? ""] = made
    }
    return keys
  }
}
