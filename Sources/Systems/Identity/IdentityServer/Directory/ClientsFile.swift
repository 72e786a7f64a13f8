internal import JSON

/// The clients of a JSON file: `{"clients": [{"id": "web", "secret": "…", "redirectURIs": ["https://…"], "pkce": false}]}`.
enum ClientsFile {
  private static let keys = ["id", "secret", "redirectURIs", "pkce", "native", "password"]
  private static let file = DirectoryFile(
    list: "clients", limit: 1 << 20, keys: keys, example: "{\"clients\": [{\"id\": …}]}",
    advice: "A client has \(keys.joined(separator: ", ")).")

  static func read(_ path: String) throws(IdentityServerError) -> [IdentityClient] {
    try file.read(path) { object, place throws(IdentityServerError) in try client(object, at: place) }
  }

  private static func client(
    _ object: JSONObject, at place: String
  ) throws(IdentityServerError) -> IdentityClient {
    guard let id = object["id"]?.stringValue, (1...256).contains(id.utf8.count),
      id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw file.fault("\(place).id is not text of 1 to 256 visible characters.") }
    // What a browser is sent to has to be written down, letter for letter.
    var client = IdentityClient(id: id, isNative: false, allowsPasswordGrant: false, redirectURIs: [])
    if let secret = object["secret"] {
      guard let text = secret.stringValue, (16...1_024).contains(text.utf8.count) else {
        throw file.fault("\(place).secret is not text of 16 to 1,024 bytes.")
      }
      client.secret = text
    }
    if let addresses = object["redirectURIs"] {
      guard let texts = addresses.arrayValue?.compactMap(\.stringValue), texts.count == addresses.arrayValue?.count,
        texts.allSatisfy({ $0.hasPrefix("https://") || $0.hasPrefix("http://") })
      else { throw file.fault("\(place).redirectURIs is not an array of addresses with http or https.") }
      client.redirectURIs = texts
    }
    client.needsProofKey = try file.flag("pkce", of: object, at: place) ?? true
    client.isNative = try file.flag("native", of: object, at: place) ?? false
    client.allowsPasswordGrant = try file.flag("password", of: object, at: place) ?? false
    if !client.needsProofKey, client.secret == nil {
      throw file.fault("\(place) has neither a secret nor pkce: anybody could redeem its codes.")
    }
    return client
  }
}
