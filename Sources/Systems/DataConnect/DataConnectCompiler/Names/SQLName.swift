/// The names that a database has for what a schema names in camel case.
enum SQLName {
  /// `MovieMetadata` is `movie_metadata`, `imageURL` is `image_url`.
  static func snake(_ name: String) -> String {
    let letters = Array(name)
    var result = ""
    for (index, letter) in letters.enumerated() {
      if letter.isUppercase, index > 0, letters[index - 1] != "_" {
        let follows = letters[index - 1].isLowercase || letters[index - 1].isNumber
        let begins = index + 1 < letters.count && letters[index + 1].isLowercase
        if follows || begins { result += "_" }
      }
      result += letter.lowercased()
    }
    return result
  }
}

extension String {
  /// With its first letter in lower case.
  var loweringFirst: String { prefix(1).lowercased() + dropFirst() }
  /// With its first letter in upper case.
  var raisingFirst: String { prefix(1).uppercased() + dropFirst() }
  /// Whether this name sorts before another by its bytes.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension Sequence {
  /// Sorted by the bytes of a name, in the same order on every machine.
  func sorted(byName name: (Element) -> String) -> [Element] { sorted { name($0).precedes(name($1)) } }
}
