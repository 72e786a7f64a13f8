/// The plural of the noun that a name in camel case ends with.
enum EnglishNoun {
  private static let irregular = [
    "person": "people", "child": "children", "man": "men", "woman": "women", "mouse": "mice", "foot": "feet",
    "tooth": "teeth", "goose": "geese", "ox": "oxen", "leaf": "leaves", "quiz": "quizzes", "hero": "heroes",
    "potato": "potatoes", "tomato": "tomatoes", "echo": "echoes", "index": "indices", "vertex": "vertices",
    "matrix": "matrices", "axis": "axes", "gas": "gases", "alias": "aliases",
  ]
  private static let unchanging: Set = [
    "series", "species", "sheep", "fish", "deer", "news", "information", "equipment", "money", "rice", "data",
    "metadata", "media",
  ]

  /// A plural that differs from the name: where English has the same word, or the name is a plural already, an "s" is
  /// added all the same, so that one row and several do not have the same name.
  static func plural(_ name: String) -> String {
    let start = name.lastIndex { $0.isUppercase || $0 == "_" || $0.isNumber } ?? name.startIndex
    let word = name[start...]
    guard let first = word.first, word.allSatisfy(\.isLetter) else { return name + "s" }
    let changed = plural(ofWord: word.lowercased())
    let beginning = first.isUppercase ? changed.prefix(1).uppercased() : String(changed.prefix(1))
    let plural = name[..<start] + beginning + changed.dropFirst()
    return plural == name ? name + "s" : String(plural)
  }

  private static func plural(ofWord word: String) -> String {
    if let plural = irregular[word] { return plural }
    if unchanging.contains(word) { return word }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    if word.hasSuffix("sis") { return word.dropLast(2) + "es" }
    if word.hasSuffix("fe"), !word.hasSuffix("ffe") { return word.dropLast(2) + "ves" }
    if word.hasSuffix("lf") || word.hasSuffix("rf") { return word.dropLast() + "ves" }
    if ["ss", "us", "x", "z", "ch", "sh"].contains(where: { word.hasSuffix($0) }) { return word + "es" }
    return word.hasSuffix("s") ? word : word + "s"
  }
}
