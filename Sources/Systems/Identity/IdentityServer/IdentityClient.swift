import Cryptography

/// An application that signs users in at the server.
package struct IdentityClient: Sendable, Equatable {
  /// The client's identifier, which requests send as `client_id`.
  package var id: String
  /// Whether it may use the native authentication API.
  package var isNative: Bool
  /// Whether it may use the password grant of OAuth 2.0.
  package var allowsPasswordGrant: Bool
  /// The secret of a client that can keep one (RFC 6749, 2.3); nil for a public client.
  package var secret: String?
  /// Whether the authorization code grant needs a proof key (RFC 7636). A client without a secret always needs one.
  package var needsProofKey = true
  /// Where browsers may be sent back to; one of `http://127.0.0.1`, `http://localhost` or `http://[::1]` stands for all
  /// of its ports.
  package var redirectURIs: [String]

  /// Creates a client from its identifier and its permissions.
  package init(
    id: String, isNative: Bool = true, allowsPasswordGrant: Bool = true,
    redirectURIs: [String] = ["http://localhost", "http://127.0.0.1", "http://[::1]"]
  ) {
    self.id = id
    self.isNative = isNative
    self.allowsPasswordGrant = allowsPasswordGrant
    self.redirectURIs = redirectURIs
  }

  /// Whether a secret is the client's. A public client has none.
  func accepts(secret given: String?) -> Bool {
    guard let secret else { return true }
    return given.map { ConstantTime.isEqual(SHA256.hexadecimal(of: $0.utf8), SHA256.hexadecimal(of: secret.utf8)) }
      ?? false
  }

  /// A client that may do everything.
  package static let native = IdentityClient(id: "00001111-aaaa-2222-bbbb-3333cccc4444")

  /// Whether a browser may be sent there (RFC 8252, 7.3).
  func allows(redirectURI: String) -> Bool {
    redirectURIs.contains { known in
      if known == redirectURI { return true }
      guard ["http://localhost", "http://127.0.0.1", "http://[::1]"].contains(known), redirectURI.hasPrefix(known)
      else {
        return false
      }
      let rest = redirectURI.dropFirst(known.count)
      guard rest.hasPrefix(":") else { return rest.isEmpty || rest.hasPrefix("/") }
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      let path = rest.dropFirst(1 + digits.count)
      return UInt16(digits) != nil && (path.isEmpty || path.hasPrefix("/"))
    }
  }
}

/// An API that accepts access tokens of the server.
package struct ProtectedResource: Sendable, Equatable {
  /// The audience of its tokens: the part of a scope before its last slash.
  package var audience: String
  /// The names of its scopes, without the audience.
  package var scopes: [String]
  /// Scopes that no user has agreed to.
  package var unconsented: [String]
  /// The first part of the path at which this server serves the API.
  package var path: String

  /// Creates an API from its audience, its scopes and its path.
  package init(audience: String, scopes: [String], unconsented: [String] = [], path: String) {
    self.audience = audience
    self.scopes = scopes
    self.unconsented = unconsented
    self.path = path
  }

  /// Two APIs with an audience each: `/api1/…` and `/api2/…`.
  package static let samples = [
    ProtectedResource(
      audience: "api://11112222-bbbb-3333-cccc-4444dddd5555", scopes: ["Items.Read", "Items.Write"],
      unconsented: ["Items.Admin"], path: "api1"),
    ProtectedResource(
      audience: "api://22223333-cccc-4444-dddd-5555eeee6666", scopes: ["Notes.Read", "Notes.Write"], path: "api2"),
  ]
}
