/// Text that may be shown: nothing in it steers a terminal or reorders what is read, and no piece of it is endless.
///
/// This is the one way from a foreign text to an output, and the console takes nothing else. Literals are the tool's own
/// words. Whatever is interpolated is taken for foreign, escaped (see ``Swift/StringProtocol/escapedForTerminal``) and
/// cut, unless it is such a text already:
///
/// ```swift
/// console.print("\(extension.displayName): \(error.message)")
/// ```
package struct ShownText: Sendable, Hashable {
  /// The bytes that are kept of one foreign piece. Titles, names and sentences are shorter by far.
  package static let limit = 2000

  private let text: String

  /// The tool's own text as it is, for example a page of help. Never for what came from anywhere else.
  package init(verbatim text: String) { self.text = text }

  /// A foreign text on one line, escaped and cut.
  package init(_ foreign: some StringProtocol) { text = Self.cut(foreign).escapedForTerminal }

  /// A foreign text on one line, escaped and not cut: what the user asked for, and not what is told about it.
  package init(whole foreign: some StringProtocol) { text = foreign.escapedForTerminal }

  /// A foreign text of several lines, escaped but for line feeds and tabs, and not cut: what the user asked for.
  package init(lines foreign: some StringProtocol) { text = foreign.escapedForTerminalKeepingLines }

  /// JSON, of one value or of one on each line, with the characters that steer a terminal written as `\uXXXX`: the same
  /// values for whoever reads them.
  package init(json document: String) { text = document.escapedInJSON }

  /// The beginning of a text that is too long, in whole Unicode scalars, and how much is missing.
  private static func cut(_ text: some StringProtocol) -> String {
    let count = text.utf8.count
    guard count > limit else { return String(text) }
    var kept = 0
    let end = text.unicodeScalars.firstIndex { scalar in
      kept += UTF8.width(scalar)
      return kept > limit
    }
    let beginning = String(text[..<(end ?? text.endIndex)])
    return "\(beginning)… (\(count - beginning.utf8.count) bytes left out)"
  }
}

extension ShownText: CustomStringConvertible {
  /// The text.
  package var description: String { text }
}

extension ShownText: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.text = text }
  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Puts literals and pieces together.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    /// A piece that may be shown already.
    package mutating func appendInterpolation(_ shown: ShownText) { text += shown.text }

    /// Anything else is foreign.
    package mutating func appendInterpolation(_ foreign: some CustomStringConvertible) {
      text += ShownText(foreign.description).text
    }

    /// So is what an error says.
    package mutating func appendInterpolation(_ error: any Error) { text += ShownText("\(error)" as String).text }
  }
}

extension Sequence<ShownText> {
  /// The texts one after the other, with the separator between them.
  package func joined(separator: ShownText = "") -> ShownText {
    ShownText(verbatim: map(\.description).joined(separator: separator.description))
  }
}

extension ShownText {
  /// One after the other.
  package static func + (first: ShownText, second: ShownText) -> ShownText { "\(first)\(second)" }

  /// The number of terminal columns that it takes.
  package var width: Int { displayWidth(of: text) }
}
