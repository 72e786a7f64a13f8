import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `A machine of a document picker` {
  typealias Machine = PickerStateMachine

  private static let paths: [(events: [Machine.Event], state: Machine.State)] = [
    ([], .idle),
    ([.prepare], .preparing),
    ([.prepare, .prepared], .browsing),
    ([.prepare, .prepared, .list], .listing),
    ([.prepare, .prepared, .list, .listed], .browsing),
    ([.prepare, .prepared, .select], .selecting),
    ([.prepare, .prepared, .select, .selected], .waiting),
    ([.prepare, .prepared, .select, .unselected], .browsing),
    ([.prepare, .prepared, .select, .unselected, .select, .selected], .waiting),
    ([.prepare, .prepared, .select, .dismiss, .unselected], .dismissed),
    ([.prepare, .prepared, .select, .dismiss], .dismissed),
    ([.prepare, .prepared, .select, .dismiss, .selected], .dismissed),
    ([.prepare, .prepared, .select, .selected, .dismiss], .dismissed),
    ([.prepare, .prepared, .dismiss], .dismissed),
    ([.prepare, .prepared, .list, .dismiss, .listed], .dismissed),
    ([.prepare, .end], .ended),
  ]

  private func machine(_ events: [Machine.Event]) throws -> Machine {
    var machine = Machine()
    for event in events { try machine.event(event) }
    return machine
  }

  @Test(arguments: paths) func `goes from state to state`(events: [Machine.Event], state: Machine.State) throws {
    #expect(try machine(events).state == state)
  }

  private static let refusals: [(events: [Machine.Event], event: Machine.Event, refusal: Machine.Refusal)] = [
    ([], .dismiss, .notPresented), ([.prepare], .dismiss, .notPresented), ([], .select, .notPresented),
    ([.prepare], .list, .notPresented), ([.prepare, .prepared, .list], .select, .busy),
    ([.prepare, .prepared, .select], .list, .busy), ([.prepare, .prepared, .select, .selected], .select, .busy),
    ([.prepare, .prepared], .unselected, .busy), ([.prepare, .prepared, .select, .selected], .unselected, .busy),
    ([.prepare, .prepared, .dismiss], .dismiss, .dismissed), ([.prepare, .prepared, .dismiss], .select, .dismissed),
    ([.prepare, .prepared, .end], .dismiss, .ended), ([.end], .prepare, .ended),
  ]

  @Test(arguments: refusals)
  func `refuses what has no place, and stays`(
    events: [Machine.Event], event: Machine.Event, refusal: Machine.Refusal
  ) throws {
    var machine = try machine(events)
    let state = machine.state
    #expect(throws: refusal) { try machine.event(event) }
    #expect(machine.state == state)
  }

  @Test(arguments: paths) func `can always end`(events: [Machine.Event], state: Machine.State) throws {
    var machine = try machine(events)
    try machine.event(.end)
    #expect(machine.state == .ended)
  }

  @Test func `says beforehand whether a grant would be heard`() throws {
    #expect(throws: Machine.Refusal.notPresented) { try machine([]).check() }
    let shown = try machine([.prepare, .prepared])
    try shown.check()
    #expect(shown.state == .browsing)
  }
}
