import CommandLineTool
import CommandRuntime
import Contracts
import HostServices
import Testing

@testable import FeatureCommands

/// The line of `host keyboard` at a terminal, while the system's keyboard has it.
@Suite(.timeLimit(.minutes(1)))
struct `A field that is edited` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(KeyboardCommand.command) }

  private func editor(_ text: String = "") throws -> FieldEditor {
    let invocation = try stage.invocation()
    return FieldEditor(invocation, try HostStack(invocation), [], KeyboardField(TextDocument(text)))
  }

  /// The text with `|` at the insertion point, when some keys were pressed.
  private func typed(_ text: String, _ strokes: KeyStroke...) async throws -> String {
    let editor = try editor(text)
    for stroke in strokes { #expect(try await editor.take(stroke, nil) == nil) }
    var characters = Array(editor.field.document.text)
    characters.insert("|", at: editor.field.document.selection.lowerBound)
    return String(characters)
  }

  @Test func `has its insertion point where the keys move it`() async throws {
    #expect(try await typed("abc") == "abc|")
    #expect(try await typed("abc", .left) == "ab|c")
    #expect(try await typed("abc", .left, .left, .right) == "ab|c")
    #expect(try await typed("abc", .start) == "|abc")
    #expect(try await typed("abc", .start, .end) == "abc|")
    #expect(try await typed("abc", .start, .right, .end, .left) == "ab|c")
  }

  @Test func `keeps it in the text`() async throws {
    #expect(try await typed("ab", .right) == "ab|")
    #expect(try await typed("ab", .start, .left) == "|ab")
    #expect(try await typed("ab", .left, .left, .left, .right) == "a|b")
    #expect(try await typed("", .left, .right, .end, .start) == "|")
  }

  @Test func `takes characters, spaces and tabs at the insertion point`() async throws {
    #expect(try await typed("ac", .left, .text("b")) == "ab|c")
    #expect(try await typed("ac", .left, .text(" ")) == "a |c")
    #expect(try await typed("ac", .start, .tab) == "\t|ac")
    #expect(try await typed("abc", .left, .delete) == "a|c")
    #expect(try await typed("a", .start, .delete) == "|a")
    // There are no candidates.
    #expect(try await typed("a", .choice(0), .choice(8)) == "a|")
  }

  @Test func `ends with the text, or with nothing`() async throws {
    #expect(try await editor("ab").take(.enter, nil) == .done("ab"))
    let middle = try editor("ab")
    #expect(try await middle.take(.left, nil) == nil)
    #expect(try await middle.take(.enter, nil) == .done("ab"))
    #expect(try await editor("ab").take(.cancel, nil) == .cancelled)
  }

  @Test func `goes round to the system's keyboard where there is no other`() async throws {
    #expect(try await editor("ab").take(.nextKeyboard, nil) == .keyboard(0))
  }

  @Test func `becomes a password's, and is an ordinary one again`() async throws {
    let editor = try editor("ab")
    #expect(!editor.field.traits.isSecureTextEntry)
    #expect(try await editor.take(.toggleSecure, nil) == nil && editor.field.traits.isSecureTextEntry)
    #expect(try await editor.take(.toggleSecure, nil) == nil && !editor.field.traits.isSecureTextEntry)
    #expect(editor.field.document.text == "ab")
  }

  @Test func `is printed as a line, and not where the user gave up`() throws {
    let console = try stage.invocation().console
    #expect(KeyboardCommand.report("a b", to: console) == .success && stage.output == "a b\n")
    stage.clear()
    #expect(KeyboardCommand.report("", to: console) == .success && stage.output == "\n")
    stage.clear()
    #expect(KeyboardCommand.report(nil, to: console) == .failure && stage.output == "")
    #expect(stage.errors == "Nothing was typed.\n")
  }
}
