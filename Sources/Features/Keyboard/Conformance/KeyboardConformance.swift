package import Conformance
import Contracts
import ExtensionHosting
package import ExtensionProtocol
import HostServices
import JSON

/// Custom keyboards.
package enum KeyboardConformance: ConformanceFeature {
  /// The extension point of keyboards.
  package static let points: [ExtensionPoint] = [.keyboard]

  /// Presses one key in an empty field.
  package static func mainScenario(_ context: CheckContext) async throws {
    try await context.withField { try await context.press(Keyboard.Input.Event("a"), in: $0) }
  }

  /// The checks of a keyboard, in the order in which they run.
  package static let checks = [
    ConformanceCheck(
      "keyboard-begin", "keyboard/begin is answered, with a language if any.",
      advice: "Answer {} or {\"primaryLanguage\":\"en-US\"}, at once: the user waits for the keys.", points: [.keyboard]
    ) { context in
      try await context.withField { $0.primaryLanguage.map { "for \($0)" } }
    },
    ConformanceCheck(
      "keyboard-keys", "keyboard/input is answered with edits that fit the text, whatever key it is.",
      advice: "Answer {\"edits\":[…]} within two seconds; an edit has one member, and deletes one character or more.",
      points: [.keyboard], requires: ["keyboard-begin"]
    ) { context in
      let events =
        ["delete", "A", "b", "space", "e\u{301}", "delete", "\u{1F1E8}\u{1F1ED}", "delete", "return", "tab"]
        .map { Keyboard.Input.Event($0) } + [
          Keyboard.Input.Event("a", kind: .tap), Keyboard.Input.Event("a", kind: .longPress),
          Keyboard.Input.Event("conformance", kind: .gesture),
          Keyboard.Input.Event(CheckContext.text, kind: .candidate),
        ]
      return try await context.withField { session in
        for event in events { try await context.press(event, in: session) }
        return "it made \(session.document.count) characters of \(events.count) keys"
      }
    },
    ConformanceCheck(
      "keyboard-next", "The key for the next keyboard leads there, where a keyboard has to have one.",
      advice: "At the key \"nextKeyboard\" call keyboard/advanceToNextInputMode or keyboard/handleInputModeList.",
      points: [.keyboard], requires: ["keyboard-begin"]
    ) { context in
      for kind in [Keyboard.Input.Event.Kind.key, .tap] {
        try await context.withField {
          try await context.press(Keyboard.Input.Event("nextKeyboard", kind: kind), in: $0)
        }
        let ways = [Keyboard.AdvanceToNextInputMode.method, Keyboard.HandleInputModeList.method]
        for way in ways where try await context.hasCalled(way) { return way }
      }
      throw CheckFailure("At the key nextKeyboard it called nothing that leads to another keyboard.")
    },
    ConformanceCheck(
      "keyboard-changes", "A keyboard is told of changes that it did not make, and continues.",
      advice: "Ignore the notifications that you do not know; what you know of the text is what the last one says.",
      points: [.keyboard], requires: ["keyboard-begin"]
    ) { context in
      try await context.withField(CheckContext.text) { session in
        session.changeText { $0.select(0..<4) }
        session.changeText { try? $0.apply([.insertText("\u{1F300}")]) }
        session.changeText { $0 = TextDocument() }
        try await context.press(Keyboard.Input.Event("a"), in: session)
        return nil
      }
    },
    ConformanceCheck(
      "keyboard-end", "keyboard/end is answered, and the keyboard can have another text field after it.",
      advice: "Answer {}; keep nothing of a session, and take the next keyboard/begin like the first.",
      points: [.keyboard], requires: ["keyboard-begin"]
    ) { context in
      try await context.withExtension { process in
        try await context.keyboards.withSession(of: process, for: KeyboardField()) { _ in }
        do {
          try await context.keyboards.withSession(of: process, for: KeyboardField()) {
            try await context.press(Keyboard.Input.Event("a"), in: $0)
          }
        } catch let error as ExtensionError {
          throw CheckFailure("At its second text field: \(error.message)")
        }
      }
      guard try await context.hasAnswered(Keyboard.End.method) else {
        throw CheckFailure("It did not answer keyboard/end within \(KeyboardSession.deadline).")
      }
      if let error = try await context.ownError(answering: Keyboard.End.method) {
        throw CheckFailure("It answered keyboard/end with an error: \(error["message"]?.stringValue ?? "")")
      }
      return nil
    },
  ]
}

extension CheckContext {
  fileprivate var keyboards: KeyboardService { host.service() }

  /// A text field that a keyboard has.
  fileprivate func withField<Result: Sendable>(
    _ text: String = "", _ body: (KeyboardSession) async throws -> Result
  ) async throws -> Result {
    try await withExtension { process in
      try await keyboards.withSession(of: process, for: KeyboardField(TextDocument(text)), body)
    }
  }

  /// - Throws: ``CheckFailure`` when the keyboard lost the field with the key.
  fileprivate func press(_ event: Keyboard.Input.Event, in session: KeyboardSession) async throws {
    guard let failure = try await session.press(event).failure else { return }
    throw CheckFailure("At “\(event.key)” (\(event.kind.rawValue)): \(failure.message)")
  }
}
