import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionProtocol
import HostServices

/// A compose sheet at a terminal: the user writes, sets options, and posts or gives up.
struct ComposeDialogue {
  private let sheet: ShareSheet
  private let dialogue: Dialogue
  private let name: String
  private var lines: [String]
  private var items: [Share.ConfigurationItem] = []
  private var completions: [Share.Completion] = []

  /// - Parameter contentText: what the text begins with.
  init(_ sheet: ShareSheet, _ dialogue: Dialogue, name: String, contentText: String) {
    self.sheet = sheet
    self.dialogue = dialogue
    self.name = name
    lines = Self.lines(of: contentText)
  }

  private static func lines(of text: String) -> [String] {
    text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Runs until the sheet is posted or cancelled. The end of the input cancels it.
  func run() async throws -> RequestService.Outcome {
    var compose = self
    try await compose.open()
    while let line = try await dialogue.ask(">") {
      if let outcome = try await compose.take(ComposeLine(line)) { return outcome }
    }
    return try await sheet.cancel()
  }

  private mutating func open() async throws {
    let presentation = try await sheet.presentation()
    if let text = presentation.contentText { lines = Self.lines(of: text) }
    dialogue.say("\(name):")
    if let preview = presentation.preview { dialogue.say("  \(preview)") }
    if lines.isEmpty, let placeholder = presentation.placeholder {
      dialogue.say("  (\(placeholder))")
    }
    sayText()
    items = try await sheet.configurationItems()
    sayItems()
    dialogue.say(ComposeLine.help)
    try await validate()
  }

  private mutating func take(_ line: ComposeLine) async throws -> RequestService.Outcome? {
    switch line {
    case .text(let text):
      lines.append(text)
      try await validate()
      completions = try await sheet.completions()
      let titles = completions.map(\.title).joined(separator: ", ")
      if !titles.isEmpty { dialogue.say("  /complete: \(titles)") }
    case .complete: try await complete()
    case .clear:
      (lines, completions) = ([], [])
      try await validate()
    case .option(let number): try await choose(number)
    case .cancel: return try await sheet.cancel()
    case .post:
      do {
        return try await sheet.post()
      } catch let error as ExtensionError where error.code == .contentInvalid {
        dialogue.say("\(error.message)")
      }
    case .unknown(let word): dialogue.say("There is no \(word). \(ComposeLine.help)")
    case .nothing: try await validate()
    }
    return nil
  }

  private func validate() async throws {
    let state = try await sheet.setText(lines.joined(separator: "\n"))
    switch state.charactersRemaining {
    case .some(let count) where count < 0: dialogue.say("\(-count) characters too many")
    case .some(let count): dialogue.say("\(count) characters left")
    case nil: break
    }
    if !state.isValid { dialogue.say("This cannot be posted yet.") }
  }

  private func sayText() {
    for line in lines { dialogue.say("  | \(line)") }
  }

  /// Takes one of the suggestions for the text as it stands.
  private mutating func complete() async throws {
    guard !completions.isEmpty else { return dialogue.say("There are no suggestions.") }
    for (index, completion) in completions.enumerated() {
      dialogue.say("  \(index + 1)  \(completion.title)")
    }
    guard let index = try await dialogue.choose("Which one?", among: completions.count) else { return }
    lines = Self.lines(of: completions[index].contentText)
    completions = []
    sayText()
    try await validate()
  }

  private func sayItems() {
    for (index, item) in items.enumerated() {
      let value = item.valuePending ? "…" : item.value ?? "not set"
      dialogue.say("  /\(index + 1)  \(item.title): \(value)")
    }
  }

  /// The item's own step: its choices, then a value.
  private mutating func choose(_ number: Int) async throws {
    guard items.indices.contains(number - 1) else {
      return dialogue.say(items.isEmpty ? "There are no options." : "There is no option \(number).")
    }
    let id = items[number - 1].id
    items = try await sheet.select(id)
    guard let item = items.first(where: { $0.id == id }) else { return sayItems() }
    let value: String?
    if let choices = item.choices, !choices.isEmpty {
      for (index, choice) in choices.enumerated() { dialogue.say("  \(index + 1)  \(choice)") }
      value = try await dialogue.choose("\(item.title)", among: choices.count).map { choices[$0] }
    } else {
      value = try await dialogue.ask("\(item.title):").flatMap { $0.isEmpty ? nil : $0 }
    }
    if let value { items = try await sheet.select(id, value: value) }
    sayItems()
    try await validate()
  }
}
