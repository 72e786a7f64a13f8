/// What is wrong with a YAML file.
package struct YAMLError: Error, Sendable, Hashable {
  /// What is wrong, as one sentence.
  package let message: String
  /// What to do about it, as one sentence.
  package let recovery: String
  /// Where the fault is.
  package let place: YAMLPlace

  init(_ message: String, recovery: String, at place: YAMLPlace) {
    self.message = message
    self.recovery = recovery
    self.place = place
  }
}

/// What a YAML file may hold at most.
package struct YAMLLimits: Sendable {
  /// The length of the file in bytes.
  package var bytes: Int
  /// How deep values may be nested.
  package var depth: Int
  /// The number of values, those counted again that an alias repeats.
  package var values: Int
  /// How many errors are reported; the reading ends behind the last one.
  package var errors: Int

  /// Values are released by recursion, so depths stay small.
  package init(bytes: Int = 256 << 10, depth: Int = 32, values: Int = 20_000, errors: Int = 50) {
    self.bytes = bytes
    self.depth = min(depth, 200)
    self.values = values
    self.errors = max(1, errors)
  }
}
