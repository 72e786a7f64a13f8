/// Why bytes are not a property list.
package struct PropertyListError: Error, Sendable, Hashable {
  /// One sentence.
  package let message: String
  /// The line in the file, from 1, where that has a meaning.
  package let line: Int?
  /// Where in the property list.
  package let keyPath: PropertyListKeyPath

  /// - Parameters:
  ///   - message: one sentence.
  ///   - line: from 1; `nil` where lines have no meaning.
  ///   - keyPath: the value at fault.
  package init(_ message: String, line: Int? = nil, keyPath: PropertyListKeyPath = .root) {
    self.message = message
    self.line = line
    self.keyPath = keyPath
  }
}
