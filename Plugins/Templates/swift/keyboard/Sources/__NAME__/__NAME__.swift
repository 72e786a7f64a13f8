import AppExtensions

/// A keyboard that types in capitals.
@main
struct __NAME__: KeyboardExtension {
  func handle(
    _ event: Keyboard.Input.Event, text: inout TextDocumentProxy, in session: KeyboardInput
  ) async throws -> [String] {
    switch event.key {
    case "delete": text.deleteBackward()
    case "nextKeyboard": try await session.advanceToNextInputMode()
    case "return": text.insertText("\n")
    case "space": text.insertText(" ")
    case "tab": text.insertText("\t")
    default: text.insertText(Self.capital(event.key))
    }
    return []
  }

  static func capital(_ key: String) -> String { key.uppercased() }
}
