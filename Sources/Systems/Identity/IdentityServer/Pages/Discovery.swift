import HTTPServer
import JSON

/// The metadata of the server (OpenID Connect Discovery 1.0 and RFC 8414).
extension IdentityService {
  nonisolated func discovery(_ call: Call) -> ServerResponse {
    let scopes = configuration.resources.flatMap { resource in resource.scopes.map { "\(resource.audience)/\($0)" } }
    return call.json([
      "issuer": .string(call.issuer),
      "authorization_endpoint": .string(call.url("oauth2/v2.0/authorize")),
      "token_endpoint": .string(call.url("oauth2/v2.0/token")),
      "device_authorization_endpoint": .string(call.url("oauth2/v2.0/devicecode")),
      "userinfo_endpoint": .string(call.url("userinfo")),
      "jwks_uri": .string(call.url("discovery/v2.0/keys")),
      "introspection_endpoint": .string(call.url("oauth2/v2.0/introspection")),
      "revocation_endpoint": .string(call.url("oauth2/v2.0/revoke")),
      "scopes_supported": .array((ScopeRequest.standard + scopes).map { .string($0) }),
      "response_types_supported": ["code"],
      "response_modes_supported": ["query", "form_post"],
      "grant_types_supported": .array(Self.grantTypes.map { .string($0) }),
      "subject_types_supported": [.string(configuration.subjects.rawValue)],
      "id_token_signing_alg_values_supported": ["RS256"],
      "code_challenge_methods_supported": ["S256"],
      "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
      "introspection_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
      "revocation_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
      "authorization_response_iss_parameter_supported": true,
      "claims_supported": [
        "iss", "sub", "aud", "exp", "iat", "nbf", "auth_time", "nonce", "oid", "tid", "name", "preferred_username",
        "email",
      ],
    ])
  }
}
