extension String {
  /// The text without what no form of a text may hold: control characters other than tabs and line ends become U+FFFD,
  /// and line ends line feeds.
  var cleaned: String {
    if !utf8.contains(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F }) { return self }
    var kept = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in unicodeScalars {
      switch scalar {
      case "\n" where isAfterReturn: break
      case "\n", "\r": kept.append("\n")
      case "\t": kept.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: kept.append("\u{FFFD}")
      default: kept.append(scalar)
      }
      isAfterReturn = scalar == "\r"
    }
    return String(kept)
  }

  /// The line of a place, from 1.
  static func line(of offset: Int, in bytes: some Collection<UInt8>) -> Int {
    1 + bytes.prefix(offset).count { $0 == 0x0A }
  }
}
