internal import Files
internal import JSON

/// The users of a JSON file: `{"users": [{"username": "…", "password": "$scrypt$…", …}]}`.
enum UsersFile {
  private static let limit = 16 << 20
  private static let keys = [
    "id", "username", "name", "password", "attributes", "mfa", "methods", "mustResetPassword", "needsBrowser",
    "contactBlocked",
  ]

  static func read(_ path: String) throws(IdentityServerError) -> [IdentityUser] {
    let value: JSONValue
    do {
      value = try JSONCoding.parse(try File.read(path, limit: limit))
    } catch let error as JSONError {
      throw IdentityServerError("\(path): \(error)", recovery: "Correct the JSON.")
    } catch {
      throw IdentityServerError("\(path): \(error)", recovery: "Name a file that can be read.")
    }
    guard let users = value["users"]?.arrayValue else {
      throw IdentityServerError("\(path): users is not an array.", recovery: "Write {\"users\": [{\"username\": …}]}.")
    }
    var found: [IdentityUser] = []
    for (index, user) in users.enumerated() { found.append(try read(user, at: "\(path): users[\(index)]")) }
    return found
  }

  private static func read(_ value: JSONValue, at place: String) throws(IdentityServerError) -> IdentityUser {
    guard let object = value.objectValue else { throw fault("\(place) is not an object.") }
    if let unknown = object.keys.first(where: { !keys.contains($0) }) {
      throw fault("\(place) has the unknown key \"\(unknown.prefix(40))\".")
    }
    guard let username = object["username"]?.stringValue, !username.isEmpty, username.utf8.count <= 256 else {
      throw fault("\(place).username is not text of 1 to 256 bytes.")
    }
    var user = IdentityUser(username: username)
    user.id = object["id"]?.stringValue ?? ""
    user.name = object["name"]?.stringValue
    user.attributes = object["attributes"]?.objectValue ?? [:]
    if let text = object["password"] {
      guard let hash = text.stringValue.flatMap(PasswordHash.init(parsing:)) else {
        throw fault("\(place).password is not a scrypt hash.")
      }
      user.password = hash
    }
    user.needsSecondFactor = try flag("mfa", of: object, at: place)
    user.mustResetPassword = try flag("mustResetPassword", of: object, at: place)
    user.needsBrowser = try flag("needsBrowser", of: object, at: place)
    user.isContactBlocked = try flag("contactBlocked", of: object, at: place)
    for (index, method) in (object["methods"]?.arrayValue ?? []).enumerated() {
      guard let channel = method["channel"]?.stringValue, ["email", "sms"].contains(channel),
        let target = method["target"]?.stringValue, !target.isEmpty, target.utf8.count <= 256
      else { throw fault("\(place).methods[\(index)] has no channel (email, sms) and target.") }
      let id = method["id"]?.stringValue ?? "\(channel)-\(index + 1)"
      user.methods.append(IdentityUser.Method(id: id, channel: channel, target: target))
    }
    return user
  }

  private static func flag(
    _ name: String, of object: JSONObject, at place: String
  ) throws(IdentityServerError) -> Bool {
    guard let value = object[name] else { return false }
    guard let flag = value.boolValue else { throw fault("\(place).\(name) is not true or false.") }
    return flag
  }

  private static func fault(_ message: String) -> IdentityServerError {
    IdentityServerError(
      message, recovery: "A user has \(keys.joined(separator: ", ")); a password is written as $scrypt$….")
  }
}
