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
}
