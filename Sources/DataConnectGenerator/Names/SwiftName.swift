/// Names of a schema as Swift writes them.
enum SwiftName {
  /// The words that Swift takes for itself wherever a name may stand.
  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "any", "as", "associatedtype", "async", "await", "borrowing", "break",
    "case", "catch", "class", "consuming", "continue", "default", "defer", "deinit", "do", "dynamic", "each", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "final", "for", "func", "get", "guard", "if", "import",
    "in", "indirect", "infix", "init", "inout", "internal", "is", "isolated", "lazy", "left", "let", "macro",
    "mutating",
    "nil", "none", "nonisolated", "nonmutating", "open", "operator", "optional", "override", "package", "postfix",
    "precedencegroup", "prefix", "private", "protocol", "public", "repeat", "required", "rethrows", "return", "right",
    "self", "sending", "set", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try",
    "typealias", "unowned", "var", "weak", "where", "while", "willSet", "didSet", "yield", "_",
  ]
  /// Of these, those that need no quotes where a member is declared or a parameter named.
  private static let contextual: Set<String> = [
    "actor", "any", "async", "await", "borrowing", "consuming", "didSet", "dynamic", "each", "final", "get", "indirect",
    "infix", "isolated", "lazy", "left", "macro", "mutating", "none", "nonisolated", "nonmutating", "open", "optional",
    "override", "package", "postfix", "prefix", "required", "right", "sending", "set", "some", "unowned", "weak",
    "willSet", "yield",
  ]

  /// A name for a member, in back quotes where it is a keyword.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) && !contextual.contains(name) ? "`\(name)`" : name
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
  static func literal(_ text: String) -> String {
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
