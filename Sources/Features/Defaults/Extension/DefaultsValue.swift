import PropertyList

/// The typed reading of a stored value, with the conversions of `UserDefaults`
/// (Foundation's NSUserDefaults.h): what is missing or does not fit is 0, `false` or `nil`.
enum DefaultsValue {
  /// A number, a numeric text, or a bool as 1 or 0.
  static func integer(_ value: PropertyListValue?) -> Int {
    switch value {
    case .integer(let value): Int(value)
    case .real(let value): Int(exactly: value.rounded(.towardZero)) ?? 0
    case .bool(let value): value ? 1 : 0
    case .string(let text): Int(text) ?? 0
    default: 0
    }
  }

  /// A number or a numeric text.
  static func double(_ value: PropertyListValue?) -> Double {
    switch value {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .string(let text): Double(text) ?? 0
    default: 0
    }
  }

  /// A bool, a number that is not 0, or the texts `YES` and `1`.
  static func bool(_ value: PropertyListValue?) -> Bool {
    switch value {
    case .bool(let value): value
    case .integer(let value): value != 0
    case .real(let value): value != 0
    case .string(let text): text == "1" || text.uppercased() == "YES"
    default: false
    }
  }

  /// A text, or a number as text.
  static func string(_ value: PropertyListValue?) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let value): String(value)
    case .real(let value): String(value)
    default: nil
    }
  }

  /// An array of texts; of anything else among them, `nil`.
  static func stringArray(_ value: PropertyListValue?) -> [String]? {
    guard let elements = value?.arrayValue else { return nil }
    let texts = elements.compactMap(\.stringValue)
    return texts.count == elements.count ? texts : nil
  }
}

extension DefaultsValue {
  /// A URL as text: a text with a scheme, or the `file:` URL of an absolute path.
  static func url(_ value: PropertyListValue?) -> String? {
    guard case .string(let text)? = value else { return nil }
    if text.hasPrefix("/") { return "file://" + escaped(text) }
    let scheme = text.prefix { $0 != ":" }
    let isScheme =
      scheme.count < text.count && scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isScheme ? text : nil
  }

  /// A path with every byte escaped that a URL does not hold (RFC 3986, section 3.3).
  private static func escaped(_ path: String) -> String {
    let allowed = Set("/-._~!$&'()*+,;=:@".utf8)
    return path.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = byte < 128 && (character.isLetter || character.isNumber) || allowed.contains(byte)
      let hex = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(character) : "%" + (hex.count == 1 ? "0" : "") + hex
    }.joined()
  }
}
