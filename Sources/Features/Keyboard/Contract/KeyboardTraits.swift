/// The keyboard traits of a text field (`UITextInputTraits`), with Apple's numbers on the wire.
public struct KeyboardTraits: Codable, Sendable, Equatable {
  /// `UIKeyboardType`
  public enum KeyboardType: Int, Codable, Sendable, CaseIterable {
    /// By Apple's numbers, from 0 to 8.
    case `default`, asciiCapable, numbersAndPunctuation, url, numberPad, phonePad, namePhonePad, emailAddress,
      decimalPad
    /// Apple's numbers 9 to 11.
    case twitter, webSearch, asciiCapableNumberPad
  }

  /// `UITextAutocapitalizationType`
  public enum Autocapitalization: Int, Codable, Sendable, CaseIterable {
    /// Apple's numbers 0 to 3: nothing, every word, every sentence, everything.
    case none, words, sentences, allCharacters
  }

  /// `UITextAutocorrectionType` and its like.
  public enum Switch: Int, Codable, Sendable, CaseIterable {
    /// Apple's numbers 0 to 2; the keyboard decides what `default` is.
    case `default`, no, yes
  }

  /// `UIReturnKeyType`
  public enum ReturnKey: Int, Codable, Sendable, CaseIterable {
    /// By Apple's numbers, from 0 to 11: what the return key says.
    case `default`, go, google, join, next, route, search, send, yahoo, done, emergencyCall, `continue`
  }

  /// `UIKeyboardAppearance`
  public enum Appearance: Int, Codable, Sendable, CaseIterable {
    /// Apple's numbers 0 to 2.
    case `default`, dark, light
  }

  /// The kind of text in the field, for example web addresses.
  public var keyboardType = KeyboardType.default
  /// What is capitalised automatically; sentences by default, as on Apple's systems.
  public var autocapitalization = Autocapitalization.sentences
  /// Whether words are corrected while they are typed.
  public var autocorrection = Switch.default
  /// Whether misspelt words are marked.
  public var spellChecking = Switch.default
  /// Whether quotation marks become typographic ones.
  public var smartQuotes = Switch.default
  /// Whether two hyphens become a dash.
  public var smartDashes = Switch.default
  /// Whether spaces are put in and taken out around what is pasted.
  public var smartInsertDelete = Switch.default
  /// The label and the action of the return key.
  public var returnKey = ReturnKey.default
  /// Light or dark.
  public var appearance = Appearance.default
  /// Whether the field is for a password; a custom keyboard never has such a field.
  public var isSecureTextEntry = false

  /// Creates the traits of an ordinary field.
  public init() {}
}
