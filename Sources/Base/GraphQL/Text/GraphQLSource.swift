/// A text of GraphQL with the name that errors give it: a path, or what it is, such as `query`.
package struct GraphQLSource: Sendable, Hashable {
  /// The name of the text in error messages.
  package let name: String
  /// The text in UTF-8.
  package let bytes: [UInt8]

  /// Creates a source from a string.
  package init(_ text: String, name: String = "GraphQL") { self.init(bytes: Array(text.utf8), name: name) }

  /// - Parameter bytes: UTF-8; what is no UTF-8 is an error of the parser.
  package init(bytes: [UInt8], name: String = "GraphQL") {
    self.bytes = bytes
    self.name = name
  }

  /// The line and the column of a byte. Columns count characters; a byte order mark at the beginning counts for none.
  package func location(of offset: Int) -> SourceLocation { LineTable(self).location(of: offset) }
}

/// A place in a source, for people: line and column begin at 1.
package struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
  /// The name of the source.
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1.
  package let column: Int

  /// Creates a location; line and column begin at 1.
  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The place as `file:line:column`.
  package var description: String { "\(file):\(line):\(column)" }
}

/// The position of a node: the index of its source and a byte offset in it. Two nodes of the same kind in one document
/// have different positions.
package struct SourcePosition: Sendable, Hashable, Comparable {
  /// The index of the source in the document.
  package let source: UInt32
  /// The offset in bytes from the beginning of the source.
  package let offset: UInt32

  /// The position of a node that was not read from a source.
  package static let none = SourcePosition(source: .max, offset: 0)

  /// Whether the left position comes first: in an earlier source, or earlier in the same one.
  package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.source, left.offset) < (right.source, right.offset)
  }
}

extension [GraphQLSource] {
  /// Returns the place of a node, or nil for a node that was not read from a source.
  package func location(of position: SourcePosition) -> SourceLocation? {
    indices.contains(Int(position.source)) ? self[Int(position.source)].location(of: Int(position.offset)) : nil
  }
}
