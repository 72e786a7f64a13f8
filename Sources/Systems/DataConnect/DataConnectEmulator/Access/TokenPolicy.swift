/// Which tokens are believed.
package struct TokenPolicy: Sendable {
  /// Who signs tokens, and where its keys are.
  package struct Issuer: Sendable {
    /// What tokens say in `iss`.
    package var name: String
    /// What tokens say in `aud`; `nil` takes any.
    package var audience: String?
    /// The JSON Web Key Set (RFC 7517), fetched anew.
    package var keys: @Sendable () async throws -> [UInt8]

    package init(name: String, audience: String? = nil, keys: @escaping @Sendable () async throws -> [UInt8]) {
      self.name = name
      self.audience = audience
      self.keys = keys
    }
  }

  /// With an issuer a token has to be signed by it. Without one every token is believed, which is for the machine's own
  /// addresses alone.
  package var issuer: Issuer?
  /// How far clocks may differ, in seconds.
  package var leeway: Int64 = 60

  package init(issuer: Issuer? = nil) { self.issuer = issuer }
}
