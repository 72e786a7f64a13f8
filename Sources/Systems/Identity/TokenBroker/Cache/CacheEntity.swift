internal import ConfigurationFiles
internal import JSON

/// The members that every entity of the cache has. Unknown members, which other programs wrote, are kept.
struct CacheEntity: Sendable, Equatable {
  /// All but the secret.
  private(set) var members: JSONObject

  init(_ members: JSONObject) {
    self.members = members
    self.members["secret"] = nil
  }

  /// A text; `nil` when it is absent or something else.
  func text(_ name: String) -> String? { members[name]?.stringValue }

  /// Returns a time in seconds since 1970, from a string as the schema demands or from a number as some libraries write
  /// it.
  func time(_ name: String) -> Int? {
    let number: Int64? =
      switch members[name] {
      case .string(let text): Int64(text)
      case .integer(let value): value
      case .double(let value): Int64(exactly: value.rounded(.down))
      default: nil
      }
    guard let number, Self.times.contains(number) else { return nil }
    return Int(number)
  }

  mutating func set(_ name: String, _ value: String?) { members[name] = value.map { .string($0) } }
  mutating func set(_ name: String, _ value: Int?) { set(name, value.map { String($0) }) }

  /// Returns the members of the entity together with its secret, for writing.
  func object(secret: Secret) -> JSONObject {
    var object = members
    object["secret"] = .string(secret.revealed())
    return object
  }

  /// The accepted times, in seconds from 1970 to the year 9999.
  static let times: ClosedRange<Int64> = 0...253_402_300_799
}

/// The keys of the unified schema: parts with hyphens between them, in lower case.
enum CacheEntityKey {
  static func make(_ parts: String...) -> String { parts.joined(separator: "-").lowercased() }
}

/// The owner of an entity: an account at a server, for one client. Letter case does not distinguish owners.
struct CacheIdentity: Sendable, Hashable {
  let account: String
  let environment: String
  let client: String

  init(account: String, environment: String, client: String) {
    (self.account, self.environment, self.client) = (
      account.lowercased(), environment.lowercased(), client.lowercased()
    )
  }

  init?(_ entity: CacheEntity) {
    guard let account = entity.text("home_account_id"), let environment = entity.text("environment"),
      let client = entity.text("client_id")
    else { return nil }
    self.init(account: account, environment: environment, client: client)
  }
}
