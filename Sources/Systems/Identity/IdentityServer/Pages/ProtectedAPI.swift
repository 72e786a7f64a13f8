import Text
import HTTPServer
import JSON

/// The APIs that ask for tokens (RFC 6750).
extension IdentityService {
  /// The answer to a request without a sufficient token.
  struct Refusal: Error {
    let answer: ServerResponse
  }

  /// Returns the answer of an API, which names the user, the request and the scopes of the token.
  func api(_ call: Call, _ resource: ProtectedResource) -> ServerResponse {
    let isReading = ["GET", "HEAD"].contains(call.request.method)
    let needed = isReading ? resource.scopes : Array(resource.scopes.dropFirst())
    switch authorized(call, audience: resource.audience, scopes: needed, realm: resource.path) {
    case .failure(let refusal): return refusal.answer
    case .success(let claims) where faults.has(.asksForClaims) && claims["acrs"] == nil:
      let asked = Base64.encode(Array(#"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#.utf8))
      return refused(call, realm: resource.path, "insufficient_claims", "More is asked for.", claims: asked).answer
    case .success(let claims):
      let user = claims["oid"]?.stringValue.flatMap { users.user(id: $0) }
      return call.json([
        "api": .string(resource.path), "audience": .string(resource.audience),
        "method": .string(call.request.method), "path": .string(call.request.path),
        "user": .string(user?.username ?? ""), "scopes": claims["scp"] ?? "",
        "bytes": .integer(Int64(call.request.body.count)),
        "message": .string("Hello from \(resource.path)."),
      ])
    }
  }

  /// The claims of the bearer token of a request, when it is for this audience and has one of the scopes.
  func authorized(
    _ call: Call, audience: String, scopes: [String], realm: String
  ) -> Result<JSONObject, Refusal> {
    let parts = (call.request.header("Authorization") ?? "").split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      return .failure(refused(call, realm: realm, nil, "A bearer token is needed."))
    }
    switch inspect(String(parts[1]), call) {
    case .bad: return .failure(refused(call, realm: realm, "invalid_token", "The token is not valid."))
    case .expired:
      if faults.has(.badRequestForExpired) {
        return .failure(Refusal(answer: call.json(["error": "access_denied"], status: 400)))
      }
      return .failure(refused(call, realm: realm, "invalid_token", "The token has expired."))
    case .none(let claims):
      guard claims["aud"]?.stringValue == audience else {
        return .failure(refused(call, realm: realm, "invalid_token", "The token is for another audience."))
      }
      let granted = (claims["scp"]?.stringValue ?? "").split(separator: " ").map(String.init)
      guard !scopes.filter(granted.contains).isEmpty else {
        return .failure(
          refused(call, realm: realm, "insufficient_scope", "The token has none of the scopes.", scopes: scopes))
      }
      return .success(claims)
    }
  }

  func refused(
    _ call: Call, realm: String, _ error: String?, _ message: String, scopes: [String] = [],
    claims: String? = nil
  ) -> Refusal {
    let status = error == "insufficient_scope" ? 403 : 401
    if status == 401, faults.has(.emptyUnauthorized) {
      return Refusal(answer: call.response(ServerResponse(status: 401)))
    }
    var value = "Bearer realm=\"\(realm)\""
    if let error { value += ", error=\"\(error)\", error_description=\"\(message)\"" }
    if !scopes.isEmpty { value += ", scope=\"\(scopes.joined(separator: " "))\"" }
    if let claims { value += ", claims=\"\(claims)\"" }
    let body: JSONObject = ["error": .string(error ?? "unauthorized"), "error_description": .string(message)]
    return Refusal(answer: call.json(body, status: status, headers: [ServerField("WWW-Authenticate", value)]))
  }
}
