/// The plural of a name in camel case, by the rules of the public package `pluralize`, version 8, which the public tools
/// follow. The rules look at the end of the whole name, and irregular words are whole names alone.
enum EnglishNoun {
  /// A plural that differs from the name: where English has the same word, or the name is a plural already, an "s" is
  /// added all the same, so that one row and several do not have the same name.
  static func plural(_ name: String) -> String {
    let plural = changed(name)
    return plural == name ? name + "s" : plural
  }

  private static func changed(_ name: String) -> String {
    let word = name.lowercased()
    if PluralRules.irregularPlurals.contains(word) { return inCase(of: name, word) }
    if let plural = PluralRules.irregular[word] { return inCase(of: name, plural) }
    if word.isEmpty || PluralRules.unchanging.contains(word) { return name }
    let letters = Array(word)
    for rule in PluralRules.rules {
      guard let match = rule.match(letters) else { continue }
      guard let replacement = rule.replacement else { return name }
      let stem = String(letters[(letters.count - match.length)..<(letters.count - match.ending)])
      let (kept, end) = (name.dropLast(match.length), String(name.suffix(match.length)))
      // What is added at the end has the case of the letter before it.
      let model = end.isEmpty ? String(name.suffix(1)) : end
      return kept + inCase(of: model, stem + replacement)
    }
    return name
  }

  /// A text in small letters as another one is written: small, in capitals, or with one capital.
  private static func inCase(of model: String, _ text: String) -> String {
    if model.lowercased() == text || model == model.lowercased() { return model.lowercased() == text ? model : text }
    if model == model.uppercased() { return text.uppercased() }
    return model.first?.isUppercase == true ? text.prefix(1).uppercased() + text.dropFirst() : text
  }
}

/// One rule: a stem that stays, an ending that goes, and what takes its place.
struct PluralRule: Sendable {
  /// A letter of a stem: one of these, or none of them.
  private struct Letter: Sendable {
    let letters: Set<Character>
    let isNegated: Bool
    func matches(_ letter: Character) -> Bool { letters.contains(letter) != isNegated }
  }

  private let stems: [[Letter]]
  private let endings: [[Character]]
  /// `nil` when the word is its own plural.
  let replacement: String?
  private let isWhole: Bool

  /// - Parameters:
  ///   - stems: words with spaces between them, in which `[ab]` is one of some letters and `[^ab]` any other; empty for
  ///     every word.
  ///   - endings: words with spaces between them; `-` is nothing.
  ///   - isWhole: whether nothing may stand before the stem.
  init(_ stems: String, _ endings: String, _ replacement: String?, isWhole: Bool = false) {
    self.stems = stems.isEmpty ? [[]] : stems.split(separator: " ").map(Self.letters)
    self.endings = endings.split(separator: " ").map { $0 == "-" ? [] : Array($0) }
    self.replacement = replacement
    self.isWhole = isWhole
  }

  private static func letters(_ stem: Substring) -> [Letter] {
    var (found, group): ([Letter], String?) = ([], nil)
    for letter in stem {
      switch letter {
      case "[": group = ""
      case "]":
        let text = group ?? ""
        found.append(Letter(letters: Set(text.filter { $0 != "^" }), isNegated: text.hasPrefix("^")))
        group = nil
      default:
        if group == nil { found.append(Letter(letters: [letter], isNegated: false)) } else { group?.append(letter) }
      }
    }
    return found
  }

  /// How many letters at the end of a word a stem and an ending make, and the ending alone; the longest match counts.
  func match(_ word: [Character]) -> (length: Int, ending: Int)? {
    var best: (length: Int, ending: Int)?
    for ending in endings where word.count >= ending.count && word.suffix(ending.count).elementsEqual(ending) {
      let rest = word.dropLast(ending.count)
      for stem in stems where rest.count >= stem.count {
        guard zip(rest.suffix(stem.count), stem).allSatisfy({ $1.matches($0) }) else { continue }
        let length = stem.count + ending.count
        if isWhole, length != word.count { continue }
        if best.map({ length > $0.length }) ?? true { best = (length, ending.count) }
      }
    }
    return best
  }
}
