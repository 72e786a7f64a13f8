/// A text that may be shown: no part of it steers a terminal or reorders the text, and each foreign part has a limited
/// length.
///
/// It is the only way from a foreign text to an output: the console takes no other type. Literals are the tool's own
/// words. Every interpolated value is treated as foreign: it is escaped (see
/// ``Swift/StringProtocol/escapedForTerminal``) and cut, unless it is a `ShownText` already:
///
/// ```swift
/// console.print("\(extension.displayName): \(error.message)")
/// ```
package struct ShownText: Sendable, Hashable {
  /// The bytes that are kept of one foreign piece. Titles, names and sentences are shorter by far.
  package static let limit = 2000

  private let text: String

  /// Creates a text from the tool's own words, unescaped: a page of help, for example. Never for a text from elsewhere.
  package init(verbatim text: String) { self.text = text }

  /// A foreign text on one line, escaped and cut.
  package init(_ foreign: some StringProtocol) { text = Self.cut(foreign).escapedForTerminal }

  /// Creates a text from a foreign one, on one line, escaped and not cut: for a value that the user asked to see whole.
  package init(whole foreign: some StringProtocol) { text = foreign.escapedForTerminal }

  /// A foreign text of several lines, escaped but for line feeds and tabs, and not cut: what the user asked for.
  package init(lines foreign: some StringProtocol) { text = foreign.escapedForTerminalKeepingLines }

  /// Creates a text from a JSON document, or one document a line, with characters that steer a terminal written as
  /// `\uXXXX`. A reader of the JSON gets the same values.
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
  /// The text itself.
  package var description: String { text }
}

extension ShownText: ExpressibleByStringInterpolation {
  /// Creates a text from a literal in the source code, unchanged.
  package init(stringLiteral text: String) { self.text = text }
  /// Creates a text from a literal whose interpolations were escaped.
  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Puts literals and pieces together.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Reserves room for the text.
    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// Appends a literal part from the source code, unchanged.
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

  /// The text with the tool's own marks in ASCII; see ``LocaleCharacters/ascii(_:)``.
  var inASCII: ShownText { ShownText(verbatim: LocaleCharacters.ascii(description)) }

  /// The number of terminal columns that it takes.
  package var width: Int { displayWidth(of: text) }
}
