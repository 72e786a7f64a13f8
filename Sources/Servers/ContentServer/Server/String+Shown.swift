extension String {
  /// A peer's text inside of a message: cut, and without what a terminal or a page would obey.
  var shortForPeople: String {
    var shown = ""
    for (count, scalar) in unicodeScalars.enumerated() {
      if count == 80 { return shown + "…" }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: shown += "\u{FFFD}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
