internal import ConfigurationFiles
internal import Cryptography
internal import Files
internal import JSON

/// A token of a service account.
struct KeptToken: Sendable {
  let token: Secret
  /// The time from which the token is renewed, in seconds since 1970.
  let renewAt: Int
  let expiresAt: Int

  /// A file that its user alone can read, with one token: a process that runs for a moment need not ask for another.
  struct Place: Sendable {
    private static let limit = 64 << 10

    private let path: @Sendable () throws -> String
    /// Of the credentials that the token is for: others get another.
    private let digest: String

    init(path: @escaping @Sendable () throws -> String, of service: ServiceCredentials) {
      self.path = path
      let parts = [
        service.endpoint, service.organization, service.account, service.client, service.clientSecret.revealed(),
        service.privateKey.revealed(), service.scopes.joined(separator: " "),
      ]
      digest = SHA256.hexadecimal(of: parts.joined(separator: "\u{0}").utf8)
    }

    /// The token; nil when there is none, when it is of other credentials, and when others can read or write the file.
    func read() -> KeptToken? {
      guard let path = try? path(), let bytes = try? File.readPrivate(path, limit: Self.limit),
        let value = try? JSONCoding.parse(bytes, maximumDepth: 4), value["of"]?.stringValue == digest,
        let token = value["token"]?.stringValue, !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
        let renewAt = value["renewAt"]?.integerValue, let expiresAt = value["expiresAt"]?.integerValue
      else { return nil }
      return KeptToken(token: Secret(token), renewAt: Int(renewAt), expiresAt: Int(expiresAt))
    }

    /// Keeps a token. When that fails the next process asks for another.
    func write(_ kept: KeptToken) {
      let content: JSONValue = [
        "of": .string(digest), "token": .string(kept.token.revealed()), "renewAt": .integer(Int64(kept.renewAt)),
        "expiresAt": .integer(Int64(kept.expiresAt)),
      ]
      guard let path = try? path() else { return }
      try? File.replace(path, with: Array(content.description.utf8))
    }

    /// Forgets a token that the server did not accept.
    func remove(_ token: String) {
      guard let path = try? path(), read()?.token.revealed() == token else { return }
      File.remove(path)
    }
  }
}
