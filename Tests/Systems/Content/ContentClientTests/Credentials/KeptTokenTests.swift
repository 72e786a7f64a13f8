import ConfigurationFiles
import Foundation
import JSON
import TestSupport
import Testing

@testable import ContentClient

@Suite(.timeLimit(.minutes(1)))
struct `A token that is kept for other processes` {
  let directory: TemporaryDirectory
  var path: String { directory.file("cache.sqlite.token") }

  init() throws { directory = try TemporaryDirectory() }

  /// The place of an account, of which one member is another's.
  private func place(_ changed: String = "") -> KeptToken.Place {
    func value(_ name: String) -> String { name == changed ? "other" : name }
    let account = ServiceCredentials(
      file: value("file"), endpoint: value("endpoint"), organization: value("organization"),
      account: value("account"), client: value("client"), clientSecret: Secret(value("secret")),
      privateKey: Secret(value("key")), scopes: ["first", value("scope")])
    let path = path
    return KeptToken.Place(path: { path }, of: account)
  }

  private func write(_ object: JSONObject) throws {
    _ = try directory.write(JSONValue.object(object).description, to: "cache.sqlite.token")
    chmod(path, 0o600)
  }

  @Test func `is that of the same account with the same secrets and scopes, wherever these were read`() throws {
    place().write(KeptToken(token: Secret("t1"), renewAt: 7, expiresAt: 9))
    for changed in ["endpoint", "organization", "account", "client", "secret", "key", "scope"] {
      #expect(place(changed).read() == nil, "\(changed)")
      place(changed).remove("t1")
    }
    let found = try #require(place("file").read())
    #expect(found.token == Secret("t1") && found.renewAt == 7 && found.expiresAt == 9)
  }

  @Test func `is taken away by who was refused with it, and not by who was refused with an older one`() {
    let own = place()
    own.remove("t1")
    for (old, new) in [("t1", "t2"), ("t2", "t3")] {
      own.write(KeptToken(token: Secret(new), renewAt: 7, expiresAt: 9))
      own.remove(old)
      #expect(own.read()?.token == Secret(new))
    }
    own.remove("t3")
    #expect(own.read() == nil && !FileManager.default.fileExists(atPath: path))
  }

  @Test func `is none where a member is missing, or is of another kind`() throws {
    place().write(KeptToken(token: Secret("!~"), renewAt: 7, expiresAt: 9))
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let whole = try #require(try JSONCoding.parse(bytes).objectValue)
    #expect(whole.keys.sorted() == ["expiresAt", "of", "renewAt", "token"])
    let others: [(name: String, values: [JSONValue?])] = [
      ("of", [nil, .null, ""]), ("token", [nil, .null, 5, "", "a b", "a\u{7F}", "é"]),
      ("renewAt", [nil, .null, "7", 7.5]), ("expiresAt", [nil, .null, "9"]),
    ]
    for (name, values) in others {
      for value in values {
        var object = whole
        object[name] = value
        try write(object)
        #expect(place().read() == nil, "\(name) \(value?.description ?? "missing")")
      }
    }
    try write(whole)
    #expect(place().read()?.token == Secret("!~"))
  }
}
