internal import Cryptography
internal import JSON
internal import Text

/// A part of the cache: the results of one user of one connector.
struct CacheScope: Sendable, Hashable {
  var storage: CacheSettings.Storage
  var endpoint: DataConnectEndpoint
  /// The user; `nil` when no user is signed in.
  var user: ExactText?

  init(_ use: CacheSettings, _ endpoint: DataConnectEndpoint, user: String?) {
    storage = use.storage
    self.endpoint = endpoint
    // Another key of the same app sees the same.
    self.endpoint.apiKey = nil
    self.user = user.map { ExactText($0) }
  }

  /// The name of the file, which tells nothing of the user.
  var fileName: String {
    let parts = [
      endpoint.project, endpoint.service, endpoint.connector, endpoint.location, endpoint.host, String(endpoint.port),
      endpoint.isSecure ? "https" : "http", user.map { "user \($0)" } ?? "anon",
    ]
    let text = JSONCoding.text(of: .array(parts.map { .string($0) }))
    return SHA256.hexadecimal(of: Array(text.utf8)).prefix(32) + ".sqlite"
  }
}

extension DataOperation {
  /// The same for equal operations with equal variables, in any order. It is a digest, so it reveals nothing of the
  /// values.
  var key: String {
    let variables = JSONCoding.prettyText(of: .object(self.variables), sortsKeys: true)
    return SHA256.hexadecimal(of: Array("\(kind.rawValue) \(name)\n\(variables)".utf8))
  }
}
