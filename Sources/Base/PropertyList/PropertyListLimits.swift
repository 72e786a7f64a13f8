/// Bounds that keep a foreign property list from costing much: what is read, and what is made of it.
package struct PropertyListLimits: Sendable, Hashable {
  /// Bytes of the file.
  package var size: Int
  /// Levels of arrays and dictionaries inside one another.
  package var depth: Int
  /// Values in total, counted where they are used.
  package var values: Int
  /// Bytes of strings, keys and data in total, counted where they are used: in the binary form a small file can use one
  /// long string many times.
  package var content: Int

  /// The bounds for manifests: 256 KiB, 32 levels, 50,000 values, 1 MiB of strings and data.
  package static let manifest = PropertyListLimits(size: 256 * 1024, depth: 32, values: 50_000)

  /// - Parameters:
  ///   - size: bytes of the file.
  ///   - depth: levels of arrays and dictionaries.
  ///   - values: values in total.
  ///   - content: bytes of strings, keys and data; four times the size when absent.
  package init(size: Int, depth: Int, values: Int, content: Int? = nil) {
    self.size = size
    self.depth = depth
    self.values = values
    self.content = content ?? size * 4
  }
}
