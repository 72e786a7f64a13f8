/// Escapes for texts of other languages, scalar by scalar: a combining mark after a quote makes the two one `Character`,
/// and whoever reads the text sees the quote all the same.
extension String {
  /// The text with each of a scalar twice, as SQL has its quotes.
  package func doubling(_ scalar: Unicode.Scalar) -> String {
    // Looking first is much faster than writing anew, and a quote is rare.
    unicodeScalars.contains(scalar) ? escaping(scalar, with: scalar) : self
  }

  /// The text between two of a scalar, and each of it inside twice, as SQL writes names and literals.
  package func quoted(_ quote: Unicode.Scalar) -> String { "\(quote)\(doubling(quote))\(quote)" }

  /// The text with an escape before each of some scalars, of which it may be one itself.
  package func escaping(_ scalars: Unicode.Scalar..., with escape: Unicode.Scalar) -> String {
    var escaped = UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalars.contains(scalar) { escaped.append(escape) }
      escaped.append(scalar)
    }
    return String(escaped)
  }
}
