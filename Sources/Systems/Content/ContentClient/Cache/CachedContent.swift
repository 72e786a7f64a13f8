internal import SQLite

/// A reader of the answers in a cache file that a client, also of another process, writes.
package struct CachedContent: Sendable {
  private let cache: ResponseCache

  /// - Parameter path: the file of the cache; it exists.
  package init(path: String) {
    cache = ResponseCache(path: { path }, maximumBytes: ContentClient.Limits().maximumCacheBytes, report: { _ in })
  }

  /// Returns a number that changes when a cached answer changes, and not when the server confirmed the answer as
  /// unchanged. The number is comparable within this process only; nil when the cache cannot be read.
  package func signature() async -> Int? { await cache.signature() }
}

extension Database {
  func signature() throws(SQLiteError) -> Int {
    var hasher = Hasher()
    _ = try rows(
      """
      SELECT url, identity, entity_tag, iif(entity_tag IS NULL, body, x'') FROM response ORDER BY url, identity
      """
    ) { row throws(SQLiteError) in
      hasher.combine(row.text(at: 0))
      hasher.combine(row.text(at: 1))
      if !row.isNull(at: 2) { hasher.combine(row.text(at: 2)) } else { hasher.combine(row.blob(at: 3)) }
    }
    return hasher.finalize()
  }
}
