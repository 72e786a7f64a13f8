import Cryptography
import HTTPServer
import JSON

/// The routes of the server, by path.
extension IdentityService {
  private static let posted: Set<String> = [
    "oauth2/v2.0/initiate", "oauth2/v2.0/challenge", "oauth2/v2.0/introspect", "oauth2/v2.0/token",
    "oauth2/v2.0/devicecode", "oauth2/v2.0/introspection", "oauth2/v2.0/revoke", "signup/v1.0/start",
    "signup/v1.0/challenge", "signup/v1.0/continue", "resetpassword/v1.0/start", "resetpassword/v1.0/challenge",
    "resetpassword/v1.0/continue", "resetpassword/v1.0/submit", "resetpassword/v1.0/poll_completion",
    "register/v1.0/introspect", "register/v1.0/challenge", "register/v1.0/continue",
  ]

  func route(_ call: Call) async throws(OAuthFailure) -> ServerResponse {
    let method = call.request.method
    if Self.posted.contains(call.path) {
      return method == "POST" ? try await post(call) : notAllowed(call, "POST")
    }
    let first = call.path.prefix { $0 != "/" }
    if call.realm == .root, let resource = configuration.resources.first(where: { $0.path == first }) {
      return api(call, resource)
    }
    switch call.path {
    case "oauth2/v2.0/authorize":
      return method == "GET" || method == "POST" ? try await authorize(call) : notAllowed(call, "GET, POST")
    case "device":
      return method == "GET" || method == "POST" ? try await devicePage(call) : notAllowed(call, "GET, POST")
    case "userinfo": return method == "GET" || method == "POST" ? userInformation(call) : notAllowed(call, "GET, POST")
    default: return method == "GET" || method == "HEAD" ? try get(call) : notAllowed(call, "GET")
    }
  }

  private func get(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    switch call.path {
    case ".well-known/openid-configuration", "v2.0/.well-known/openid-configuration",
      ".well-known/oauth-authorization-server":
      return discovery(call)
    case "discovery/v2.0/keys": return call.json(signing.keySet)
    case "outbox" where servesOutbox && call.realm == .root:
      guard mayReadOutbox(call.request) else {
        throw OAuthFailure(status: 401, "invalid_token", 90_003, "The outbox needs the secret of the server.")
      }
      return call.json(["messages": .array(outbox.messages.map(\.value))])
    case "":
      return call.page(
        Page.message("Local identity server", "OpenID Connect: \(call.url(".well-known/openid-configuration"))"))
    default: throw OAuthFailure(status: 404, "invalid_request", 90_002, "There is nothing at this path.")
    }
  }

  /// Whether a request has the secret of the outbox: a one-time code is as good as a password.
  private func mayReadOutbox(_ request: ServerRequest) -> Bool {
    let fields = request.headers.filter { $0.isNamed("Authorization") }
    guard fields.count == 1, let given = fields.first?.value, !configuration.outboxSecret.isEmpty else { return false }
    return ConstantTime.isEqual(given, "Bearer \(configuration.outboxSecret)")
  }

  private func notAllowed(_ call: Call, _ allowed: String) -> ServerResponse {
    var failure = OAuthFailure(
      status: 405, "invalid_request", 900_561, "The endpoint only accepts \(allowed) requests.")
    failure.headers = [ServerField("Allow", allowed)]
    return failure.response(to: call)
  }

  private func post(_ call: Call) async throws(OAuthFailure) -> ServerResponse {
    switch call.path {
    case "oauth2/v2.0/initiate": try initiate(call)
    case "oauth2/v2.0/challenge": try challenge(call)
    case "oauth2/v2.0/introspect": try introspect(call)
    case "oauth2/v2.0/token": try await token(call)
    case "oauth2/v2.0/devicecode": try beginDevice(call)
    case "oauth2/v2.0/introspection": try introspectToken(call)
    case "oauth2/v2.0/revoke": try revoke(call)
    case "signup/v1.0/start": try await startSignUp(call)
    case "signup/v1.0/challenge": try challengeSignUp(call)
    case "signup/v1.0/continue": try await continueSignUp(call)
    case "resetpassword/v1.0/start": try startReset(call)
    case "resetpassword/v1.0/challenge": try challengeReset(call)
    case "resetpassword/v1.0/continue": try continueReset(call)
    case "resetpassword/v1.0/submit": try await submitReset(call)
    case "resetpassword/v1.0/poll_completion": try pollReset(call)
    case "register/v1.0/introspect": try introspectRegistration(call)
    case "register/v1.0/challenge": try challengeRegistration(call)
    default: try continueRegistration(call)
    }
  }
}
