import ConfigurationFiles
import JSON
import Testing

@testable import DataConnectClient

/// The second time round: what a stream counts and marks is cleared once things go well.
@Suite
struct `The machine of a stream that has recovered` {
  private static let refused: StreamReply = {
    let error: JSONValue = ["message": "no", "extensions": ["code": "UNAUTHENTICATED"]]
    return StreamReply(requestID: nil, answer: DataResponse(data: nil, errors: [error], source: .server))
  }()

  @Test func `asks for another token each time that one is refused`() {
    var run = MachineRun.open()
    for turn in 1...3 {
      #expect(run.refuse("1", "UNAUTHENTICATED") == [.askToken(isRefused: true)], "turn \(turn)")
      #expect(run.machine.handle(.token(Secret("t\(turn)"))).frames.map(\.id) == [nil, "1"])
      guard case .deliver([1], _)? = run.receive("1", ["n": JSONValue(turn)]).first else {
        return #expect(Bool(false), "turn \(turn)")
      }
    }
    // Twice in a row is once too often.
    _ = run.refuse("1", "UNAUTHENTICATED")
    _ = run.machine.handle(.token(Secret("last")))
    guard case .finish([1], _)? = run.refuse("1", "UNAUTHENTICATED").first else { return #expect(Bool(false)) }
  }

  @Test func `counts connections that are refused for their token from the last answer on`() {
    var run = MachineRun.open()
    for turn in 1...3 {
      #expect(run.machine.handle(.received(Self.refused)).first == .disconnect, "turn \(turn)")
      #expect(run.machine.handle(.fired(.reconnect)) == [.connect(isRefused: true)])
      _ = run.machine.handle(.opened(Secret("t\(turn)")))
      #expect(run.receive("1", ["n": JSONValue(turn)]).count == 1)
    }
    _ = run.lose()
    #expect(run.machine.handle(.fired(.reconnect)) == [.connect(isRefused: false)])
  }

  @Test func `is patient again once a connection has held for half a minute`() {
    var run = MachineRun()
    _ = run.subscribe(1)
    for turn in 1...3 {
      for _ in 1..<StreamMachine.patientAttempts {
        #expect(!run.lose().contains { if case .finish = $0 { true } else { false } }, "turn \(turn)")
        _ = run.machine.handle(.fired(.reconnect))
      }
      _ = run.machine.handle(.opened(nil))
      _ = run.machine.handle(.fired(.token))
    }
    for attempt in 1...StreamMachine.patientAttempts {
      let isOver = run.lose().contains { if case .finish([1], _) = $0 { true } else { false } }
      #expect(isOver == (attempt == StreamMachine.patientAttempts))
      _ = run.machine.handle(.fired(.reconnect))
    }
  }

  @Test func `sends its token with the first frame of each connection`() {
    var run = MachineRun.open()
    _ = run.receive("1", ["n": 0])
    for turn in 1...3 {
      _ = run.lose()
      _ = run.machine.handle(.fired(.reconnect))
      let frames = run.machine.handle(.opened(Secret("t\(turn)"))).frames
      #expect(frames.map(\.token) == [Secret("t\(turn)")] && frames.map(\.isFirst) == [true])
      #expect(run.execute(UInt64(10 + turn), MachineRun.create).frames.map(\.token) == [nil])
    }
  }

  @Test func `asks each time for the answer of what is followed, and answers each caller once`() {
    var run = MachineRun.open()
    for turn in 1...3 {
      let id = UInt64(10 + turn)
      #expect(run.execute(id, MachineRun.movie).frames == [StreamRequest(id: "1", action: .resume)])
      let answer = DataResponse(data: ["n": JSONValue(turn)], source: .server)
      #expect(run.receive("1", ["n": JSONValue(turn)]) == [.deliver([1], answer), .answer(id, answer)])
    }
  }

  @Test func `has room for as many operations as before`() {
    var run = MachineRun.open()
    for turn in 0..<3 {
      for place in 0..<StreamMachine.mostCalls {
        let id = UInt64(turn * 100 + place)
        #expect(run.execute(id, MachineRun.list).frames.count == 1)
      }
      #expect(run.execute(999, MachineRun.list) == [.single(999)])
      for place in 0..<StreamMachine.mostCalls {
        // Request 1 is the subscription's.
        let request = "\(2 + turn * StreamMachine.mostCalls + place)"
        guard case .answer? = run.receive(request, ["n": 1]).first else { return #expect(Bool(false), "\(request)") }
      }
    }
  }

  @Test func `makes nothing of what comes late`() {
    var run = MachineRun.open()
    _ = run.execute(7, MachineRun.list)
    _ = run.machine.handle(.abandon(7))
    #expect(run.receive("2", ["n": 1]).isEmpty)
    _ = run.lose()
    #expect(run.receive("1", ["n": 1]).isEmpty)
    #expect(run.lose().isEmpty)
    #expect(run.machine.handle(.token(Secret("u"))).isEmpty)
    #expect(run.machine.handle(.noToken).isEmpty)
    #expect(run.machine.handle(.fired(.token)).isEmpty && run.machine.handle(.fired(.idle)).isEmpty)
    #expect(run.machine.handle(.fired(.reconnect)) == [.connect(isRefused: false)])
    #expect(run.machine.handle(.fired(.reconnect)).isEmpty)
    _ = run.machine.handle(.opened(nil))
    #expect(run.machine.handle(.opened(nil)).isEmpty)
    _ = run.machine.handle(.unsubscribe(1))
    #expect(run.machine.handle(.unsubscribe(1)).isEmpty)
  }

  @Test func `is made anew after a rest, with nothing that was counted before`() {
    var run = MachineRun.open()
    _ = run.machine.handle(.received(Self.refused))
    _ = run.machine.handle(.unsubscribe(1))
    #expect(run.machine.isOver)
    #expect(run.subscribe(2) == [.connect(isRefused: false)])
    for attempt in 1...StreamMachine.patientAttempts {
      let isOver = run.lose().contains { if case .finish([2], _) = $0 { true } else { false } }
      #expect(isOver == (attempt == StreamMachine.patientAttempts), "attempt \(attempt)")
      _ = run.machine.handle(.fired(.reconnect))
    }
  }

  @Test func `has as many waiting for one answer as for others, and those who go wait no more`() {
    var run = MachineRun.open()
    let most = UInt64(StreamMachine.mostCalls)
    for id in 100..<100 + most { #expect(!run.execute(id, MachineRun.movie).contains(.single(id))) }
    #expect(run.execute(999, MachineRun.movie) == [.single(999)])
    _ = run.machine.handle(.abandon(100))
    #expect(run.execute(998, MachineRun.movie).isEmpty)
    let answered = run.receive("1", ["n": 1]).compactMap { if case .answer(let id, _) = $0 { id } else { nil } }
    #expect(answered == Array(101..<100 + most) + [998])
  }

  @Test func `stops its rest when it is used again, also for a caller alone`() {
    var run = MachineRun.open()
    _ = run.subscribe(2, MachineRun.list)
    #expect(run.machine.handle(.unsubscribe(2)).filter { if case .set = $0 { true } else { false } }.isEmpty)
    _ = run.execute(7, MachineRun.create)
    #expect(run.machine.handle(.unsubscribe(1)).filter { if case .set = $0 { true } else { false } }.isEmpty)
    #expect(run.machine.handle(.fired(.idle)).isEmpty)
    // The answer to the last caller begins the rest.
    #expect(run.receive("3", ["n": 1]).contains(.set(.idle, StreamMachine.idleTime)))
    #expect(run.subscribe(3).first == .clear(.idle))
    #expect(run.machine.handle(.fired(.idle)).isEmpty)
  }

  @Test func `gives a late follower nothing of a subscription that has ended`() {
    var run = MachineRun.open()
    _ = run.receive("1", ["n": 1])
    _ = run.machine.handle(.unsubscribe(1))
    #expect(run.subscribe(2).frames.map(\.action) == [.subscribe(MachineRun.movie, etag: nil)])
    #expect(run.receive("1", ["n": 2]).isEmpty, "the answer to what was cancelled")
    #expect(run.receive("2", ["n": 3]) == [.deliver([2], DataResponse(data: ["n": 3], source: .server))])
    #expect(run.machine.handle(.foundNothing(2)).isEmpty && run.machine.handle(.foundNothing(1)).isEmpty)
  }
}
