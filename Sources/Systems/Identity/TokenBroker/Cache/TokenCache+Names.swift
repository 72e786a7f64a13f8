internal import Cryptography
internal import Files

extension TokenCache {
  /// A name of letters and digits for any account and client.
  static func lockName(of identity: CacheIdentity) -> String {
    let text = [identity.account, identity.environment, identity.client].joined(separator: "\n")
    return "refresh-\(SHA256.hexadecimal(of: Array(text.utf8)).prefix(24)).lock"
  }
}

extension AuthError {
  init(_ error: FileError) { self.init(.cacheUnusable, error.message, recovery: error.recovery) }
}
