import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `The course of a photo edit` {
  typealias Machine = PhotoEditingStateMachine

  /// A machine after some events.
  private func machine(_ events: Machine.Event...) throws -> Machine {
    var machine = Machine()
    for event in events { _ = try machine.event(event) }
    return machine
  }

  @Test func `goes from a new photo to a saved one`() throws {
    var machine = Machine()
    #expect(try machine.event(.begin) == [.start(fromOriginal: false)])
    #expect(try machine.event(.started) == [])
    #expect(try machine.event(.finish) == [.finish])
    #expect(try machine.event(.output) == [.save])
    #expect(try machine.event(.consumed) == [.tellConsumed, .end])
    #expect(machine.state == .ended)
  }

  @Test(arguments: [(Machine.Event.canHandle, true), (.cannotHandle, false)])
  func `asks first when the photo was edited before`(answer: Machine.Event, fromOriginal: Bool) throws {
    var machine = Machine()
    #expect(try machine.event(.beginAgain) == [.askCanHandle])
    #expect(try machine.event(answer) == [.start(fromOriginal: fromOriginal)])
  }

  @Test func `ends without an output when there is nothing to save`() throws {
    var machine = try machine(.begin, .started, .finish)
    #expect(try machine.event(.noOutput) == [.end])
  }

  @Test func `discards what a finish brings after a cancel, before and after the cancel is answered`() throws {
    var machine = try machine(.begin, .started, .finish)
    #expect(try machine.event(.cancel) == [.cancel])
    #expect(try machine.event(.output) == [.discard])
    #expect(try machine.event(.cancelled) == [.end])
    #expect(try machine.event(.output) == [.discard])
    #expect(machine.wasCancelled)
  }

  @Test(arguments: [Machine.Event.begin, .beginAgain])
  func `refuses a second session while one is open`(event: Machine.Event) throws {
    for open in [
      try machine(.beginAgain), try machine(.begin), try machine(.begin, .started),
      try machine(.begin, .started, .finish), try machine(.begin, .started, .finish, .output),
      try machine(.begin, .started, .cancel),
    ] {
      var machine = open
      #expect(throws: PhotoEditingRefusal.sessionBusy) { _ = try machine.event(event) }
      #expect(machine.state == open.state)
    }
  }

  @Test(arguments: [Machine.Event.finish, .cancel, .consumed])
  func `refuses what needs a session where there is none`(event: Machine.Event) throws {
    for closed in [Machine(), try machine(.begin, .failed)] {
      var machine = closed
      #expect(throws: PhotoEditingRefusal.noSession) { _ = try machine.event(event) }
    }
  }

  @Test func `can end by a failure from everywhere`() throws {
    for open in [
      try machine(.beginAgain), try machine(.begin), try machine(.begin, .started),
      try machine(.begin, .started, .finish), try machine(.begin, .started, .finish, .output),
      try machine(.begin, .started, .cancel),
    ] {
      var machine = open
      #expect(try machine.event(.failed) == [.end])
      #expect(machine.state == .ended)
    }
  }

  @Test func `answers every event in every state, and never starts twice`() throws {
    // Every sequence of four events: whatever is refused leaves the state as it was.
    for first in Machine.Event.allCases {
      for second in Machine.Event.allCases {
        for third in Machine.Event.allCases {
          for fourth in Machine.Event.allCases {
            var machine = Machine()
            var starts = 0
            for event in [first, second, third, fourth] {
              let before = machine.state
              do {
                let actions = try machine.event(event)
                starts += actions.contains { if case .start = $0 { true } else { false } } ? 1 : 0
              } catch {
                #expect(machine.state == before)
              }
            }
            #expect(starts <= 1)
          }
        }
      }
    }
  }
}
