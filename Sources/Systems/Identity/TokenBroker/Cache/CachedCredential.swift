internal import ConfigurationFiles
internal import JSON

/// A refresh token or an id token of the cache.
struct CachedCredential: Sendable, Equatable {
  enum Kind: String, Sendable {
    case refreshToken = "RefreshToken"
    case idToken = "IdToken"
  }

  var entity: CacheEntity
  let identity: CacheIdentity
  let secret: Secret
  /// The key in the file: other programs include the scopes in the key of a refresh token.
  let key: String

  /// - Returns: `nil` when a member is missing that nothing can be done without.
  init?(_ object: JSONObject, key: String) {
    let entity = CacheEntity(object)
    guard let secret = object["secret"]?.stringValue, !secret.isEmpty, let identity = CacheIdentity(entity) else {
      return nil
    }
    (self.entity, self.identity, self.secret, self.key) = (entity, identity, Secret(secret), key)
  }

  init(_ kind: Kind, _ secret: Secret, place: CachePlace, target: ScopeList? = nil, now: Int? = nil) {
    var entity = CacheEntity([:])
    entity.set("credential_type", kind.rawValue)
    entity.set("home_account_id", place.account)
    entity.set("environment", place.environment)
    entity.set("client_id", place.client)
    if kind == .idToken { entity.set("realm", place.realm) }
    entity.set("target", target?.target)
    entity.set("last_modification_time", now)
    self.entity = entity
    identity = place.identity
    self.secret = secret
    key =
      switch kind {
      case .refreshToken: CacheEntityKey.make(place.account, place.environment, "refreshtoken", place.client, "", "")
      case .idToken: CacheEntityKey.make(place.account, place.environment, "idtoken", place.client, place.realm, "")
      }
  }

  var object: JSONObject { entity.object(secret: secret) }
}
