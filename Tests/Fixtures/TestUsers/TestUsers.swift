import Cryptography
package import IdentityServer

extension IdentityServer.Configuration {
  /// Of a server that knows these users, all with the same password. Checking it takes next to no time.
  package static func ofTests(_ usernames: String..., password: String) throws -> Self {
    var configuration = Self()
    configuration.scryptCost = Scrypt.Cost(logarithm: 2, blocks: 1, lanes: 1)
    let hash = try PasswordHash(password, cost: configuration.scryptCost, salt: Array(1...16))
    configuration.users = usernames.map { IdentityUser(username: $0, password: hash) }
    return configuration
  }
}
