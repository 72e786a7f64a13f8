package import ConfigurationFiles
internal import JSON

/// An access token of the cache, under the scopes that were granted.
package struct CachedAccessToken: Sendable, Equatable {
  var entity: CacheEntity
  let identity: CacheIdentity
  let realm: String
  /// `bearer`, in lower case.
  let kind: String
  /// The token itself.
  package let secret: Secret
  /// The scopes that the server granted.
  package let scopes: ScopeList
  /// The scopes, and `…/.default` when that was asked for.
  let answers: ScopeList
  /// The time at which the token was stored, in seconds since 1970.
  package let cachedAt: Int
  /// The time at which the token expires, in seconds since 1970.
  package let expiresOn: Int
  /// The time until which the token may be used while the server is down, in seconds since 1970; nil for none.
  package let extendedExpiresOn: Int?
  /// The time from which the server wants the token renewed, in seconds since 1970; nil for none.
  package let refreshOn: Int?

  /// The member for a requested `…/.default`, because servers answer with the scopes that it stands for.
  private static let defaults = "requested_defaults"

  /// - Returns: `nil` when a member is missing that nothing can be done without.
  init?(_ object: JSONObject) {
    let entity = CacheEntity(object)
    guard let secret = object["secret"]?.stringValue, !secret.isEmpty, let identity = CacheIdentity(entity),
      let target = entity.text("target"), let cachedAt = entity.time("cached_at"),
      let expiresOn = entity.time("expires_on")
    else { return nil }
    self.entity = entity
    self.identity = identity
    self.secret = Secret(secret)
    realm = (entity.text("realm") ?? "").lowercased()
    kind = (entity.text("token_type") ?? "Bearer").lowercased()
    let scopes = ScopeList(granted: target)
    self.scopes = scopes
    answers = entity.text(Self.defaults).map { scopes.union(ScopeList(granted: $0)) } ?? scopes
    (self.cachedAt, self.expiresOn) = (cachedAt, expiresOn)
    extendedExpiresOn = entity.time("extended_expires_on") ?? entity.time("ext_expires_on")
    refreshOn = entity.time("refresh_on")
  }

  init(_ grant: TokenGrant, identity: CachePlace, asked: ScopeList, now: Int) {
    var entity = CacheEntity([:])
    entity.set("credential_type", "AccessToken")
    entity.set("home_account_id", identity.account)
    entity.set("environment", identity.environment)
    entity.set("client_id", identity.client)
    let granted = grant.scopes ?? asked
    entity.set("target", granted.target)
    entity.set("realm", identity.realm)
    entity.set("token_type", grant.kind)
    cachedAt = now
    expiresOn = now + grant.lifetime
    extendedExpiresOn = now + (grant.extendedLifetime ?? grant.lifetime)
    refreshOn = grant.refreshIn.map { now + $0 }
    entity.set("cached_at", cachedAt)
    entity.set("expires_on", expiresOn)
    entity.set("extended_expires_on", extendedExpiresOn)
    entity.set("refresh_on", refreshOn)
    let defaults = asked.ofDefaults
    if !defaults.isEmpty { entity.set(Self.defaults, defaults.target) }
    self.entity = entity
    self.identity = identity.identity
    realm = identity.realm.lowercased()
    kind = grant.kind.lowercased()
    secret = grant.accessToken
    scopes = granted
    answers = granted.union(defaults)
  }

  var key: String {
    CacheEntityKey.make(
      identity.account, identity.environment, "accesstoken", identity.client, realm, entity.text("target") ?? "")
  }

  var object: JSONObject { entity.object(secret: secret) }
}

/// The permitted use of a cached token at a given time.
package enum TokenFreshness: Sendable, Equatable {
  case fresh
  /// Good still, and it is time to get the next one.
  case due
  /// Over; only while the server is down, it does.
  case extended
  case over
}

extension CachedAccessToken {
  /// The seconds before the expiry from which the broker requests the next token.
  package static let margin = 300

  /// Returns the state of the token at a time in seconds since 1970.
  package func freshness(now: Int) -> TokenFreshness {
    // The clock was set back, so the elapsed time is unknown.
    if cachedAt > now { return .over }
    if now >= expiresOn { return extendedExpiresOn.map { now < $0 } ?? false ? .extended : .over }
    if now + Self.margin >= expiresOn { return .due }
    return refreshOn.map { now >= $0 } ?? false ? .due : .fresh
  }
}
