import AppExtensions
import ExtensionHosting
import Testing

@testable import ExtensionTesting
@testable import HostServices

/// What a keyboard calls by itself, and when it may.
@Suite(.timeLimit(.minutes(1)))
struct `A call of a keyboard` {
  @Test(arguments: ["de", "sl-rozaj-biske-1994", "AZ-az-09", "i-", String(repeating: "a", count: 64)])
  func `may name a language`(language: String) async throws {
    let handle: KeyboardProbe.Handle = { _, _, session in
      try await session.setPrimaryLanguage(language)
      return []
    }
    try await KeyboardStage().withField(handle) { session in
      let outcome = try await session.press("x")
      #expect(outcome.failure == nil && session.primaryLanguage == language)
    }
  }

  @Test(arguments: ["a[", "a@", "a`", "a{", "a/", "a:", "a_b", "a.b", "a,", "de\u{301}", "dé", "ß-Á", "日本"])
  func `names no language with other characters`(language: String) async throws {
    let handle: KeyboardProbe.Handle = { _, text, session in
      do throws(ExtensionError) { try await session.setPrimaryLanguage(language) } catch {
        text.insertText("\(error.code.name) \(error.recovery ?? "")")
      }
      return []
    }
    var field = KeyboardField()
    field.primaryLanguage = "en"
    try await KeyboardStage().withField(handle, for: field) { session in
      _ = try await session.press("x")
      #expect(session.document.text == "invalidParams Give a BCP 47 tag, for example de-CH.")
      #expect(session.primaryLanguage == "en")
    }
  }

  @Test func `is refused once it has left the field, whatever it is`() async throws {
    let codes = Kept<[ExtensionError.Code?]>()
    let handle: KeyboardProbe.Handle = { _, _, session in
      try await session.dismissKeyboard()
      let calls: [@Sendable () async throws -> Void] = [
        { try await session.setPrimaryLanguage("fr") }, { try await session.handleInputModeList() },
        { _ = try await session.supplementaryLexicon() }, { try await session.advanceToNextInputMode() },
        { try await session.dismissKeyboard() }, { try await session.edit([]) },
      ]
      var found: [ExtensionError.Code?] = []
      for call in calls {
        do {
          try await call()
          found.append(nil)
        } catch { found.append(ExtensionError(wrapping: error).code) }
      }
      codes.keep(found)
      return []
    }
    let stage = KeyboardStage(lexicon: [.init(userInput: "omw", documentText: "On my way!")])
    try await stage.withField(handle) { session in
      let outcome = try await session.press("x")
      #expect(!outcome.wantsInputModeList && session.primaryLanguage == nil && session.departure == .dismissed)
    }
    #expect(codes.value == Array(repeating: .requestUnknown, count: 6))
    #expect(stage.notes.lines == ["begin", "end dismissed"])
  }

  @Test func `that edits says what is wrong with its edits`() async throws {
    let attempts: [[KeyboardEdit]] = [
      [.insertText("x")], [KeyboardEdit](repeating: .adjustTextPosition(0), count: TextDocument.maximumEdits + 1),
      [.deleteBackward(0)],
    ]
    let messages = Kept<[String]>()
    let handle: KeyboardProbe.Handle = { _, _, session in
      var found: [String] = []
      for edits in attempts {
        do throws(ExtensionError) { try await session.edit(edits) } catch { found.append(error.message) }
      }
      messages.keep(found)
      return []
    }
    let full = String(repeating: "x", count: TextDocument.limit)
    try await KeyboardStage().withField(handle, for: KeyboardField(TextDocument(full))) { session in
      _ = try await session.press("x")
      #expect(session.document.text == full)
    }
    let found = try #require(messages.value)
    try #require(found.count == 3)
    #expect(found[0].contains("the text would be longer than 262144 bytes"))
    #expect(found[1].contains("they are more than 256"))
    #expect(found[2].contains("a count or a range does not fit the text"))
  }

  @Test func `reaches its field though another keyboard has ended`() async throws {
    let service = KeyboardService()
    let host = TestHost(services: [service])
    let handle: KeyboardProbe.Handle = { event, _, session in
      try await session.edit([.insertText(event.key)])
      return []
    }
    try await KeyboardProbe.$handling.withValue(handle) {
      try await host.withExtension(KeyboardProbe.self, identity: KeyboardStage.identity) { first in
        try await service.withSession(of: first, for: KeyboardField()) { session in
          try await host.withExtension(KeyboardProbe.self, identity: KeyboardStage.identity) { second in
            try await service.withSession(of: second, for: KeyboardField()) { _ in }
          }
          let outcome = try await session.press("x")
          #expect(outcome.failure == nil && session.document.text == "x")
        }
      }
    }
  }
}

/// What a keyboard hears, and is not told.
@Suite(.timeLimit(.minutes(1)))
struct `A keyboard's news` {
  private static var secure: KeyboardTraits {
    var traits = KeyboardTraits()
    traits.isSecureTextEntry = true
    return traits
  }

  @Test func `are none of a key that changed nothing`() async throws {
    let stage = KeyboardStage()
    try await stage.withField({ _, _, _ in [] }) { session in
      let outcome = try await session.press("x")
      #expect(outcome == KeyboardSession.Outcome())
    }
    #expect(stage.notes.lines == ["begin", "end dismissed"])
  }

  @Test func `are none of a field that the system's keyboard has`() async throws {
    let stage = KeyboardStage()
    try await stage.withField { session in
      try await session.setTraits(Self.secure)
      session.changeText { $0 = TextDocument("secret") }
      session.changeText { $0.select(0..<1) }
      #expect(session.document.text == "secret" && session.document.selection == 0..<1)
    }
    #expect(stage.notes.lines == ["begin", "end secureField"])
  }

  @Test func `are the end of the field, also when the app fails`() async throws {
    struct Broken: Error {}
    let stage = KeyboardStage()
    await #expect(throws: Broken.self) { try await stage.withField { _ in throw Broken() } }
    #expect(stage.notes.lines == ["begin", "end dismissed"])
  }

  @Test func `are the same field when it gets its next keyboard`() async throws {
    let stage = KeyboardStage()
    let field = KeyboardField()
    for _ in 0..<2 {
      try await stage.withField(for: field) { #expect($0.documentIdentifier == field.documentIdentifier) }
    }
    #expect(stage.notes.begun.map(\.documentIdentifier) == [field.documentIdentifier, field.documentIdentifier])
    #expect(stage.notes.begun.map(\.needsInputModeSwitchKey) == [true, true])
    #expect(Set(stage.notes.begun.map(\.id)).count == 2)
  }

  @Test func `have a text that was marked as a plain one once the keyboard goes`() async throws {
    let handle: KeyboardProbe.Handle = { event, text, session in
      if event.key == "!" {
        try await session.advanceToNextInputMode()
        return []
      }
      text.setMarkedText(event.key)
      return []
    }
    try await KeyboardStage().withField(handle) { session in
      _ = try await session.press("k")
      #expect(session.document.marked == 0..<1)
      _ = try await session.press("!")
      #expect(session.document.marked == nil && session.document.text == "k")
      // What the next keyboard writes does not replace it.
      #expect(try await session.press("a").bySystemKeyboard)
      #expect(session.document.text == "ka")
    }
  }

  @Test func `of a candidate go up to a size in bytes`() async throws {
    let fitting = String(repeating: "é", count: 512)
    try await KeyboardStage().withField({ _, _, _ in ["\(fitting)x", fitting, ""] }) { session in
      let outcome = try await session.press("x")
      #expect(outcome.candidates == [fitting, ""])
    }
  }
}
