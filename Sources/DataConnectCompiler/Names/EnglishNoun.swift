/// The singular and the plural of the noun that a name in camel case ends with.
enum EnglishNoun {
  private static let irregular: [(singular: String, plural: String)] = [
    ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"), ("mouse", "mice"),
    ("foot", "feet"), ("tooth", "teeth"), ("goose", "geese"), ("ox", "oxen"), ("leaf", "leaves"), ("life", "lives"),
    ("wife", "wives"), ("knife", "knives"), ("half", "halves"), ("shelf", "shelves"), ("self", "selves"),
    ("quiz", "quizzes"), ("hero", "heroes"), ("potato", "potatoes"), ("tomato", "tomatoes"), ("echo", "echoes"),
    ("analysis", "analyses"), ("basis", "bases"), ("crisis", "crises"), ("diagnosis", "diagnoses"),
    ("movie", "movies"), ("cookie", "cookies"), ("house", "houses"), ("cache", "caches"),
  ]
  private static let unchanging: Set = [
    "series", "species", "sheep", "fish", "deer", "news", "information", "equipment", "money", "rice",
  ]

  static func plural(_ name: String) -> String {
    let plural = change(name) { word in
      if unchanging.contains(word) || irregular.contains(where: { $0.plural == word }) { return word }
      if let found = irregular.first(where: { $0.singular == word }) { return found.plural }
      if word != singularWord(word) { return word }
      if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
        return word.dropLast() + "ies"
      }
      return endsInSibilant(word) ? word + "es" : word + "s"
    }
    return plural ?? name + "s"
  }

  static func singular(_ name: String) -> String { change(name, singularWord) ?? name }

  private static func singularWord(_ word: String) -> String {
    if unchanging.contains(word) || irregular.contains(where: { $0.singular == word }) { return word }
    if let found = irregular.first(where: { $0.plural == word }) { return found.singular }
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    if word.hasSuffix("es"), word.count > 3, endsInSibilant(String(word.dropLast(2))) {
      let stem = String(word.dropLast(2))
      return stem.hasSuffix("s") && !stem.hasSuffix("ss") && !stem.hasSuffix("us") ? String(word.dropLast()) : stem
    }
    let isSingular = ["ss", "us", "is", "as", "os"].contains { word.hasSuffix($0) } || word.count < 3
    return word.hasSuffix("s") && !isSingular ? String(word.dropLast()) : word
  }

  private static func endsInSibilant(_ word: String) -> Bool {
    ["s", "x", "z", "ch", "sh"].contains { word.hasSuffix($0) }
  }

  /// Changes the last word, in lower case, and puts it back with the letters that it began with; `nil` where the name
  /// does not end with a word.
  private static func change(_ name: String, _ change: (String) -> String) -> String? {
    let start = name.lastIndex { $0.isUppercase || $0 == "_" || $0.isNumber } ?? name.startIndex
    let word = name[start...]
    guard let first = word.first, word.allSatisfy(\.isLetter) else { return nil }
    let changed = change(word.lowercased())
    let beginning = first.isUppercase ? changed.prefix(1).uppercased() : String(changed.prefix(1))
    return name[..<start] + beginning + changed.dropFirst()
  }
}
