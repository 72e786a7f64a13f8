/// Letters with accents, by an accent's key and the letter's.
enum Accents {
  private static let marks: [Character: Unicode.Scalar] = [
    "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "\"": "\u{308}", "~": "\u{303}",
  ]
  private static let letters: [Character: String] = [
    "'": "aeiouyAEIOUY", "`": "aeiouAEIOU", "^": "aeiouAEIOU", "\"": "aeiouyAEIOU", "~": "anoANO",
  ]

  /// - Returns: the letter with the accent, or `nil` when the two do not belong together.
  static func compose(_ accent: Character, _ key: String) -> String? {
    guard let mark = marks[accent], let letter = key.first, key.count == 1, letters[accent]?.contains(letter) == true
    else { return nil }
    return precomposed[String(letter) + String(mark)] ?? String(letter) + String(mark)
  }

  private static let precomposed: [String: String] = {
    var table: [String: String] = [:]
    // Latin-1 has nearly all of them as one code point, which other programs read more easily.
    for value: UInt32 in 0xC0...0xFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for letter in "aeiouynAEIOUYN" {
        for mark in marks.values where "\(letter)\(mark)" == String(scalar) {
          table["\(letter)\(mark)"] = String(scalar)
        }
      }
    }
    return table
  }()
}
