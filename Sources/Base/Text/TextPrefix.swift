extension StringProtocol {
  /// The beginning of the text, in whole Unicode scalars: at most this many bytes of UTF-8.
  package func prefix(utf8 limit: Int) -> String {
    guard utf8.count > limit else { return String(self) }
    var count = 0
    let end = unicodeScalars.firstIndex { scalar in
      count += UTF8.width(scalar)
      return count > limit
    }
    return String(self[..<(end ?? endIndex)])
  }

  /// The beginning of the text: at most this many Unicode scalars. A `Character` may have any number of marks.
  package func prefix(scalars limit: Int) -> String { String(Substring(Substring(self).unicodeScalars.prefix(limit))) }
}
