public import Contracts

/// Decides which keyboard a text field gets, and how the system's own keyboard works.
public enum KeyboardRules {
  /// Returns the reason the system's keyboard replaces a custom one; `nil` when it does not.
  ///
  /// - Parameters:
  ///   - traits: the traits of the field.
  ///   - appAllowsKeyboards: the app's answer for the extension point (`shouldAllowExtensionPointIdentifier`).
  public static func replacement(for traits: KeyboardTraits, appAllowsKeyboards: Bool = true) -> Keyboard.End.Reason? {
    if !appAllowsKeyboards { return .hostDisallows }
    if traits.isSecureTextEntry { return .secureField }
    switch traits.keyboardType {
    case .phonePad, .namePhonePad: return .phonePad
    default: return nil
    }
  }

  /// Returns whether a keyboard is offered for a field.
  ///
  /// - Parameters:
  ///   - isASCIICapable: the manifest's `IsASCIICapable`.
  ///   - traits: the traits of the field.
  public static func isOffered(isASCIICapable: Bool, for traits: KeyboardTraits) -> Bool {
    switch traits.keyboardType {
    case .asciiCapable, .asciiCapableNumberPad: isASCIICapable
    default: true
    }
  }

  /// Returns the edits of the system's keyboard for a key. It has no candidates and no gestures.
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
