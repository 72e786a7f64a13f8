internal import ConfigurationFiles
internal import JSON

/// The tokens and accounts of a cache in the unified schema that the libraries of Microsoft share, as a value.
///
/// What is not understood is kept and written again: other sections, members that others wrote, entities that lack
/// something.
package struct UnifiedCache: Sendable, Equatable {
  var accessTokens: [CachedAccessToken] = []
  var refreshTokens: [CachedCredential] = []
  var idTokens: [CachedCredential] = []
  var accounts: [CachedAccount] = []
  var applications: [String: JSONObject] = [:]
  /// Entities that cannot be used, by section and key.
  var unreadable: [String: JSONObject] = [:]
  /// Members of the root that are no sections.
  var others: JSONObject = [:]

  /// The most entities of one section. The section drops the entities that expired first.
  static let mostEntities = 4_096

  /// Creates an empty cache.
  package init() {}
}

extension UnifiedCache: CustomStringConvertible, CustomReflectable {
  /// The numbers of accounts and access tokens, without secrets.
  package var description: String { "\(accounts.count) accounts, \(accessTokens.count) access tokens" }
  /// A mirror with the two numbers only, so that no dump shows a secret.
  package var customMirror: Mirror {
    Mirror(self, children: ["accounts": accounts.count, "accessTokens": accessTokens.count])
  }
}

/// The sections of the schema.
enum CacheSection: String, CaseIterable {
  case accessToken = "AccessToken"
  case refreshToken = "RefreshToken"
  case idToken = "IdToken"
  case account = "Account"
  case appMetadata = "AppMetadata"
}
