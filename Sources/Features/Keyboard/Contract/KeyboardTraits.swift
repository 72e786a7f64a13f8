/// What a text field wants of a keyboard (`UITextInputTraits`), in Apple's numbers on the wire.
public struct KeyboardTraits: Codable, Sendable, Equatable {
  /// `UIKeyboardType`
  public enum KeyboardType: Int, Codable, Sendable, CaseIterable {
    case `default`, asciiCapable, numbersAndPunctuation, url, numberPad, phonePad, namePhonePad, emailAddress,
      decimalPad
    case twitter, webSearch, asciiCapableNumberPad
  }

  /// `UITextAutocapitalizationType`
  public enum Autocapitalization: Int, Codable, Sendable, CaseIterable {
    case none, words, sentences, allCharacters
  }

  /// `UITextAutocorrectionType` and its like.
  public enum Switch: Int, Codable, Sendable, CaseIterable {
    case `default`, no, yes
  }

  /// `UIReturnKeyType`
  public enum ReturnKey: Int, Codable, Sendable, CaseIterable {
    case `default`, go, google, join, next, route, search, send, yahoo, done, emergencyCall, `continue`
  }

  /// `UIKeyboardAppearance`
  public enum Appearance: Int, Codable, Sendable, CaseIterable {
    case `default`, dark, light
  }

  public var keyboardType = KeyboardType.default
  public var autocapitalization = Autocapitalization.sentences
  public var autocorrection = Switch.default
  public var spellChecking = Switch.default
  public var smartQuotes = Switch.default
  public var smartDashes = Switch.default
  public var smartInsertDelete = Switch.default
  public var returnKey = ReturnKey.default
  public var appearance = Appearance.default
  public var isSecureTextEntry = false

  public init() {}
}
