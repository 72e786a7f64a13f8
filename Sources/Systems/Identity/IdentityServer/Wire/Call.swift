import HTTP
import HTTPServer
import JSON
import Text

/// A request, with the values that its answer repeats.
struct Call: Sendable {
  /// The name by which the request addressed the server: each name has its own issuer.
  enum Realm: Sendable {
    /// The path begins with the tenant: `/TENANT/…`.
    case tenant
    /// The path contains no tenant.
    case root
  }

  let request: ServerRequest
  /// The path behind the tenant, without a slash at its begin.
  let path: String
  let realm: Realm
  /// The address of the server, without a slash at the end.
  let base: String
  /// The issuer in tokens of this realm.
  let issuer: String
  let now: Int64
  let traceID: String
  /// The identifier that the client gave the request, if it is a GUID; else a new one.
  let correlationID: String

  func form() throws(OAuthFailure) -> Form { try Form(bodyOf: request) }

  /// The identifier and the secret of Basic authentication, each form-encoded first (RFC 6749, 2.3.1); nil without it.
  func basicCredentials() throws(OAuthFailure) -> (id: String, secret: String)? {
    guard let field = request.header("Authorization"), field.lowercased().hasPrefix("basic ") else { return nil }
    guard let bytes = Base64.decode(String(field.dropFirst(6))), let text = String(validating: bytes, as: UTF8.self),
      let pair = text.cut(at: ":"), let id = PercentEncoding.decodedForm(pair.before),
      let secret = PercentEncoding.decodedForm(pair.behind)
    else { throw .badRequest("The credentials of the client cannot be read.") }
    return (id, secret)
  }

  func query() throws(OAuthFailure) -> Form { try Form(request.query ?? "") }

  /// The URL of an endpoint of this realm.
  func url(_ path: String) -> String { "\(prefix)/\(path)" }

  /// The beginning of the addresses of this realm.
  var prefix: String { realm == .root ? base : issuer.hasSuffix("/v2.0") ? String(issuer.dropLast(5)) : issuer }

  func json(_ body: JSONObject, status: Int = 200, headers: [ServerField] = []) -> ServerResponse {
    var answer = ServerResponse(
      status: status, text: JSONValue.object(body).description, contentType: "application/json; charset=utf-8")
    answer.headers += headers
    return response(answer)
  }

  /// A page for people. Nothing but the server's own form may come of it.
  ///
  /// - Parameter scripts: the nonce of the one script that may run.
  func page(_ html: String, status: Int = 200, scripts: String? = nil) -> ServerResponse {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    var answer = ServerResponse(status: status, text: html, contentType: "text/html; charset=utf-8")
    answer.headers += [
      ServerField("Content-Security-Policy", scripts.map { "\(policy); script-src 'nonce-\($0)'" } ?? policy),
      ServerField("X-Content-Type-Options", "nosniff"), ServerField("Referrer-Policy", "no-referrer"),
    ]
    return response(answer)
  }

  /// Returns the response with the header fields that all responses have. No cache may store answers with tokens (RFC
  /// 6749, 5.1).
  func response(_ answer: ServerResponse) -> ServerResponse {
    var answer = answer
    answer.headers += [
      ServerField("Cache-Control", "no-store, no-cache"), ServerField("Pragma", "no-cache"),
      ServerField("client-request-id", correlationID), ServerField("x-ms-request-id", traceID),
    ]
    return answer
  }
}
