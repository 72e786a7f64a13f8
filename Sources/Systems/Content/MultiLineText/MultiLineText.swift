package import JSON
import Text

/// The multi-line text of a content fragment, as a tree that all of its forms are made from.
///
/// AEM delivers such a text as HTML, Markdown, plain text and JSON. This type reads each of them, and writes each from
/// the tree. It treats what it reads as hostile: it limits bytes, depth and nodes, removes unsafe addresses, and
/// removes scripts, styles and forms.
package struct MultiLineText: Sendable, Equatable {
  /// The blocks of the text, from the first to the last.
  package var nodes: [Node]

  /// Creates a text from the blocks of its tree.
  package init(nodes: [Node]) { self.nodes = nodes }

  /// A text that paragraphs are separated in by blank lines; other line ends stay as line breaks.
  ///
  /// - Parameter limits: what is beyond their size is cut off.
  package init(plaintext: String, limits: MultiLineTextLimits = MultiLineTextLimits()) {
    nodes = PlainTextReader.nodes(of: plaintext, limits: limits)
  }

  /// CommonMark with the tables, struck-through text and bare addresses of GitHub, and HTML in it.
  ///
  /// - Throws: what exceeds the limits.
  package init(
    markdown: String, limits: MultiLineTextLimits = MultiLineTextLimits()
  ) throws(MultiLineTextError) {
    nodes = try MarkdownReader.nodes(of: markdown, limits: limits)
  }

  /// HTML as it comes: what is not closed is closed, and what is not known gives its text.
  ///
  /// - Throws: what exceeds the limits.
  package init(html: String, limits: MultiLineTextLimits = MultiLineTextLimits()) throws(MultiLineTextError) {
    nodes = try HTMLReader.nodes(of: html, limits: limits)
  }

  /// The JSON form: an array of nodes, each an object with a `nodeType`. A type that is not known gives its text.
  ///
  /// - Throws: what exceeds the limits, and what is no such array, with its key path.
  package init(json: JSONValue, limits: MultiLineTextLimits = MultiLineTextLimits()) throws(MultiLineTextError) {
    nodes = try TreeReader.nodes(of: json, limits: limits)
  }

  /// The JSON form, as AEM's GraphQL gives it.
  package var json: JSONValue { .array(nodes.map(\.json)) }

  /// HTML that is safe to show: everything is escaped, and every address is one of ``SafeAddress``.
  package var html: String { HTMLWriter.text(of: nodes) }

  /// Markdown that reads back as the same tree, where Markdown can say it.
  package var markdown: String { MarkdownWriter.text(of: nodes) }

  /// The text alone: blank lines between blocks, items and rows on lines of their own.
  package var plaintext: String { PlainTextWriter.text(of: nodes) }

  /// The paths below `/content/` that the text links to or shows, in order, each once.
  package var references: [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for node in nodes { node.collectReferences(&found, &seen) }
    return found
  }
}

extension MultiLineText.Node {
  fileprivate func collectReferences(_ found: inout [String], _ seen: inout Set<String>) {
    if let address = target?.address, address.hasPrefix("/content/") {
      let path = String(address.withoutQuery)
      if seen.insert(path).inserted { found.append(path) }
    }
    for node in content { node.collectReferences(&found, &seen) }
  }
}

/// Limits of a text that is read, against hostile input.
package struct MultiLineTextLimits: Sendable, Hashable {
  /// The most bytes of the source, in UTF-8.
  package var size: Int
  /// The deepest nesting of blocks, at most ``deepest``. It bounds the recursion of every reader and writer.
  package var depth: Int { didSet { depth = min(depth, Self.deepest) } }
  /// The most nodes of the tree.
  package var nodes: Int

  /// The depth for which a small stack suffices, in debug builds too.
  package static let deepest = 100

  /// Creates limits; the defaults are far above those of a text for readers.
  package init(size: Int = 256 << 10, depth: Int = 50, nodes: Int = 50_000) {
    self.size = min(size, 16 << 20)
    self.depth = min(depth, Self.deepest)
    self.nodes = nodes
  }
}
