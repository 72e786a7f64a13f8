import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `The lifecycle of an extension's process` {
  typealias Machine = LifecycleStateMachine

  /// A machine after some events.
  static func machine(_ events: Machine.Event...) -> Machine {
    var machine = Machine()
    for event in events { _ = machine.event(event) }
    return machine
  }

  static let eligible = machine()
  static let launching = machine(.launched)
  static let ready = machine(.launched, .handshakeDone)
  static let running = machine(.launched, .handshakeDone, .requestBegan)
  static let completing = machine(.launched, .handshakeDone, .requestBegan, .requestEnded)
  static let idle = machine(
    .launched, .handshakeDone, .requestBegan, .requestEnded, .completionDone)
  static let suspended = machine(.launched, .handshakeDone, .kept)
  static let superseded = machine(.launched, .handshakeDone, .requestBegan, .replaced)
  static let terminated = machine(.launched, .exited)
  static let incompatible = machine(.launched, .handshakeRefused)

  static let everyState: [(Machine, Machine.State)] = [
    (eligible, .eligible), (launching, .launching), (ready, .ready),
    (running, .running(1)), (completing, .completing), (idle, .idle), (suspended, .suspended),
    (superseded, .superseded(1)), (terminated, .terminated(.exited)),
    (incompatible, .incompatible),
  ]

  static let everyEvent: [Machine.Event] =
    [
      .launched, .launchFailed, .handshakeDone,
      .handshakeRefused, .handshakeTimedOut, .requestBegan, .requestEnded, .completionDone, .kept, .pong, .replaced,
      .reinstated, .exited,
    ] + Machine.Timer.allCases.map { .timer($0) } + StopReason.allCases.map { .stop($0) }

  /// Every event that changes the state, for each state; every other one changes nothing.
  static let moves: [Machine.State: [Machine.Event: Machine.State]] = [
    .eligible: [.launched: .launching, .launchFailed: .terminated(.notStarted)],
    .launching: [
      .handshakeDone: .ready, .handshakeRefused: .incompatible,
      .handshakeTimedOut: .terminated(.killed(.handshakeTimeout)), .launchFailed: .terminated(.notStarted),
      .exited: .terminated(.exited),
    ],
    .ready: [
      .requestBegan: .running(1), .kept: .suspended, .replaced: .superseded(0), .exited: .terminated(.exited),
    ],
    .running(1): [
      .requestBegan: .running(2), .requestEnded: .completing, .replaced: .superseded(1),
      .exited: .terminated(.exited),
    ],
    .completing: [
      .requestBegan: .running(1), .completionDone: .idle, .timer(.completion): .idle, .replaced: .superseded(0),
      .exited: .terminated(.exited),
    ],
    .idle: [
      .requestBegan: .running(1), .kept: .suspended, .timer(.idle): .terminated(.stopped(.idle)),
      .replaced: .superseded(0), .exited: .terminated(.exited),
    ],
    .suspended: [
      .requestBegan: .running(1), .timer(.idle): .terminated(.stopped(.idle)), .replaced: .superseded(0),
      .exited: .terminated(.exited),
    ],
    .superseded(1): [
      .requestEnded: .terminated(.stopped(.update)), .reinstated: .running(1), .exited: .terminated(.exited),
    ],
  ]

  @Test(arguments: everyState) func `is reached`(machine: Machine, state: Machine.State) {
    #expect(machine.state == state)
  }

  @Test(arguments: everyState) func `moves as the table says, on every event`(
    machine: Machine, state: Machine.State
  ) {
    for event in Self.everyEvent {
      var next = machine
      _ = next.event(event)
      var expected = Self.moves[state]?[event] ?? state
      if case .stop(let reason) = event { expected = Self.stopped(state, reason) }
      #expect(next.state == expected, "\(state) on \(event)")
    }
  }

  private static func stopped(_ state: Machine.State, _ reason: StopReason) -> Machine.State {
    switch state {
    case .eligible: .terminated(.notStarted)
    case .terminated, .incompatible: state
    default: .terminated(.stopped(reason))
    }
  }

  @Test(arguments: everyState) func `ends once`(machine: Machine, state: Machine.State) {
    var machine = machine
    guard machine.isLive else { return }
    #expect(machine.event(.stop(.host)).contains(.terminate(.host)))
    for event in Self.everyEvent { #expect(machine.event(event).isEmpty, "\(event)") }
    #expect(machine.state == .terminated(.stopped(.host)))
  }

  @Test(arguments: everyState) func `ends unasked once`(machine: Machine, state: Machine.State) {
    var machine = machine
    let wasLive = machine.isLive
    _ = machine.event(.exited)
    #expect((machine.state == .terminated(.exited)) == (wasLive || state == .terminated(.exited)))
    #expect(machine.event(.exited).isEmpty)
    if wasLive { #expect(machine.event(.stop(.quit)).isEmpty) }
  }

  @Test func `warns of a slow launch, and does not end it`() {
    var machine = Self.launching
    #expect(machine.event(.timer(.slowLaunch)) == [.warn])
    #expect(machine.event(.handshakeDone) == [.cancel(.slowLaunch)])
  }

  @Test func `kills what does not shake hands`() {
    var machine = Self.launching
    #expect(
      machine.event(.handshakeTimedOut) == [.cancel(.slowLaunch), .kill(.handshakeTimeout)])
  }

  @Test func `counts its requests`() {
    var machine = Self.running
    #expect(machine.event(.requestBegan).isEmpty)
    #expect(machine.event(.requestEnded).isEmpty)
    #expect(machine.event(.requestEnded) == [.start(.completion)])
    #expect(machine.event(.requestBegan) == [.cancel(.completion)])
    #expect(machine.state == .running(1))
  }

  @Test func `is collected when it is idle for long`() {
    var machine = Self.completing
    #expect(machine.event(.completionDone) == [.cancel(.completion), .start(.idle), .start(.ping)])
    #expect(machine.event(.timer(.idle)) == [.cancel(.idle), .cancel(.ping), .terminate(.idle)])
  }

  @Test func `is hung after two pings without an answer`() {
    var machine = Self.suspended
    #expect(machine.event(.timer(.ping)) == [.ping, .start(.ping)])
    #expect(machine.event(.timer(.ping)) == [.ping, .start(.ping)])
    #expect(machine.event(.timer(.ping)) == [.cancel(.idle), .cancel(.ping), .kill(.hung)])
    #expect(machine.state == .terminated(.killed(.hung)))
  }

  @Test func `is not hung as long as it answers`() {
    var machine = Self.suspended
    for _ in 0..<10 {
      #expect(machine.event(.timer(.ping)) == [.ping, .start(.ping)])
      #expect(machine.event(.pong).isEmpty)
    }
  }

  @Test func `counts its missed pings from the last answer or the last work on`() {
    var machine = Self.suspended
    let missed: [Machine.Action] = [.ping, .start(.ping)]
    func missTwo() { for _ in 0..<2 { #expect(machine.event(.timer(.ping)) == missed) } }
    missTwo()
    #expect(machine.event(.pong).isEmpty)
    missTwo()
    for event in [Machine.Event.requestBegan, .requestEnded, .completionDone] { _ = machine.event(event) }
    #expect(machine.state == .idle)
    missTwo()
    // To be kept is no sign of life.
    #expect(machine.event(.kept).isEmpty && machine.state == .suspended)
    #expect(machine.event(.timer(.ping)) == [.cancel(.idle), .cancel(.ping), .kill(.hung)])
  }

  @Test func `is not pinged while it works`() {
    var machine = Self.suspended
    _ = machine.event(.timer(.ping))
    #expect(machine.event(.requestBegan) == [.cancel(.idle), .cancel(.ping)])
    #expect(machine.event(.timer(.ping)).isEmpty)
  }

  @Test func `drains when a newer version is there`() {
    var machine = Self.running
    _ = machine.event(.requestBegan)
    _ = machine.event(.replaced)
    #expect(!machine.takesRequests)
    #expect(machine.event(.requestEnded).isEmpty)
    #expect(machine.event(.requestEnded) == [.terminate(.update)])
  }

  @Test func `serves again when the newer version fails`() {
    var machine = Self.suspended
    #expect(machine.event(.replaced) == [.cancel(.idle), .cancel(.ping)])
    #expect(!machine.takesRequests)
    #expect(machine.event(.reinstated) == [.start(.idle), .start(.ping)])
    #expect(machine.takesRequests)
  }

  @Test func `goes on with the requests that are open when the newer version fails, again and again`() {
    var machine = Self.running
    for count in 2...4 {
      #expect(machine.event(.requestBegan).isEmpty && machine.event(.requestBegan).isEmpty)
      #expect(machine.event(.replaced).isEmpty && machine.state == .superseded(count + 1))
      #expect(machine.event(.requestBegan).isEmpty && machine.event(.requestEnded).isEmpty)
      #expect(machine.event(.reinstated).isEmpty && machine.state == .running(count))
      #expect(machine.takesRequests)
    }
  }
}
