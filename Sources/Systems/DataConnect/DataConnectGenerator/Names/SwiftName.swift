/// Names of a schema as Swift writes them.
package enum SwiftName {
  /// The words that Swift takes for itself where a name may stand, in a declaration or in an expression.
  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "any", "as", "associatedtype", "async", "await", "borrow", "break", "case",
    "catch", "class", "consume", "continue", "copy", "default", "defer", "deinit", "discard", "do", "each", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "macro", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super", "switch", "then", "throw",
    "throws", "true", "try", "typealias", "unsafe", "var", "where", "while", "yield", "_",
  ]

  /// Returns a name for a member or a parameter, in back quotes if it is a keyword.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A name for a label where something is called: the compiler warns of back quotes that need not be.
  static func label(_ name: String) -> String { ["inout", "_"].contains(name) ? "`\(name)`" : name }

  /// Returns the name of a member, without back quotes: a parameter `self` would hide the object itself, and properties
  /// `CodingKeys` or `RawValue` what the type is coded with.
  static func member(_ name: String) -> String {
    ["self", "Self", "CodingKeys", "RawValue"].contains(name) ? "\(name)_" : name
  }

  /// Whether a type must not be called so.
  static func isKeyword(_ name: String) -> Bool { keywords.contains(name) }

  static func upperFirst(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
  static func lowerFirst(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

  /// `FriendlyFlix` of `friendly-flix`.
  static func pascalCase(_ name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let joined = words.map { upperFirst(String($0)) }.joined()
    return joined.first?.isNumber ?? true ? "_\(joined)" : joined
  }

  /// A text between quotes.
  /// A text as a literal of Swift.
  package static func literal(_ text: String) -> String {
    var literal = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control || scalar.value == 0x2028 || scalar.value == 0x2029:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return "\"\(literal)\""
  }
}

/// The names of one scope, each given once.
struct NameScope {
  private var taken: Set<String>

  init(_ taken: Set<String> = []) { self.taken = taken }

  func has(_ name: String) -> Bool { taken.contains(name) }

  /// The first of these that nothing has, else the last one with a number behind it.
  mutating func take(_ names: String...) -> String {
    for name in names where !taken.contains(name) {
      taken.insert(name)
      return name
    }
    let name = names.last ?? "_"
    var number = 2
    while taken.contains("\(name)\(number)") { number += 1 }
    taken.insert("\(name)\(number)")
    return "\(name)\(number)"
  }
}
