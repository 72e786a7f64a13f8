public import Contracts

/// Which keyboard a text field gets, and what the system's own does.
public enum KeyboardRules {
  /// Why the system's own keyboard takes the place of a custom one; `nil` when it does not.
  ///
  /// - Parameters:
  ///   - traits: what the field wants.
  ///   - appAllowsKeyboards: what the app answers for the extension point (`shouldAllowExtensionPointIdentifier`).
  public static func replacement(for traits: KeyboardTraits, appAllowsKeyboards: Bool = true) -> Keyboard.End.Reason? {
    if !appAllowsKeyboards { return .hostDisallows }
    if traits.isSecureTextEntry { return .secureField }
    switch traits.keyboardType {
    case .phonePad, .namePhonePad: return .phonePad
    default: return nil
    }
  }

  /// Whether a keyboard is offered for a field at all.
  ///
  /// - Parameters:
  ///   - isASCIICapable: the manifest's `IsASCIICapable`.
  ///   - traits: what the field wants.
  public static func isOffered(isASCIICapable: Bool, for traits: KeyboardTraits) -> Bool {
    switch traits.keyboardType {
    case .asciiCapable, .asciiCapableNumberPad: isASCIICapable
    default: true
    }
  }

  /// What the system's keyboard does with a key. It knows no candidates and no gestures.
  public static func edits(for event: Keyboard.Input.Event) -> [KeyboardEdit] {
    if event.kind == .candidate || event.kind == .gesture { return [] }
    return switch event.key {
    case "delete": [.deleteBackward(1)]
    case "return": [.insertText("\n")]
    case "space": [.insertText(" ")]
    case "tab": [.insertText("\t")]
    case "nextKeyboard": []
    default: [.insertText(event.key)]
    }
  }
}
