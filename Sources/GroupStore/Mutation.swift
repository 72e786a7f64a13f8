/// One step of a write.
package enum Mutation: Sendable, Equatable {
  case set(String, [UInt8])
  /// A key that is not set is not an error.
  case remove(String)
  /// Removes every key of the suite.
  case removeAll
}

/// What must be so for a write to happen, checked in the transaction of the write.
package enum Condition: Sendable, Equatable {
  /// The key is not set.
  case absent(String)
  /// The key was last written at this revision.
  case revision(String, Int64)
}
