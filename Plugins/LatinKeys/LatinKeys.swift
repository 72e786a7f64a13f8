import AppExtensions

/// A keyboard for Latin letters: accents by two keys (' e gives é), capitals where the field wants them, and words as
/// candidates. With open access it learns words; without, it offers those that it knows.
@main
struct LatinKeys: KeyboardExtension {
  private static let suite = "group.com.example.adventures"
  private let words = Words()

  func viewWillAppear(_ session: KeyboardInput) async throws {
    let learned = try? await session.context.defaults(suiteName: Self.suite).stringArray(forKey: "keyboard.words")
    words.add(learned ?? [])
    let lexicon = (try? await session.supplementaryLexicon()) ?? []
    words.add(lexicon.map(\.documentText))
  }

  func handle(
    _ event: Keyboard.Input.Event, text: inout TextDocumentProxy, in session: KeyboardInput
  ) async throws -> [String] {
    if event.kind == .candidate {
      let length = text.lastWord.count
      if length > 0 { text.deleteBackward(length) }
      text.insertText(event.key + " ")
      return []
    }
    switch event.key {
    case "delete": text.deleteBackward()
    case "nextKeyboard":
      if event.kind == .longPress {
        try await session.handleInputModeList()
      } else {
        try await session.advanceToNextInputMode()
      }
      return []
    case "return", "space", "tab":
      // What cannot be learned is typed all the same.
      try? await learn(text.lastWord, session)
      text.insertText(event.key == "space" ? " " : event.key == "tab" ? "\t" : "\n")
    default: insert(event.key, into: &text, session.traits)
    }
    return session.traits.autocorrection == .no ? [] : words.completions(of: text.lastWord)
  }

  private func insert(_ key: String, into text: inout TextDocumentProxy, _ traits: KeyboardTraits) {
    if let last = text.documentContextBeforeInput?.last, let composed = Accents.compose(last, key) {
      text.deleteBackward()
      text.insertText(composed)
    } else {
      text.insertText(text.wantsCapital(traits.autocapitalization) ? key.uppercased() : key)
    }
  }

  /// Words of four letters and more are learned where the keyboard may write.
  private func learn(_ word: String, _ session: KeyboardInput) async throws {
    guard session.hasFullAccess, word.count >= 4, words.add([word]) else { return }
    let defaults = session.context.defaults(suiteName: Self.suite)
    let known = try await defaults.stringArray(forKey: "keyboard.words") ?? []
    try await defaults.set(.array((known + [word]).suffix(200).map { .string($0) }), forKey: "keyboard.words")
  }
}

extension TextDocumentProxy {
  /// The letters before the insertion point.
  var lastWord: String {
    let before = documentContextBeforeInput ?? ""
    return String(before.reversed().prefix { $0.isLetter }.reversed())
  }

  func wantsCapital(_ rule: KeyboardTraits.Autocapitalization) -> Bool {
    let before = documentContextBeforeInput ?? ""
    switch rule {
    case .none: return false
    case .allCharacters: return true
    case .words: return before.last.map(\.isWhitespace) ?? true
    case .sentences:
      guard before.last.map(\.isWhitespace) ?? true else { return false }
      return before.last { !$0.isWhitespace }.map { ".!?".contains($0) } ?? true
    }
  }
}
