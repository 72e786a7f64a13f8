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

/// The name of a suite, which is an app group's identifier.
package struct SuiteID: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String
  package init(_ name: String) { self.name = name }
  package init(stringLiteral name: String) { self.name = name }
}

/// Which store this is: chosen at random when its file is made. One that was set aside and begun anew has another.
package struct StoreID: Hashable, Sendable {
  package let text: String
  package init(_ text: String) { self.text = text }
}
