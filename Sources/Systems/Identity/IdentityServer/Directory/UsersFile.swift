internal import JSON

/// The users of a JSON file: `{"users": [{"username": "…", "password": "$scrypt$…", …}]}`.
enum UsersFile {
  private static let keys = [
    "id", "username", "name", "password", "attributes", "mfa", "methods", "mustResetPassword", "needsBrowser",
    "contactBlocked",
  ]
  private static let file = DirectoryFile(
    list: "users", limit: 16 << 20, keys: keys, example: "{\"users\": [{\"username\": …}]}",
    advice: "A user has \(keys.joined(separator: ", ")); a password is written as $scrypt$….")

  static func read(_ path: String) throws(IdentityServerError) -> [IdentityUser] {
    try file.read(path) { object, place throws(IdentityServerError) in try user(object, at: place) }
  }

  private static func user(_ object: JSONObject, at place: String) throws(IdentityServerError) -> IdentityUser {
    guard let username = object["username"]?.stringValue, !username.isEmpty, username.utf8.count <= 256 else {
      throw file.fault("\(place).username is not text of 1 to 256 bytes.")
    }
    var user = IdentityUser(username: username)
    user.id = object["id"]?.stringValue ?? ""
    user.name = object["name"]?.stringValue
    user.attributes = object["attributes"]?.objectValue ?? [:]
    if let text = object["password"] {
      guard let hash = text.stringValue.flatMap(PasswordHash.init(parsing:)) else {
        throw file.fault("\(place).password is not a scrypt hash.")
      }
      user.password = hash
    }
    user.needsSecondFactor = try file.flag("mfa", of: object, at: place) ?? false
    user.mustResetPassword = try file.flag("mustResetPassword", of: object, at: place) ?? false
    user.needsBrowser = try file.flag("needsBrowser", of: object, at: place) ?? false
    user.isContactBlocked = try file.flag("contactBlocked", of: object, at: place) ?? false
    for (index, method) in (object["methods"]?.arrayValue ?? []).enumerated() {
      guard let channel = method["channel"]?.stringValue, ["email", "sms"].contains(channel),
        let target = method["target"]?.stringValue, !target.isEmpty, target.utf8.count <= 256
      else { throw file.fault("\(place).methods[\(index)] has no channel (email, sms) and target.") }
      let id = method["id"]?.stringValue ?? "\(channel)-\(index + 1)"
      user.methods.append(IdentityUser.Method(id: id, channel: channel, target: target))
    }
    return user
  }
}
