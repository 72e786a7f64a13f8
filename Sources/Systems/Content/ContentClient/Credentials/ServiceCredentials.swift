package import ConfigurationFiles

/// The account of a service, as the developer console of AEM gives it, which is exchanged for tokens.
package struct ServiceCredentials: Equatable, Sendable {
  /// The file it was read from.
  package let file: String
  /// The server that gives tokens: a host, with a port where it needs one.
  package let endpoint: String
  package let organization: String
  /// Of the technical account.
  package let account: String
  package let client: String
  package let clientSecret: Secret
  /// In PEM.
  package let privateKey: Secret
  /// What the token is for, for example `ent_aem_cloud_api`.
  package let scopes: [String]
}
