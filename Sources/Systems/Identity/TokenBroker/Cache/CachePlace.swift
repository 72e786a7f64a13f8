/// Where in the cache something is put: as it is written, before it is folded for keys.
struct CachePlace: Sendable, Equatable {
  /// The `home_account_id`.
  var account: String
  var environment: String
  var client: String
  /// The tenant.
  var realm: String

  var identity: CacheIdentity { CacheIdentity(account: account, environment: environment, client: client) }
}
