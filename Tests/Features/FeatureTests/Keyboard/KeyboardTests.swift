import JSONRPC
import AppExtensions
import ExtensionHosting
import HostServices
import JSON
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `A keyboard` {
  private static func traits(secure: Bool) -> KeyboardTraits {
    var traits = KeyboardTraits()
    traits.isSecureTextEntry = secure
    return traits
  }

  @Test func `types into the field, and hears what became of it`() async throws {
    let stage = KeyboardStage()
    let text = try await stage.withField(for: KeyboardField(TextDocument("x"))) { session in
      let outcome = try await session.press("a", "👩‍👩‍👧", "delete")
      #expect(!outcome.bySystemKeyboard && outcome.failure == nil && session.isCustom)
      return session.document.text
    }
    #expect(text == "xa")
    #expect(stage.notes.lines == ["begin", "did xa||", "did xa👩‍👩‍👧||", "did xa||", "end dismissed"])
  }

  @Test func `offers candidates, and takes the one that is chosen`() async throws {
    let handle: KeyboardProbe.Handle = { event, text, _ in
      if event.kind == .candidate {
        text.deleteBackward(text.documentContextBeforeInput?.count ?? 0)
        text.insertText("\(event.key) ")
        return []
      }
      text.insertText(event.key)
      // One that nobody could read is left out.
      return (0..<40).map { $0 == 2 ? String(repeating: "x", count: 1025) : "\(event.key)\($0)" }
    }
    try await KeyboardStage().withField(handle) { session in
      let offered = try await session.press("a").candidates
      #expect(offered.first == "a0" && offered.count == 31 && !offered.contains { $0.hasPrefix("x") })
      let outcome = try await session.press(Keyboard.Input.Event(offered[1], kind: .candidate))
      #expect(outcome.candidates.isEmpty && session.document.text == "a1 ")
    }
  }

  @Test func `sees what the app and the user change, before and after`() async throws {
    let stage = KeyboardStage()
    try await stage.withField(for: KeyboardField(TextDocument("abc"))) { session in
      session.changeText { $0.select(1..<2) }
      session.changeText { $0 = TextDocument("new") }
      session.changeText { _ in }
      _ = try await session.press("!")
    }
    #expect(
      stage.notes.lines == [
        "begin", "selection will abc||", "selection did a|b|c", "will a|b|c", "selection will a|b|c", "did new||",
        "selection did new||", "did new!||", "end dismissed",
      ])
  }

  @Test func `knows the field, and says its language`() async throws {
    let stage = KeyboardStage(lexicon: [.init(userInput: "omw", documentText: "On my way!")])
    let handle: KeyboardProbe.Handle = { _, text, session in
      try await session.setPrimaryLanguage("de-CH")
      text.insertText(try await session.supplementaryLexicon()[0].documentText)
      return []
    }
    var field = KeyboardField(traits: Self.traits(secure: false))
    field.primaryLanguage = "en-US"
    field.needsInputModeSwitchKey = false
    try await stage.withField(handle, for: field) { session in
      #expect(session.primaryLanguage == "en-US")
      _ = try await session.press("x")
      #expect(session.primaryLanguage == "de-CH" && session.document.text == "On my way!")
    }
    let begun = try #require(stage.notes.begun.first)
    #expect(begun.documentIdentifier == field.documentIdentifier)
    #expect(begun.documentIdentifier != KeyboardField().documentIdentifier)
    #expect(!begun.needsInputModeSwitchKey && !begun.hasFullAccess)
    #expect(begun.traits == field.traits)
  }

  @Test func `knows the language of the keyboard that had the text before`() async throws {
    let stage = KeyboardStage()
    var field = KeyboardField()
    field.primaryLanguage = "en-US"
    field.documentInputMode = try await stage.withField(for: field) { $0.primaryLanguage }
    try await stage.withField(for: field) { _ in }
    #expect(stage.notes.begun.map(\.documentInputMode) == [nil, "en-US"])
  }

  @Test(arguments: [true, false])
  func `says whether it shows a dictation key, as long as it has the field`(hasOne: Bool) async throws {
    try await KeyboardProbe.$dictating.withValue(hasOne) {
      try await KeyboardStage().withField { session in
        #expect(session.hasDictationKey == hasOne)
        try await session.setTraits(Self.traits(secure: true))
        #expect(!session.hasDictationKey)
        try await session.setTraits(Self.traits(secure: false))
        #expect(session.hasDictationKey == hasOne)
      }
    }
  }

  @Test(arguments: ["", "x", "de CH", "dé", String(repeating: "a", count: 65)])
  func `has a language that is a tag`(language: String) async throws {
    let handle: KeyboardProbe.Handle = { _, text, session in
      do throws(ExtensionError) { try await session.setPrimaryLanguage(language) } catch {
        text.insertText(error.code.name)
      }
      return []
    }
    try await KeyboardStage().withField(handle) { session in
      _ = try await session.press("x")
      #expect(session.document.text == "invalidParams" && session.primaryLanguage == nil)
    }
  }

  @Test func `edits by itself, all or nothing`() async throws {
    let handle: KeyboardProbe.Handle = { _, text, session in
      let context = try await session.edit([.insertText("one")])
      #expect(context.contextBefore == "one")
      do throws(ExtensionError) { try await session.edit([.insertText("two"), .deleteBackward(0)]) } catch {
        text.insertText(" \(error.code.name) \(error.recovery != nil)")
      }
      return []
    }
    try await KeyboardStage().withField(handle) { session in
      _ = try await session.press("x")
      #expect(session.document.text == "one invalidParams true")
    }
  }

  // MARK: Who has the field

  @Test func `is replaced for a password, and comes back`() async throws {
    let stage = KeyboardStage()
    try await stage.withField { session in
      _ = try await session.press("a")
      try await session.setTraits(Self.traits(secure: true))
      #expect(!session.isCustom && session.departure == .secureField)
      #expect(try await session.press("s").bySystemKeyboard)
      try await session.setTraits(Self.traits(secure: false))
      #expect(try await !session.press("b").bySystemKeyboard)
      #expect(session.document.text == "asb")
    }
    #expect(stage.notes.lines == ["begin", "did a||", "end secureField", "begin", "did asb||", "end dismissed"])
  }

  @Test(
    arguments: [(.default, false, .hostDisallows), (.phonePad, true, .phonePad), (.namePhonePad, true, .phonePad)]
      as [(KeyboardTraits.KeyboardType, Bool, Keyboard.End.Reason)])
  func `hears nothing of a field that it does not get`(
    type: KeyboardTraits.KeyboardType, allowed: Bool, reason: Keyboard.End.Reason
  ) async throws {
    let stage = KeyboardStage()
    var field = KeyboardField()
    field.traits.keyboardType = type
    field.allowsKeyboards = allowed
    try await stage.withField(for: field) { session in
      let outcome = try await session.press("1", "delete", "2", "space")
      #expect(outcome.bySystemKeyboard)
      #expect(session.document.text == "2 " && session.departure == reason)
    }
    #expect(stage.notes.lines == [])
  }

  @Test func `goes to the next one, and can write before`() async throws {
    let stage = KeyboardStage()
    let handle: KeyboardProbe.Handle = { event, text, session in
      if event.kind == .longPress { try await session.handleInputModeList() }
      if event.key == "!" { try await session.advanceToNextInputMode() }
      text.insertText(event.key)
      return []
    }
    try await stage.withField(handle) { session in
      let list = try await session.press(Keyboard.Input.Event("l", kind: .longPress))
      #expect(list.wantsInputModeList)
      #expect(try await !session.press("a").wantsInputModeList)
      _ = try await session.press("!")
      #expect(session.document.text == "la!" && session.departure == .switched && !session.isCustom)
      #expect(try await session.press("b").bySystemKeyboard)
    }
    #expect(stage.notes.lines.last == "end switched")
  }

  @Test func `is put away, or left, and has the field no more`() async throws {
    let stage = KeyboardStage()
    let code = Kept<ExtensionError.Code>()
    let handle: KeyboardProbe.Handle = { _, _, session in
      try await session.dismissKeyboard()
      do throws(ExtensionError) { try await session.edit([.insertText("late")]) } catch { code.keep(error.code) }
      return []
    }
    try await stage.withField(handle) { session in
      _ = try await session.press("x")
      #expect(session.departure == .dismissed && session.document.text == "")
      await session.switchAway()
      #expect(session.departure == .dismissed)
    }
    #expect(code.value == .requestUnknown)
    try await stage.withField { session in
      await session.switchAway()
      #expect(session.departure == .switched)
    }
    #expect(stage.notes.lines == ["begin", "end dismissed", "begin", "end switched"])
  }

  @Test func `is what an extension for it is`() async throws {
    let stage = KeyboardStage(identity: .testing(point: .share))
    await #expect(throws: ExtensionError(.pointDisallows, "")) { try await stage.withField { _ in } }
  }

  @Test func `does not reach another's field`() async throws {
    let handle: KeyboardProbe.Handle = { event, text, session in
      let other = Keyboard.Edit(sessionID: event.key, edits: [.insertText("mine")])
      do { _ = try await session.context.call(other) } catch {
        text.insertText(ExtensionError(wrapping: error).code.name)
      }
      return []
    }
    try await KeyboardStage().withField { victim in
      try await KeyboardStage().withField(handle) { session in
        _ = try await session.press(victim.id)
        #expect(session.document.text == "requestUnknown" && victim.document.text == "")
      }
    }
  }

  @Test func `sees the text that it was told while it handled a key`() async throws {
    let gate = Gate()
    let (held, isHeld) = AsyncStream.makeStream(of: Void.self)
    let seen = Kept<String>()
    let handle: KeyboardProbe.Handle = { event, text, _ in
      if event.key == "?" {
        seen.keep(text.documentContextBeforeInput ?? "")
      } else {
        isHeld.yield()
        await gate.wait()
        text.insertText(event.key)
      }
      return []
    }
    let begin = Keyboard.Begin(
      sessionID: "s", documentIdentifier: "d", documentInputMode: nil, traits: KeyboardTraits(), hasFullAccess: false,
      needsInputModeSwitchKey: false, context: KeyboardContext(contextBefore: "x"))
    let look = Keyboard.Input(sessionID: "s", event: Keyboard.Input.Event("?"))
    try await KeyboardProbe.$handling.withValue(handle) {
      try await TestHost().withExtension(KeyboardProbe.self, identity: KeyboardStage.identity) { process in
        _ = try await process.call(begin)
        async let answer = process.call(Keyboard.Input(sessionID: "s", event: Keyboard.Input.Event("a")))
        for await _ in held { break }
        await process.notify(
          Keyboard.TextDidChange(sessionID: "s", context: KeyboardContext(contextBefore: "told")))
        _ = try await process.call(look)
        #expect(seen.value == "told")
        gate.open()
        #expect(try await answer.edits == [.insertText("a")])
        _ = try await process.call(look)
        #expect(seen.value == "told")
      }
    }
  }
}
