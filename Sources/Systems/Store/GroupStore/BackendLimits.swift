/// What a backend accepts.
package struct BackendLimits: Sendable, Equatable {
  /// How a backend learns that somebody else wrote.
  package enum Watch: Sendable, Equatable {
    case push
    case poll(Duration)
  }

  /// Bytes of one value.
  package var maxValueBytes = 256 << 10
  /// Bytes of all keys and values of a suite.
  package var maxSuiteBytes = 1 << 20
  /// Bytes of a key, which has one at least.
  package var maxKeyBytes = 1024
  /// Removed keys that a suite remembers for its watchers; older ones are compacted.
  package var maxTombstones = 256
  package var watch = Watch.push

  package init() {}

  /// - Throws: `quota` for a key or a value over its limit.
  package func check(_ mutation: Mutation, in suite: SuiteID) throws(GroupStoreError) {
    guard case .set(let key, let bytes) = mutation else { return }
    guard 1...maxKeyBytes ~= key.utf8.count else {
      throw .quota(
        "A key of \(suite.name) has \(key.utf8.count) bytes; it may have 1 to \(maxKeyBytes).", limit: maxKeyBytes)
    }
    guard bytes.count <= maxValueBytes else {
      throw .quota(
        "The value for \"\(key)\" has \(bytes.count) bytes; a value may have \(maxValueBytes).", limit: maxValueBytes)
    }
  }

  /// - Throws: `quota` when a suite has grown over its limit.
  package func check(bytes: Int, grownBy growth: Int, in suite: SuiteID) throws(GroupStoreError) {
    guard growth > 0, bytes > maxSuiteBytes else { return }
    throw .quota(
      "The suite \(suite.name) would have \(bytes) bytes; it may have \(maxSuiteBytes).", limit: maxSuiteBytes)
  }
}
