internal import Files
internal import JSON

/// The clients of a JSON file: `{"clients": [{"id": "web", "secret": "…", "redirectURIs": ["https://…"], "pkce": false}]}`.
enum ClientsFile {
  private static let limit = 1 << 20
  private static let keys = ["id", "secret", "redirectURIs", "pkce", "native", "password"]

  static func read(_ path: String) throws(IdentityServerError) -> [IdentityClient] {
    let value: JSONValue
    do {
      value = try JSONCoding.parse(try File.read(path, limit: limit))
    } catch let error as JSONError {
      throw IdentityServerError("\(path): \(error)", recovery: "Correct the JSON.")
    } catch {
      throw IdentityServerError("\(path): \(error)", recovery: "Name a file that can be read.")
    }
    guard let clients = value["clients"]?.arrayValue else {
      throw IdentityServerError("\(path): clients is not an array.", recovery: "Write {\"clients\": [{\"id\": …}]}.")
    }
    var found: [IdentityClient] = []
    for (index, client) in clients.enumerated() { found.append(try read(client, at: "\(path): clients[\(index)]")) }
    return found
  }

  private static func read(_ value: JSONValue, at place: String) throws(IdentityServerError) -> IdentityClient {
    guard let object = value.objectValue else { throw fault("\(place) is not an object.") }
    if let unknown = object.keys.first(where: { !keys.contains($0) }) {
      throw fault("\(place) has the unknown key \"\(unknown.prefix(40))\".")
    }
    guard let id = object["id"]?.stringValue, (1...256).contains(id.utf8.count),
      id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw fault("\(place).id is not text of 1 to 256 visible characters.") }
    // What a browser is sent to has to be written down, letter for letter.
    var client = IdentityClient(id: id, isNative: false, allowsPasswordGrant: false, redirectURIs: [])
    if let secret = object["secret"] {
      guard let text = secret.stringValue, (16...1_024).contains(text.utf8.count) else {
        throw fault("\(place).secret is not text of 16 to 1,024 bytes.")
      }
      client.secret = text
    }
    if let addresses = object["redirectURIs"] {
      guard let texts = addresses.arrayValue?.compactMap(\.stringValue), texts.count == addresses.arrayValue?.count,
        texts.allSatisfy({ $0.hasPrefix("https://") || $0.hasPrefix("http://") })
      else { throw fault("\(place).redirectURIs is not an array of addresses with http or https.") }
      client.redirectURIs = texts
    }
    client.needsProofKey = try flag("pkce", of: object, at: place) ?? true
    client.isNative = try flag("native", of: object, at: place) ?? false
    client.allowsPasswordGrant = try flag("password", of: object, at: place) ?? false
    if !client.needsProofKey, client.secret == nil {
      throw fault("\(place) has neither a secret nor pkce: anybody could redeem its codes.")
    }
    return client
  }

  private static func flag(
    _ name: String, of object: JSONObject, at place: String
  ) throws(IdentityServerError) -> Bool? {
    guard let value = object[name] else { return nil }
    guard let flag = value.boolValue else { throw fault("\(place).\(name) is not true or false.") }
    return flag
  }

  private static func fault(_ message: String) -> IdentityServerError {
    IdentityServerError(message, recovery: "A client has \(keys.joined(separator: ", ")).")
  }
}
