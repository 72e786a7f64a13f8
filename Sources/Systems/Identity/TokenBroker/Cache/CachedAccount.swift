internal import JSON

/// An account of the cache.
struct CachedAccount: Sendable, Equatable {
  var entity: CacheEntity
  let account: String
  let environment: String
  let realm: String

  /// - Returns: `nil` when a member is missing that nothing can be done without.
  init?(_ object: JSONObject) {
    entity = CacheEntity(object)
    guard let account = entity.text("home_account_id"), let environment = entity.text("environment") else { return nil }
    (self.account, self.environment) = (account, environment.lowercased())
    realm = entity.text("realm") ?? ""
  }

  init(place: CachePlace, facts: AccountFacts) {
    entity = CacheEntity([:])
    entity.set("home_account_id", place.account)
    entity.set("environment", place.environment)
    entity.set("realm", place.realm)
    entity.set("local_account_id", facts.localID ?? place.account)
    entity.set("username", facts.username)
    entity.set("name", facts.name)
    entity.set("authority_type", "MSSTS")
    entity.set("client_info", facts.clientInfo)
    (account, environment, realm) = (place.account, place.environment.lowercased(), place.realm)
  }

  var key: String { CacheEntityKey.make(account, environment, realm) }
  var username: String { entity.text("username") ?? account }
  var name: String? { entity.text("name") }

  func isAccount(_ identity: CacheIdentity) -> Bool {
    account.lowercased() == identity.account && environment == identity.environment
  }
}
