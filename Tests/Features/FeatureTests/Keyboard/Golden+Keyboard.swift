import ExtensionHosting
import HostServices

extension Golden {
  private static let surroundings = KeyboardContext(
    contextBefore: "Caf", contextAfter: " au lait", selectedText: "e", hasText: true)
  private static var traits: KeyboardTraits {
    var traits = KeyboardTraits()
    traits.keyboardType = .emailAddress
    traits.autocapitalization = .none
    traits.autocorrection = .no
    traits.returnKey = .send
    traits.appearance = .dark
    return traits
  }

  static let keyboard: [Golden] = [
    Golden(
      Keyboard.Begin(
        sessionID: "s1", documentIdentifier: "d1", documentInputMode: "fr", traits: traits, hasFullAccess: true,
        needsInputModeSwitchKey: true, context: surroundings),
      Keyboard.Begin.Result(
        primaryLanguage: "de-CH", layout: [["q", "w"], ["nextKeyboard", "space"]], hasDictationKey: true)),
    Golden(
      Keyboard.Input(sessionID: "s1", event: Keyboard.Input.Event("e", kind: .longPress)),
      Keyboard.Input.Result(
        edits: [
          .deleteBackward(1), .insertText("é"), .adjustTextPosition(-2), .setMarkedText("ka", selectedRange: 1..<2),
          .unmarkText,
        ], candidates: ["Café", "Cafés"])),
    Golden(Keyboard.TextWillChange(sessionID: "s1", context: surroundings)),
    Golden(Keyboard.TextDidChange(sessionID: "s1", context: surroundings)),
    Golden(Keyboard.SelectionWillChange(sessionID: "s1", context: KeyboardContext())),
    Golden(Keyboard.SelectionDidChange(sessionID: "s1", context: surroundings)),
    Golden(Keyboard.End(sessionID: "s1", reason: .secureField), Empty()),
    Golden(Keyboard.Edit(sessionID: "s1", edits: [.insertText("\u{1F600}")]), surroundings),
    Golden(Keyboard.AdvanceToNextInputMode(sessionID: "s1"), Empty()),
    Golden(Keyboard.HandleInputModeList(sessionID: "s1"), Empty()),
    Golden(Keyboard.Dismiss(sessionID: "s1"), Empty()),
    Golden(
      Keyboard.RequestSupplementaryLexicon(sessionID: "s1"),
      .init(entries: [.init(userInput: "omw", documentText: "On my way!")])),
    Golden(Keyboard.SetPrimaryLanguage(sessionID: "s1", primaryLanguage: "fr"), Empty()),
  ]
}
