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

/// What the server refuses or ends, and what becomes of who waits for it.
@Suite
struct `The machine of a stream that is refused` {
  private static let nothing = DataResponse(data: nil, source: .server)
  private static let answer = DataResponse(data: ["n": 1], source: .server)

  @Test func `has forgotten that once another connection has asked again`() {
    var run = MachineRun.open()
    _ = run.execute(9, MachineRun.list)
    for request in ["1", "2"] { #expect(run.refuse(request, "UNAUTHENTICATED") == [.askToken(isRefused: true)]) }
    _ = run.lose()
    _ = run.machine.handle(.fired(.reconnect))
    #expect(run.machine.handle(.opened(Secret("u"))).frames.map(\.id) == ["1", "2"])
    // What was asked for the connection before it comes now.
    #expect(run.machine.handle(.noToken).isEmpty)
    #expect(run.machine.handle(.token(Secret("u"), isForced: true)).isEmpty)
    #expect(run.receive("1", ["n": 1]) == [.deliver([1], Self.answer)])
    #expect(run.receive("2", ["n": 1]) == [.answer(9, Self.answer)])
  }

  @Test func `sends nothing more of what was refused, neither a question nor its end`() {
    var run = MachineRun.open()
    _ = run.subscribe(2, MachineRun.list)
    _ = run.refuse("1", "UNAUTHENTICATED")
    #expect(run.execute(7, MachineRun.movie) == [.single(7)])
    #expect(run.machine.handle(.unsubscribe(1)).isEmpty)
    // Nobody follows it when the token comes.
    #expect(run.machine.handle(.token(Secret("u"), isForced: true)).frames.map(\.action) == [.token])
  }

  @Test func `fails a call where there is no other token, and that one alone`() {
    var run = MachineRun.open()
    for turn in 1...2 {
      let id = UInt64(10 * turn)
      _ = run.execute(id, MachineRun.list)
      _ = run.execute(id + 1, MachineRun.create)
      #expect(run.refuse("\(2 * turn)", "UNAUTHENTICATED") == [.askToken(isRefused: true)])
      let outputs = run.machine.handle(.noToken)
      let failures = outputs.compactMap { if case .fail(id, let failure) = $0 { failure } else { nil } }
      #expect(failures.map(\.code) == [.unauthenticated] && outputs.count == 1, "turn \(turn)")
      #expect(run.receive("\(2 * turn + 1)", ["n": 1]) == [.answer(id + 1, Self.answer)])
    }
    #expect(run.machine.calls.isEmpty)
  }

  @Test func `ends what the server ends, behind its last answer, and sends a call alone`() {
    var run = MachineRun.open()
    _ = run.subscribe(2, MachineRun.list)
    _ = run.execute(7, DataOperation("other", kind: .query))
    func end(_ request: String, _ answer: DataResponse) -> [StreamMachine.Output] {
      run.machine.handle(.received(StreamReply(requestID: request, answer: answer, isCancelled: true)))
    }
    let last = end("1", Self.answer)
    let failure = last.compactMap { if case .finish([1], let failure) = $0 { failure } else { nil } }.first
    #expect(last.first == .deliver([1], Self.answer) && last.count == 2)
    #expect(failure?.code == .failed && failure?.recovery == "Subscribe again.")
    #expect(failure?.message == "The server does not follow \"getMovie\" any more.")
    #expect(end("3", Self.nothing) == [.single(7)])
    #expect(run.receive("3", ["n": 1]).isEmpty)
    #expect(end("2", Self.nothing).last == .set(.idle, StreamMachine.idleTime))
    #expect(run.machine.subscriptions.isEmpty && run.machine.calls.isEmpty)
  }

  @Test func `answers with what came before where the server says that nothing has changed`() {
    var run = MachineRun.open()
    let same = StreamMachine.Input.received(StreamReply(requestID: "1", answer: Self.nothing))
    _ = run.execute(5, MachineRun.movie)
    // There is nothing yet that could be the same.
    #expect(run.machine.handle(same).isEmpty)
    #expect(run.receive("1", ["n": 1], etag: "e1") == [.deliver([1], Self.answer), .answer(5, Self.answer)])
    for id in UInt64(6)...7 {
      #expect(run.execute(id, MachineRun.movie).frames == [StreamRequest(id: "1", action: .resume)])
      #expect(run.machine.handle(same) == [.answer(id, Self.answer)])
    }
    _ = run.lose()
    _ = run.machine.handle(.fired(.reconnect))
    #expect(run.machine.handle(.opened(nil)).frames.map(\.action) == [.subscribe(MachineRun.movie, etag: "e1")])
  }

  @Test func `rests once the last caller has given up`() {
    var run = MachineRun.open()
    _ = run.execute(7, MachineRun.list)
    _ = run.execute(8, MachineRun.create)
    #expect(run.machine.handle(.unsubscribe(1)) == [.send(StreamRequest(id: "1", action: .cancel))])
    #expect(run.machine.handle(.abandon(7)).isEmpty)
    #expect(run.machine.handle(.abandon(8)) == [.set(.idle, StreamMachine.idleTime)])
    #expect(run.machine.handle(.fired(.idle)).contains(.disconnect) && run.machine.isOver)
  }

  @Test func `has room for a thousand queries, and for another each time that one ends`() {
    var run = MachineRun.open()
    for id in UInt64(2)...1_000 { #expect(run.subscribe(id, DataOperation("q\(id)", kind: .query)).frames.count == 1) }
    for turn in UInt64(1)...3 {
      #expect(run.subscribe(5_000, MachineRun.list).frames.isEmpty, "turn \(turn)")
      // Who follows what others do needs no room.
      #expect(run.subscribe(6_000).isEmpty && run.machine.handle(.unsubscribe(6_000)).isEmpty)
      _ = run.machine.handle(.unsubscribe(turn + 1))
      #expect(run.subscribe(7_000 + turn, DataOperation("again\(turn)", kind: .query)).frames.count == 1)
    }
  }
}
