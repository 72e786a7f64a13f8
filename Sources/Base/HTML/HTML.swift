/// A piece of mark-up in which every text that came from elsewhere is escaped.
///
/// Literals are mark-up; what is interpolated into them is text, unless it is mark-up itself:
///
/// ```swift
/// let name = "<b>"                                   // shown as it is
/// let page: HTML = "<p title=\"\(name)\">\(name)</p>"
/// ```
///
/// Interpolate into the content of elements and into attributes in double quotation marks, and nowhere else: no text is
/// safe in a script, in a style, or in an attribute that is a URL.
package struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// The mark-up.
  package let text: String

  /// Creates mark-up from a literal, which is taken as it is.
  package init(stringLiteral text: String) { self.text = text }

  /// Creates mark-up from a literal and what is interpolated into it.
  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  fileprivate init(text: String) { self.text = text }

  /// Nothing.
  package static let empty: HTML = ""

  /// The number of bytes of the mark-up.
  package var count: Int { text.utf8.count }

  /// Concatenates two pieces of mark-up.
  package static func + (one: HTML, other: HTML) -> HTML { HTML(text: one.text + other.text) }

  /// Appends mark-up.
  package static func += (one: inout HTML, other: HTML) { one = one + other }

  /// What literals and interpolations are put together in.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Reserves room for a literal.
    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 32 * interpolationCount)
    }

    /// Appends mark-up.
    package mutating func appendLiteral(_ literal: String) { text += literal }
    /// Appends mark-up.
    package mutating func appendInterpolation(_ html: HTML) { text += html.text }
    /// Appends pieces of mark-up, one after the other.
    package mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }
    /// Appends a number.
    package mutating func appendInterpolation(_ number: some BinaryInteger) { text += "\(number)" }
    /// Appends a text, escaped.
    package mutating func appendInterpolation(_ text: some StringProtocol) { self.text += HTMLText.escaped(text) }

    /// Appends a text of somebody else to the content of an element: escaped, cut, and in an element of its own whose
    /// direction of writing does not change that of what surrounds it.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - most: the most Unicode scalars of it; a mark shows that there were more.
    package mutating func appendInterpolation(foreign text: some StringProtocol, most: Int = 300) {
      self.text += "<bdi>\(HTMLText.escaped(HTMLText.cut(text, most)))</bdi>"
    }

    /// Appends nothing, or mark-up.
    package mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
  }
}

extension [HTML] {
  /// All of them, one after the other.
  package func joined(separator: HTML = "") -> HTML {
    HTML(text: map(\.text).joined(separator: separator.text))
  }
}
