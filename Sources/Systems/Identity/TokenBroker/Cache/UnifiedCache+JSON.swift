package import JSON

extension UnifiedCache {
  /// - Throws: `JSONError` when the bytes are no JSON object.
  package init(json bytes: [UInt8]) throws(JSONError) {
    guard case .object(let root) = try JSONCoding.parse(bytes, maximumDepth: 16) else {
      throw JSONError(.mismatch(expected: "an object"), at: 0)
    }
    self.init()
    for (name, value) in root {
      guard let section = CacheSection(rawValue: name), case .object(let entities) = value else {
        others[name] = value
        continue
      }
      for (key, value) in entities {
        guard let object = value.objectValue, read(object, key: key, section: section) else {
          unreadable[name, default: [:]][key] = value
          continue
        }
      }
    }
  }

  /// - Returns: false for an entity that cannot be used.
  private mutating func read(_ object: JSONObject, key: String, section: CacheSection) -> Bool {
    switch section {
    case .accessToken:
      guard let token = CachedAccessToken(object) else { return false }
      accessTokens.append(token)
    case .refreshToken:
      guard let token = CachedCredential(object, key: key) else { return false }
      refreshTokens.append(token)
    case .idToken:
      guard let token = CachedCredential(object, key: key) else { return false }
      idTokens.append(token)
    case .account:
      guard let account = CachedAccount(object) else { return false }
      accounts.append(account)
    case .appMetadata:
      applications[key] = object
    }
    return true
  }

  /// The whole as JSON text.
  package var json: [UInt8] {
    var sections: [CacheSection: JSONObject] = [:]
    for section in CacheSection.allCases { sections[section] = unreadable[section.rawValue] ?? [:] }
    for token in accessTokens { sections[.accessToken]?[token.key] = .object(token.object) }
    for token in refreshTokens { sections[.refreshToken]?[token.key] = .object(token.object) }
    for token in idTokens { sections[.idToken]?[token.key] = .object(token.object) }
    for account in accounts { sections[.account]?[account.key] = .object(account.entity.members) }
    for (key, value) in applications.sorted(by: { $0.key < $1.key }) {
      sections[.appMetadata]?[key] = .object(value)
    }
    var root: JSONObject = [:]
    for section in CacheSection.allCases { root[section.rawValue] = .object(sections[section] ?? [:]) }
    for (name, value) in others where root[name] == nil { root[name] = value }
    return Array(JSONCoding.text(of: .object(root)).utf8)
  }
}
