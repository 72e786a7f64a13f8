import Cryptography
import JSON

/// The accounts of the server.
struct UserDirectory: Sendable {
  private var users: [String: IdentityUser] = [:]
  private var names: [String: String] = [:]
  private let most: Int

  init(_ configuration: IdentityServer.Configuration) throws(IdentityServerError) {
    most = configuration.limits.accounts
    let known = try configuration.usersFile.map { path throws(IdentityServerError) in try UsersFile.read(path) } ?? []
    for var user in known + configuration.users {
      if user.id.isEmpty { user.id = GUID.text(configuration.random(16)) }
      guard names[IdentityUser.key(user.username)] == nil, users[user.id] == nil else {
        throw IdentityServerError(
          "There are two users \"\(user.username.prefix(80))\", or two with one id.", recovery: "Remove one of them.")
      }
      put(user)
    }
  }

  /// The user with a name, compared without regard to case.
  subscript(username: String) -> IdentityUser? { names[IdentityUser.key(username)].flatMap { users[$0] } }

  func user(id: String) -> IdentityUser? { users[id] }

  /// Whether sign-up may make one more.
  var isFull: Bool { users.count >= most }

  mutating func put(_ user: IdentityUser) {
    users[user.id] = user
    names[IdentityUser.key(user.username)] = user.id
  }
}
