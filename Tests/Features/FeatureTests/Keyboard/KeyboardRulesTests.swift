import JSONRPC
import HostServices
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The choice of a keyboard` {
  private static func traits(_ type: KeyboardTraits.KeyboardType, secure: Bool = false) -> KeyboardTraits {
    var traits = KeyboardTraits()
    traits.keyboardType = type
    traits.isSecureTextEntry = secure
    return traits
  }

  @Test(arguments: KeyboardTraits.KeyboardType.allCases)
  func `is the system's for telephones, passwords, and apps that want it`(type: KeyboardTraits.KeyboardType) {
    let isPhone = type == .phonePad || type == .namePhonePad
    #expect(KeyboardRules.replacement(for: Self.traits(type)) == (isPhone ? .phonePad : nil))
    #expect(KeyboardRules.replacement(for: Self.traits(type, secure: true)) == .secureField)
    #expect(KeyboardRules.replacement(for: Self.traits(type), appAllowsKeyboards: false) == .hostDisallows)
    let wantsASCII = type == .asciiCapable || type == .asciiCapableNumberPad
    #expect(KeyboardRules.isOffered(isASCIICapable: false, for: Self.traits(type)) != wantsASCII)
    #expect(KeyboardRules.isOffered(isASCIICapable: true, for: Self.traits(type)))
  }

  @Test func `goes by traits in Apple's numbers`() {
    #expect(KeyboardTraits.KeyboardType.emailAddress.rawValue == 7)
    #expect(KeyboardTraits.KeyboardType.asciiCapableNumberPad.rawValue == 11)
    #expect(KeyboardTraits.Autocapitalization.sentences.rawValue == 2)
    #expect(KeyboardTraits.Switch.yes.rawValue == 2)
    #expect(KeyboardTraits.ReturnKey.continue.rawValue == 11)
    #expect(KeyboardTraits.Appearance.light.rawValue == 2)
  }

  @Test(
    arguments: [
      ("a", .key, [.insertText("a")]), ("space", .key, [.insertText(" ")]), ("delete", .tap, [.deleteBackward(1)]),
      ("return", .key, [.insertText("\n")]), ("tab", .key, [.insertText("\t")]), ("nextKeyboard", .key, []),
      ("word", .candidate, []), ("swipe", .gesture, []),
    ] as [(String, Keyboard.Input.Event.Kind, [KeyboardEdit])])
  func `leaves the system's with plain keys`(
    key: String, kind: Keyboard.Input.Event.Kind, edits: [KeyboardEdit]
  ) {
    #expect(KeyboardRules.edits(for: .init(key, kind: kind)) == edits)
  }

  @Test(
    arguments: [
      ["select": [0, 3]], ["paste": true], [:], ["insertText": "a", "deleteBackward": 1], ["insertText": 1],
      ["setMarked": "a", "selectedRange": [1]], ["setMarked": "a", "selectedRange": [1, 0]], ["selectedRange": [0, 0]],
    ] as [JSONValue])
  func `gives it no edit that selects, or means two things`(edit: JSONValue) {
    #expect(throws: (any Error).self) { try JSONCoding.decode(KeyboardEdit.self, from: edit) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A keyboard's machine` {
  typealias Machine = KeyboardSessionStateMachine

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var before: [Machine.Event]
    var event: Machine.Event
    /// `nil` when the event is refused.
    var actions: [Machine.Action]?

    init(_ name: String, _ before: [Machine.Event], _ event: Machine.Event, _ actions: [Machine.Action]?) {
      testDescription = name
      (self.before, self.event, self.actions) = (before, event, actions)
    }
  }

  private static let custom = Machine.Event.traits(replacement: nil)
  private static let secure = Machine.Event.traits(replacement: .secureField)

  static let rows: [Row] = [
    Row("begins", [], custom, [.begin]),
    Row("does not begin for a password", [], secure, []),
    Row("begins when it is one no more", [secure], custom, [.begin]),
    Row("ends when it becomes one", [custom], secure, [.unmark, .end(.secureField)]),
    Row("begins again", [custom, secure], custom, [.begin]),
    Row("hears nothing of other traits", [custom], custom, []),
    Row("is asked about a key", [custom], .key, [.ask(tenure: 1)]),
    Row("is asked in its second turn", [custom, secure, custom], .key, [.ask(tenure: 2)]),
    Row("is not asked when it is replaced", [secure], .key, [.insert]),
    Row("answers", [custom, .key], .answer(tenure: 1), [.apply]),
    Row("answers too late", [custom, .key, secure], .answer(tenure: 1), [.insert]),
    Row("answers in a later turn", [custom, .key, secure, custom], .answer(tenure: 1), [.insert]),
    Row("answers and goes", [custom, .key, .advance], .answer(tenure: 1), [.apply]),
    Row("fails", [custom, .key], .failed(tenure: 1), [.unmark, .insert]),
    Row("fails when it was replaced already", [custom, .key, secure], .failed(tenure: 1), [.insert]),
    Row("fails late, in its second turn", [custom, .key, secure, custom], .failed(tenure: 1), [.insert]),
    Row("keeps its second turn", [custom, .key, secure, custom, .failed(tenure: 1)], .key, [.ask(tenure: 2)]),
    Row("fails in its second turn", [custom, secure, custom], .failed(tenure: 2), [.unmark, .insert]),
    Row("is not asked after it failed", [custom, .failed(tenure: 1)], .key, [.insert]),
    Row("stays away after it failed", [custom, .failed(tenure: 1)], custom, []),
    Row("edits by itself", [custom], .call, []),
    Row("edits nothing before it begins", [], .call, nil),
    Row("edits no password", [custom, secure], .call, nil),
    Row("edits nothing after it went", [custom, .advance], .call, nil),
    Row("edits nothing after it failed", [custom, .failed(tenure: 1)], .call, nil),
    Row("goes", [custom], .advance, [.unmark, .end(.switched)]),
    Row("goes once", [custom, .advance], .advance, nil),
    Row("is put away", [custom], .dismiss, [.unmark, .end(.dismissed)]),
    Row("ends with its field", [custom], .close, [.unmark, .end(.dismissed)]),
    Row("has ended before its field", [custom, .advance], .close, []),
    Row("gets no key of a closed field", [custom, .close], .key, nil),
  ]

  @Test(arguments: rows)
  func `decides who has the field`(row: Row) throws {
    var machine = Machine()
    for event in row.before { _ = try machine.event(event) }
    do throws(KeyboardRefusal) {
      let actions = try machine.event(row.event)
      #expect(actions == row.actions)
    } catch {
      #expect(row.actions == nil)
    }
  }
}
