/// The characters that the user's locale has, as far as the tool's own words need them: Unicode's, or ASCII alone.
package enum LocaleCharacters {
  /// Whether the environment names a locale of UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty
  /// decides (POSIX, "Environment Variables", 8.2). Without any of them the locale is `C`, which has ASCII alone.
  package static func areUnicode(_ environment: [String: String]) -> Bool {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let codes = name.lowercased().filter { $0.isLetter || $0.isNumber }
    return codes.contains("utf8")
  }

  /// The text with the tool's quotation marks, dashes, arrows and dots in ASCII. Every line keeps its width where it can:
  /// a mark of something left out, right behind a letter, takes the place of two letters. Characters of names and of other
  /// foreign texts stay.
  package static func ascii(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var plain: [Character] = []
    for character in text {
      switch character {
      case "“", "”": plain.append("\"")
      case "‘", "’": plain.append("'")
      case "–", "—": plain.append("-")
      case "→": plain.append(">")
      case "←": plain.append("<")
      case "×": plain.append("x")
      case "•", "·": plain.append("*")
      case "µ": plain.append("u")
      case "\u{A0}": plain.append(" ")
      case "…":
        let letters = plain.suffix(2).count { $0.isLetter || $0.isNumber || $0 == "." }
        if letters == 2 { plain.removeLast(2) }
        plain += "..."
      default: plain.append(character)
      }
    }
    return String(plain)
  }
}
