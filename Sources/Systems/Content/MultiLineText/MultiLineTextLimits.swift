/// What a text may ask for at most: whoever wrote it may mean harm.
package struct MultiLineTextLimits: Sendable, Hashable {
  /// The length of the source, in bytes of UTF-8.
  package var size: Int
  /// How deep blocks may be nested, at most ``deepest``. Everything that recurses counts against it.
  package var depth: Int { didSet { depth = min(depth, Self.deepest) } }
  /// The number of nodes of the tree.
  package var nodes: Int

  /// What a small stack holds, in debug builds too.
  package static let deepest = 100

  /// Limits that no text that somebody wrote for readers comes near to.
  package init(size: Int = 256 << 10, depth: Int = 50, nodes: Int = 50_000) {
    self.size = min(size, 16 << 20)
    self.depth = min(depth, Self.deepest)
    self.nodes = nodes
  }
}
