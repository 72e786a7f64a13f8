/// A value of a property list that remembers where in the file it stood.
package struct PropertyListNode: Sendable, Hashable {
  /// What a node holds.
  package enum Content: Sendable, Hashable {
    /// A value that is neither an array nor a dictionary.
    case scalar(PropertyListValue)
    case array([PropertyListNode])
    /// In the order of the file; each key once.
    case dictionary([Entry])
  }

  /// A key with its value.
  package struct Entry: Sendable, Hashable {
    /// The key.
    package let key: String
    /// Its value.
    package let node: PropertyListNode

    /// Creates an entry.
    package init(_ key: String, _ node: PropertyListNode) {
      self.key = key
      self.node = node
    }
  }

  /// The line in the file, from 1; `nil` where lines have no meaning (a binary property list).
  package let line: Int?
  /// What the node holds.
  package let content: Content

  /// Creates a node; `line` is `nil` when the value is not from a file.
  package init(_ content: Content, line: Int?) {
    self.content = content
    self.line = line
  }

  /// The nodes of a value that came from no file.
  package init(_ value: PropertyListValue) {
    line = nil
    switch value {
    case .array(let elements): content = .array(elements.map { PropertyListNode($0) })
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key < $1.key }
      content = .dictionary(sorted.map { Entry($0.key, PropertyListNode($0.value)) })
    default: content = .scalar(value)
    }
  }

  /// The value without lines.
  package var value: PropertyListValue {
    switch content {
    case .scalar(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .dictionary(let entries):
      .dictionary(Dictionary(entries.map { ($0.key, $0.node.value) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The node under a key of a dictionary.
  package subscript(_ key: String) -> PropertyListNode? {
    guard case .dictionary(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.node
  }

  /// The node at a key path below this one.
  package func node(at path: PropertyListKeyPath) -> PropertyListNode? {
    path.components.reduce(self) { node, component in node?.child(component) }
  }

  /// The line of the node at a key path, or of the nearest one above it that exists.
  package func line(nearest path: PropertyListKeyPath) -> Int? {
    var node = self
    for component in path.components {
      guard let child = node.child(component) else { break }
      node = child
    }
    return node.line
  }

  private func child(_ component: PropertyListKeyPath.Component) -> PropertyListNode? {
    switch (component, content) {
    case (.key(let key), .dictionary(let entries)): entries.first { $0.key == key }?.node
    case (.index(let index), .array(let elements)): elements.indices.contains(index) ? elements[index] : nil
    default: nil
    }
  }
}
