import HostServices
import Testing

/// Which keyboard has a field after some events, how often the custom one has had it, and what is refused.
@Suite(.timeLimit(.minutes(1)))
struct `The field of a keyboard's machine` {
  typealias Machine = KeyboardSessionStateMachine

  private static let custom = Machine.Event.traits(replacement: nil)
  private static let secure = Machine.Event.traits(replacement: .secureField)
  private static let phone = Machine.Event.traits(replacement: .phonePad)

  struct Row: Sendable, CustomTestStringConvertible {
    var events: [Machine.Event]
    var state: Machine.State
    var tenure: Int
    var testDescription: String { "\(events)" }
  }

  static let rows: [Row] = [
    Row(events: [], state: .idle, tenure: 0), Row(events: [secure], state: .replaced(.secureField), tenure: 0),
    Row(events: [secure, phone], state: .replaced(.phonePad), tenure: 0),
    Row(events: [custom], state: .custom, tenure: 1), Row(events: [custom, custom], state: .custom, tenure: 1),
    Row(events: [custom, phone], state: .replaced(.phonePad), tenure: 1),
    Row(events: [custom, secure, custom], state: .custom, tenure: 2),
    Row(events: [custom, .advance], state: .left(.switched), tenure: 1),
    Row(events: [custom, .dismiss], state: .left(.dismissed), tenure: 1),
    Row(events: [custom, .advance, secure], state: .left(.switched), tenure: 1),
    Row(events: [custom, .advance, custom], state: .left(.switched), tenure: 1),
    Row(events: [custom, .failed(tenure: 1)], state: .failed, tenure: 1),
    Row(events: [custom, .failed(tenure: 1), secure], state: .failed, tenure: 1),
    Row(events: [custom, .failed(tenure: 1), custom], state: .failed, tenure: 1),
    Row(events: [custom, .failed(tenure: 2)], state: .custom, tenure: 1),
    Row(events: [custom, secure, .failed(tenure: 1)], state: .replaced(.secureField), tenure: 1),
    Row(events: [custom, .advance, .failed(tenure: 1)], state: .left(.switched), tenure: 1),
    Row(events: [custom, .key, .answer(tenure: 1), .call], state: .custom, tenure: 1),
    Row(events: [.close], state: .closed, tenure: 0), Row(events: [secure, .close], state: .closed, tenure: 0),
    Row(events: [custom, .close], state: .closed, tenure: 1),
    Row(events: [custom, .advance, .close], state: .closed, tenure: 1),
    Row(events: [custom, .failed(tenure: 1), .close], state: .closed, tenure: 1),
  ]

  @Test(arguments: rows)
  func `is with whom the events gave it to`(row: Row) throws {
    var machine = Machine()
    for event in row.events { _ = try machine.event(event) }
    #expect(machine.state == row.state)
    #expect(machine.tenure == row.tenure)
  }

  @Test(
    arguments: [
      ([.close], custom), ([.close], secure), ([.close], .advance), ([.close], .dismiss), ([.close], .call), ([], .key),
      ([], .advance), ([], .dismiss), ([secure], .advance), ([secure], .dismiss), ([secure], .call),
      ([custom, .failed(tenure: 1)], .advance), ([custom, .failed(tenure: 1)], .dismiss),
      ([custom, .dismiss], .dismiss), ([custom, .dismiss], .call),
    ] as [([Machine.Event], Machine.Event)])
  func `stays where it is when an event is refused`(before: [Machine.Event], refused: Machine.Event) throws {
    var machine = Machine()
    for event in before { _ = try machine.event(event) }
    let state = machine.state
    #expect(throws: KeyboardRefusal.noSession) { try machine.event(refused) }
    #expect(machine.state == state)
  }

  @Test(
    arguments: [
      ([secure], phone, []), ([custom, .failed(tenure: 1)], secure, []), ([custom, .advance], secure, []),
      ([custom, .advance], .key, [.insert]), ([custom, secure, custom, .advance], .answer(tenure: 1), [.insert]),
      ([custom, .close], .answer(tenure: 1), [.insert]), ([custom, .close], .failed(tenure: 1), [.insert]),
      ([], .close, []), ([secure], .close, []), ([custom, .failed(tenure: 1)], .close, []), ([.close], .close, []),
    ] as [([Machine.Event], Machine.Event, [Machine.Action])])
  func `asks for no more than an event needs`(
    before: [Machine.Event], event: Machine.Event, actions: [Machine.Action]
  ) throws {
    var machine = Machine()
    for event in before { _ = try machine.event(event) }
    #expect(try machine.event(event) == actions)
  }

  @Test func `goes to the system's keyboard for the first of several reasons`() {
    var traits = KeyboardTraits()
    traits.isSecureTextEntry = true
    traits.keyboardType = .phonePad
    #expect(KeyboardRules.replacement(for: traits, appAllowsKeyboards: false) == .hostDisallows)
    #expect(KeyboardRules.replacement(for: traits) == .secureField)
  }

  @Test(
    arguments: [
      ("a", .longPress, [.insertText("a")]), ("é👩‍👩‍👧", .tap, [.insertText("é👩‍👩‍👧")]), ("delete", .candidate, []),
      ("return", .gesture, []), ("Delete", .key, [.insertText("Delete")]), ("", .key, [.insertText("")]),
    ] as [(String, Keyboard.Input.Event.Kind, [KeyboardEdit])])
  func `takes the text of any key that has no name`(
    key: String, kind: Keyboard.Input.Event.Kind, edits: [KeyboardEdit]
  ) {
    #expect(KeyboardRules.edits(for: .init(key, kind: kind)) == edits)
  }
}
