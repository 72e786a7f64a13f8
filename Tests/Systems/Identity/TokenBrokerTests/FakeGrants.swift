import ConfigurationFiles
import Cryptography
import HTTPClient
import JSON
import Synchronization
import TestSupport
import Text
import Time
import WebTokens

@testable import TokenBroker

/// A clock that a test sets. Waits take no time but on it.
final class FakeClock: Sendable {
  private let state: Mutex<(now: Int, slept: [Int])>

  init(_ now: Int = 1_800_000_000) { state = Mutex((now, [])) }

  var now: Int { state.withLock { $0.now } }
  var slept: [Int] { state.withLock { $0.slept } }
  func advance(by seconds: Int) { state.withLock { $0.now += seconds } }

  var clock: WallClock {
    WallClock(
      now: { UnixTime(seconds: Int64(self.now)) },
      sleep: { duration in
        try Task.checkCancellation()
        self.state.withLock { state in
          let seconds = Int(duration.components.seconds)
          state.slept.append(seconds)
          state.now += seconds
        }
      })
  }
}

extension WallClock {
  /// A clock that stands still: nobody comes too late.
  static var standing: WallClock {
    WallClock(
      now: { UnixTime(seconds: 1_800_000_000) },
      sleep: { _ in
        let (stream, source) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        source.finish()
        try Task.checkCancellation()
      })
  }
}

/// A server without sockets: answers in turn, remembers what it was asked.
final class FakeServer: Sendable {
  typealias Answer = @Sendable (_ path: String, _ form: [String: String]) -> Result<HTTPResponse, HTTPError>

  struct Asked: Sendable {
    let path: String
    let form: [String: String]
    let headers: HTTPFields
    let maximumRedirects: Int
    let isSentOnce: Bool
  }

  private let state = Mutex<(asked: [Asked], queue: [Result<HTTPResponse, HTTPError>])>(([], []))
  private let answer: Answer

  init(_ queue: Result<HTTPResponse, HTTPError>...) {
    answer = { _, _ in .down }
    state.withLock { $0.queue = queue }
  }

  init(answer: @escaping Answer) { self.answer = answer }

  var asked: [Asked] { state.withLock { $0.asked } }

  func queue(_ answers: Result<HTTPResponse, HTTPError>...) { state.withLock { $0.queue += answers } }

  var transport: AuthTransport {
    { request throws(HTTPError) in
      let form = parseForm(request.body ?? [])
      let path = String(request.url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
      if request.method == "GET", let document = FakeKey.document(at: path, base: "https://fake") {
        return try Result.json(document).get()
      }
      let queued = self.state.withLock { state in
        state.asked.append(
          Asked(
            path: path, form: form, headers: request.headers, maximumRedirects: request.maximumRedirects,
            isSentOnce: request.isSentOnce))
        return state.queue.isEmpty ? nil : state.queue.removeFirst()
      }
      return try (queued ?? self.answer(path, form)).get()
    }
  }
}

extension Result<HTTPResponse, HTTPError> {
  static func json(_ body: JSONValue, status: Int = 200) -> Self {
    .raw(JSONCoding.text(of: body), status: status)
  }

  static func raw(_ body: String, status: Int) -> Self {
    .success(HTTPResponse(status: status, body: Array(body.utf8), url: "https://fake"))
  }

  /// Nobody there.
  static var down: Self { .failure(HTTPError(.refused, "Nobody.", url: "https://fake")) }

  static func refusal(
    _ error: String, _ code: Int? = nil, _ suberror: String? = nil, status: Int = 400, more: JSONObject = [:]
  ) -> Self {
    .json(refusalBody(error, code, suberror, more: more), status: status)
  }
}

func refusalBody(
  _ error: String, _ code: Int? = nil, _ suberror: String? = nil, more: JSONObject = [:]
) -> JSONValue {
  var body: JSONObject = ["error": .string(error), "correlation_id": "11111111-2222-4333-8444-555555555555"]
  if let code {
    body["error_codes"] = .array([.integer(Int64(code))])
    body["error_description"] = .string("AADSTS\(code): What happened.\r\nTrace ID: 1")
  }
  if let suberror { body["suberror"] = .string(suberror) }
  for (name, value) in more { body[name] = value }
  return .object(body)
}

func parseForm(_ body: [UInt8]) -> [String: String] {
  var form: [String: String] = [:]
  for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    form[String(parts[0])] = parts.count > 1 ? unescape(String(parts[1])) : ""
  }
  return form
}

private func unescape(_ text: String) -> String {
  var bytes: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%"), rest.count >= 2 else {
      bytes.append(byte)
      continue
    }
    bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
    rest = rest.dropFirst(2)
  }
  return String(decoding: bytes, as: UTF8.self)
}

let clientInfo = Base64URL.encode(Array(#"{"uid":"u1","utid":"t1"}"#.utf8))

/// The key that the servers of these tests sign id tokens with.
enum FakeKey {
  private static let key = Result { try RSAPrivateKey.generate() }
  static let issuer = "https://issuer.example/v2.0"

  /// A signed token: without what is null in the claims, and with the usual values of what is not there.
  static func sign(_ claims: JSONObject, key other: RSAPrivateKey? = nil) -> String {
    var all: JSONObject = ["iss": .string(issuer), "aud": "client", "sub": "subject-1", "exp": 4_000_000_000]
    for (name, value) in claims { all[name] = value.isNull ? nil : value }
    let body = Array(JSONCoding.text(of: .object(all)).utf8)
    let key = Result { try other ?? Self.key.get() }
    return (try? CompactToken.sign(body, key: key.get(), keyID: "key-1")) ?? ""
  }

  static var keySet: JSONValue {
    guard let key = try? JSONWebKey(key.get().publicKey) else { return .null }
    return ["keys": [["kty": "RSA", "use": "sig", "kid": "key-1", "n": .string(key.n), "e": .string(key.e)]]]
  }

  /// The documents of a server with native authentication, by the end of their paths.
  static func document(at path: String, base: String) -> JSONValue? {
    if path.hasSuffix("/v2.0/.well-known/openid-configuration") {
      return ["issuer": .string(issuer), "jwks_uri": .string("\(base)/test-keys")]
    }
    return path.hasSuffix("/test-keys") ? keySet : nil
  }
}

func idToken(_ claims: JSONObject) -> String { FakeKey.sign(claims) }

/// What a token endpoint answers.
func grantBody(
  _ token: String, scope: String? = "openid profile api://one/Read", refresh: String? = "rt-next",
  lifetime: Int = 3600, more: JSONObject = [:]
) -> JSONValue {
  var body: JSONObject = [
    "token_type": "Bearer", "access_token": .string(token), "expires_in": .integer(Int64(lifetime)),
    "client_info": .string(clientInfo),
    "id_token": .string(idToken(["preferred_username": "ann@example.com", "tid": "t1", "name": "Ann"])),
  ]
  if let scope { body["scope"] = .string(scope) }
  if let refresh { body["refresh_token"] = .string(refresh) }
  for (name, value) in more { body[name] = value.isNull ? nil : value }
  return .object(body)
}

/// A broker of one test with a cache in a folder of its own.
struct BrokerPlace {
  let directory: TemporaryDirectory
  let clock = FakeClock()
  let server: FakeServer
  let broker: TokenBroker
  let cache: TokenCache
  let reports = Reports()

  init(
    _ server: FakeServer, kind: IdentityConfiguration.Kind = .native,
    authority: String = "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"
  ) throws {
    directory = try TemporaryDirectory()
    self.server = server
    let reports = reports
    cache = TokenCache(folder: directory.file("tokens")) { reports.add($0) }
    broker = TokenBroker(
      try IdentityConfiguration(authority: authority, clientID: "client", kind: kind), cache: cache, clock: clock.clock,
      transport: server.transport)
  }

  /// Puts an account into the cache without asking the server.
  @discardableResult
  func signIn(_ body: JSONValue = grantBody("at-1", refresh: "rt-1")) async throws -> Account {
    guard case .object(let object) = body else { throw AuthError(.invalidRequest, "No grant.") }
    let grant = try TokenGrant(ServerReply(status: 200, body: .object(object)), server: "test")
    return try await broker.signedIn(grant, username: "ann@example.com", asked: .standard)
  }
}

final class Reports: Sendable {
  private let state = Mutex<[String]>([])
  var all: [String] { state.withLock { $0 } }
  func add(_ sentence: String) { state.withLock { $0.append(sentence) } }
}
