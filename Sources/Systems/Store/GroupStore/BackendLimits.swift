/// The limits of a backend, and how it notices other writers.
package struct BackendLimits: Sendable, Equatable {
  /// How a backend notices that another process wrote.
  package enum Watch: Sendable, Equatable {
    case push
    case poll(Duration)
  }

  /// The most bytes of one value.
  package var maxValueBytes = 256 << 10
  /// The most bytes of all keys and values of a suite.
  package var maxSuiteBytes = 1 << 20
  /// The most bytes of a key. A key has at least one byte.
  package var maxKeyBytes = 1024
  /// The most removed keys that a suite remembers for its watchers; older removals are compacted.
  package var maxTombstones = 256
  /// How watchers notice writes of other processes.
  package var watch = Watch.push

  /// Creates the default limits, with changes that the backend announces.
  package init() {}

  /// Checks the sizes of one mutation.
  ///
  /// - Throws: `quota` when the key or the value exceeds its limit.
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

  /// Checks the size of a suite after a write.
  ///
  /// - Throws: `quota` when the suite has grown beyond its limit.
  package func check(bytes: Int, grownBy growth: Int, in suite: SuiteID) throws(GroupStoreError) {
    guard growth > 0, bytes > maxSuiteBytes else { return }
    throw .quota(
      "The suite \(suite.name) would have \(bytes) bytes; it may have \(maxSuiteBytes).", limit: maxSuiteBytes)
  }
}
