/// A value and the revision of its suite at which it was written, read together.
package struct Versioned: Sendable, Equatable {
  package var bytes: [UInt8]
  package var revision: Int64

  package init(bytes: [UInt8], revision: Int64) {
    self.bytes = bytes
    self.revision = revision
  }
}

/// Every key of a suite as of one moment.
package struct SuiteState: Sendable, Equatable {
  /// 0 for a suite that nobody has written.
  package var revision: Int64
  package var entries: [String: Versioned]

  package init(revision: Int64 = 0, entries: [String: Versioned] = [:]) {
    self.revision = revision
    self.entries = entries
  }
}
