import Cryptography
import HTTPServer
import JSON
import Synchronization
import Text

/// A server of OpenID Connect in this process, with one user and one client, which a test can make misbehave.
final class FakeIdentity: Sendable {
  struct State: Sendable {
    var requests: [ServerRequest] = []
    var issuer = ""
    /// Answers of the token endpoint that come before the usual ones.
    var queue: [ServerResponse] = []
    /// What the last request for a code named.
    var authorization: [String: String] = [:]
    var metadata: JSONObject = [:]
    var claims: JSONObject = [:]
  }

  let state = Mutex(State())

  var requests: [ServerRequest] { state.withLock { $0.requests } }
  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  /// Serves while the body runs.
  func run<Value>(_ body: (_ url: String) async throws -> Value) async throws -> Value {
    try await HTTPServer { request in self.answer(request) }.withRunning { address in
      self.change { $0.issuer = address.url }
      return try await body(address.url)
    }
  }

  private func answer(_ request: ServerRequest) -> ServerResponse {
    let form = parseForm(request.body)
    return state.withLock { state in
      state.requests.append(request)
      switch request.path {
      case "/.well-known/openid-configuration": return Self.json(.object(Self.metadata(state)))
      case "/keys": return Self.json(FakeKey.keySet)
      case "/device":
        return Self.json([
          "device_code": "device-secret", "user_code": "AB-CD", "verification_uri": .string("\(state.issuer)/verify"),
          "expires_in": 60, "interval": 2,
        ])
      case "/token":
        if !state.queue.isEmpty { return state.queue.removeFirst() }
        if form["grant_type"] == "authorization_code" { return Self.redeem(form, state) }
        return Self.json(Self.grant(state, nonce: nil))
      default: return ServerResponse(status: 404, text: "<html>Nothing here</html>", contentType: "text/html")
      }
    }
  }

  private static func metadata(_ state: State) -> JSONObject {
    var metadata: JSONObject = ["issuer": .string(state.issuer)]
    for (name, path) in [
      ("token_endpoint", "/token"), ("authorization_endpoint", "/authorize"),
      ("device_authorization_endpoint", "/device"), ("jwks_uri", "/keys"),
    ] { metadata[name] = .string(state.issuer + path) }
    for (name, value) in state.metadata { metadata[name] = value.isNull ? nil : value }
    return metadata
  }

  private static func redeem(_ form: [String: String], _ state: State) -> ServerResponse {
    let challenge = Base64URL.encode(SHA256.digest(of: Array((form["code_verifier"] ?? "").utf8)))
    guard form["code"] == "code-secret", challenge == state.authorization["code_challenge"],
      form["redirect_uri"] == state.authorization["redirect_uri"]
    else { return json(refusalBody("invalid_grant"), status: 400) }
    return json(grant(state, nonce: state.authorization["nonce"]))
  }

  private static func grant(_ state: State, nonce: String?) -> JSONValue {
    var claims: JSONObject = [
      "iss": .string(state.issuer), "sub": "subject-1", "aud": "client", "exp": 4_000_000_000,
      "preferred_username": "ann@example.com", "name": "Ann",
    ]
    if let nonce { claims["nonce"] = .string(nonce) }
    for (name, value) in state.claims { claims[name] = value }
    return [
      "access_token": "access-secret", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "refresh-secret",
      "scope": "openid api://one/Read", "id_token": .string(idToken(claims)),
    ]
  }

  static func json(_ value: JSONValue, status: Int = 200) -> ServerResponse {
    ServerResponse(status: status, text: JSONCoding.text(of: value), contentType: "application/json")
  }
}
