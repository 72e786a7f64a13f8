public import Contracts
import ExtensionProtocol

/// A text field that wants a keyboard.
public struct KeyboardField: Sendable {
  /// The text of the field and its insertion point.
  public var document: TextDocument
  /// New for each text field; the same when the field gets its next keyboard.
  public var documentIdentifier: String
  /// The language of the keyboard that had the text before (BCP 47), where that is known
  /// (``KeyboardSession/primaryLanguage``).
  public var documentInputMode: String?
  /// What the field wants. For a password or a telephone number the system's keyboard has it.
  public var traits: KeyboardTraits
  /// Whether the app allows keyboards of others.
  public var allowsKeyboards = true
  /// Whether the keyboard has to show a way to the next one.
  public var needsInputModeSwitchKey = true
  /// The language that the keyboard's manifest names (BCP 47).
  public var primaryLanguage: String?

  /// A new text field.
  public init(_ document: TextDocument = TextDocument(), traits: KeyboardTraits = KeyboardTraits()) {
    self.document = document
    self.traits = traits
    documentIdentifier = RequestIDs.next()
  }
}
