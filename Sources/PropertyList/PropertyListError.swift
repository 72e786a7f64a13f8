/// Why bytes are not a property list.
package struct PropertyListError: Error, Sendable, Hashable {
  /// One sentence.
  package let message: String
  /// The line in the file, from 1, where that has a meaning.
  package let line: Int?
  /// Where in the property list.
  package let keyPath: PropertyListKeyPath

  package init(_ message: String, line: Int? = nil, keyPath: PropertyListKeyPath = .root) {
    self.message = message
    self.line = line
    self.keyPath = keyPath
  }
}

/// Bounds that keep a foreign property list from costing much.
package struct PropertyListLimits: Sendable, Hashable {
  /// Bytes of the file.
  package var size: Int
  /// Levels of arrays and dictionaries inside one another.
  package var depth: Int
  /// Values in total, counted where they are used.
  package var values: Int

  /// The bounds for manifests: 256 KiB, 32 levels, 50,000 values.
  package static let manifest = PropertyListLimits(size: 256 * 1024, depth: 32, values: 50_000)

  package init(size: Int, depth: Int, values: Int) {
    self.size = size
    self.depth = depth
    self.values = values
  }
}
