internal import Cryptography

/// The bytes of the cache's file: a mark, the name of the key, and what AES-256-GCM made of the JSON.
enum SealedCache {
  /// The reason for which the bytes of a file cannot be read.
  enum Fault: Error, Equatable {
    /// The file appears intact, and was encrypted with another key.
    case otherKey
    /// A newer version of this program made the file.
    case newer
    case damaged
  }

  private static let mark = Array("ANNEXTC1".utf8)
  private static let headCount = 16
  /// The largest file that is read.
  static let limit = 32 << 20

  static func seal(_ cache: UnifiedCache, key: CacheKey) throws(CryptographyError) -> [UInt8] {
    let head = mark + key.name
    return head + (try AESGCM.seal(cache.json, key: key.bytes, context: head))
  }

  static func open(_ bytes: [UInt8], key: CacheKey) throws(Fault) -> UnifiedCache {
    let head = Array(bytes.prefix(headCount))
    guard head.count == headCount else { throw .damaged }
    guard Array(head.prefix(mark.count)) == mark else {
      // The last character of the mark is the version.
      let isOurs = head.starts(with: mark.dropLast()) && (0x32...0x39).contains(head[mark.count - 1])
      throw isOurs ? .newer : .damaged
    }
    guard Array(head.dropFirst(mark.count)) == key.name else { throw .otherKey }
    guard let json = try? AESGCM.open(Array(bytes.dropFirst(headCount)), key: key.bytes, context: head),
      let cache = try? UnifiedCache(json: json)
    else { throw .damaged }
    return cache
  }
}
