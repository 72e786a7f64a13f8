import ConfigurationFiles
import JSON
import Testing

@testable import DataConnectClient

/// A machine with what it said.
struct MachineRun {
  var machine = StreamMachine(.test(port: 9_399)) { 0.5 }

  static let movie = DataOperation("getMovie", kind: .query, variables: ["id": 1])
  static let list = DataOperation("listMovies", kind: .query)
  static let create = DataOperation("createMovie", kind: .mutation)
  static let gone = DataConnectFailure(.unavailable, "gone", recovery: "wait")

  mutating func subscribe(_ id: UInt64, _ operation: DataOperation = movie) -> [StreamMachine.Output] {
    machine.handle(.subscribe(id, operation, key: operation.name))
  }

  mutating func execute(_ id: UInt64, _ operation: DataOperation) -> [StreamMachine.Output] {
    machine.handle(.execute(id, operation, key: operation.name))
  }

  mutating func receive(_ request: String, _ data: JSONValue, etag: String? = nil) -> [StreamMachine.Output] {
    machine.handle(
      .received(StreamReply(requestID: request, answer: DataResponse(data: data, source: .server), etag: etag)))
  }

  mutating func refuse(_ request: String, _ code: String) -> [StreamMachine.Output] {
    let error: JSONValue = ["message": "no", "extensions": ["code": .string(code)]]
    return machine.handle(
      .received(StreamReply(requestID: request, answer: DataResponse(data: nil, errors: [error], source: .server))))
  }

  mutating func lose() -> [StreamMachine.Output] { machine.handle(.closed(Self.gone, isFinal: false)) }

  /// One that follows `getMovie` as 1, and is open.
  static func open() -> MachineRun {
    var run = MachineRun()
    _ = run.subscribe(1)
    _ = run.machine.handle(.opened(Secret("t")))
    return run
  }
}

extension [StreamMachine.Output] {
  var frames: [StreamRequest] { compactMap { if case .send(let request) = $0 { request } else { nil } } }
}

@Suite
struct `The machine of a stream` {
  @Test func `Operations go alone until something is followed and the connection is open`() {
    var run = MachineRun()
    #expect(run.execute(1, MachineRun.list) == [.single(1)])
    #expect(run.subscribe(2) == [.connect(isRefused: false)])
    #expect(run.execute(3, MachineRun.list) == [.single(3)])
    _ = run.machine.handle(.opened(nil))
    #expect(run.execute(4, MachineRun.create).frames.map(\.action) == [.execute(MachineRun.create)])
  }

  @Test func `The first frame alone names the connector and carries the token`() {
    var run = MachineRun()
    _ = run.subscribe(1)
    _ = run.subscribe(2, MachineRun.list)
    let frames = run.machine.handle(.opened(Secret("t"))).frames
    #expect(
      frames == [
        StreamRequest(id: "1", action: .subscribe(MachineRun.movie, etag: nil), token: Secret("t"), isFirst: true),
        StreamRequest(id: "2", action: .subscribe(MachineRun.list, etag: nil)),
      ])
    #expect(
      frames[0].text(connector: "c", clientName: "n")
        == #"{"requestId":"1","name":"c","headers":{"X-Goog-Api-Client":"n","X-Firebase-Auth-Token":"t"},"#
        + #""subscribe":{"operationName":"getMovie","variables":{"id":1}}}"#)
    #expect(
      frames[1].text(connector: "c", clientName: "n")
        == #"{"requestId":"2","subscribe":{"operationName":"listMovies","variables":{}}}"#)
  }

  @Test func `A hundred who follow the same share one subscription, and the late get the last answer`() {
    var run = MachineRun.open()
    for id in 2...99 { #expect(run.subscribe(UInt64(id)).isEmpty) }
    let answer = DataResponse(data: ["n": 1], source: .server)
    #expect(run.receive("1", ["n": 1]) == [.deliver(Array(1...99), answer)])
    #expect(run.subscribe(100) == [.deliver([100], answer)])
    for id in 1...99 { #expect(run.machine.handle(.unsubscribe(UInt64(id))).isEmpty) }
    #expect(
      run.machine.handle(.unsubscribe(100)) == [
        .send(StreamRequest(id: "1", action: .cancel)), .set(.idle, StreamMachine.idleTime),
      ])
  }

  @Test func `Whoever looks at what is kept gets the last answer only where nothing was`() {
    var run = MachineRun.open()
    _ = run.receive("1", ["n": 1])
    let operation = MachineRun.movie
    #expect(run.machine.handle(.subscribe(2, operation, key: operation.name, looksFirst: true)).isEmpty)
    #expect(run.machine.handle(.foundNothing(2)) == [.deliver([2], DataResponse(data: ["n": 1], source: .server))])
    #expect(run.machine.handle(.foundNothing(2)).isEmpty)
    _ = run.machine.handle(.subscribe(3, operation, key: operation.name, looksFirst: true))
    _ = run.receive("1", ["n": 2])
    #expect(run.machine.handle(.foundNothing(3)).isEmpty)
  }

  @Test func `Executing what is followed asks for its answer again`() {
    var run = MachineRun.open()
    #expect(run.execute(7, MachineRun.movie).frames == [StreamRequest(id: "1", action: .resume)])
    #expect(run.execute(8, MachineRun.movie).isEmpty)
    let answer = DataResponse(data: ["n": 1], source: .server)
    #expect(
      run.receive("1", ["n": 1]) == [.deliver([1], answer), .answer(7, answer), .answer(8, answer)])
  }

  @Test func `A connection without use ends after a while, and is used again before`() {
    var run = MachineRun.open()
    _ = run.machine.handle(.unsubscribe(1))
    #expect(run.execute(5, MachineRun.list) == [.single(5)])
    #expect(run.subscribe(2).frames.map(\.id) == ["2"])
    #expect(run.machine.handle(.fired(.idle)).isEmpty)
    _ = run.machine.handle(.unsubscribe(2))
    #expect(run.machine.handle(.fired(.idle)).contains(.disconnect))
    #expect(run.machine.isOver)
  }

  @Test func `Whoever goes while the connection is made leaves none`() {
    var run = MachineRun()
    _ = run.subscribe(1)
    #expect(run.machine.handle(.unsubscribe(1)).contains(.disconnect))
    #expect(run.machine.handle(.opened(nil)).isEmpty)
    #expect(run.machine.isOver)
  }

  @Test func `Another token travels alone, the same one not`() {
    var run = MachineRun.open()
    #expect(run.machine.handle(.token(Secret("t"))).isEmpty)
    let frames = run.machine.handle(.token(Secret("u"))).frames
    #expect(frames == [StreamRequest(id: nil, action: .token, token: Secret("u"))])
    #expect(frames[0].text(connector: "c", clientName: "n") == #"{"headers":{"X-Firebase-Auth-Token":"u"}}"#)
    #expect(
      run.machine.handle(.fired(.token)) == [.askToken(isRefused: false), .set(.token, StreamMachine.tokenInterval)])
  }

  @Test func `What is refused for its token is asked once more with another`() {
    var run = MachineRun.open()
    _ = run.execute(9, MachineRun.list)
    #expect(run.refuse("1", "UNAUTHENTICATED") == [.askToken(isRefused: true)])
    #expect(run.refuse("2", "UNAUTHENTICATED") == [.askToken(isRefused: true)])
    let again = run.machine.handle(.token(Secret("u"))).frames
    #expect(again.map(\.id) == [nil, "1", "2"])
    let outputs = run.refuse("2", "UNAUTHENTICATED")
    guard case .fail(9, let failure)? = outputs.first else { return #expect(Bool(false), "\(outputs)") }
    #expect(failure.code == .unauthenticated)
    guard case .finish([1], _)? = run.refuse("1", "UNAUTHENTICATED").first else { return #expect(Bool(false)) }
  }

  @Test(arguments: [true, false])
  func `What is refused fails where there is no other token, and nothing else`(_ isSame: Bool) {
    var run = MachineRun.open()
    _ = run.subscribe(2, MachineRun.list)
    _ = run.refuse("1", "UNAUTHENTICATED")
    let outputs = run.machine.handle(isSame ? .token(Secret("t"), isForced: true) : .noToken)
    guard case .finish([1], let failure)? = outputs.first, outputs.count == 1 else { return #expect(Bool(false)) }
    #expect(failure.code == .unauthenticated)
  }

  @Test func `What is refused waits for the token that is asked for, whatever others look for meanwhile`() {
    var run = MachineRun.open()
    _ = run.execute(9, MachineRun.list)
    #expect(run.refuse("1", "UNAUTHENTICATED") == [.askToken(isRefused: true)])
    #expect(run.refuse("2", "UNAUTHENTICATED") == [.askToken(isRefused: true)])
    // An operation looks for its token before it goes, and finds the one that is kept.
    #expect(run.machine.handle(.token(Secret("t"))).isEmpty)
    #expect(run.machine.handle(.token(Secret("u"), isForced: true)).frames.map(\.id) == [nil, "1", "2"])
    // Nothing is refused any more.
    #expect(run.machine.handle(.token(Secret("u"), isForced: true)).isEmpty)
  }

  @Test func `An operation that is not there ends its subscription alone`() {
    var run = MachineRun.open()
    _ = run.subscribe(2, MachineRun.list)
    let outputs = run.refuse("2", "NOT_FOUND")
    guard case .finish([2], let failure)? = outputs.first, outputs.count == 1 else {
      return #expect(Bool(false), "\(outputs)")
    }
    #expect(failure.code == .notFound && failure.recovery.contains("Is it deployed?"))
    #expect(run.receive("1", ["n": 1]).count == 1)
  }

  @Test func `Errors with a path are an answer`() {
    var run = MachineRun.open()
    let error: JSONValue = ["message": "no", "path": ["movie"], "extensions": ["code": "NOT_FOUND"]]
    let answer = DataResponse(data: .null, errors: [error], source: .server)
    let reply = StreamReply(requestID: "1", answer: answer)
    #expect(run.machine.handle(.received(reply)) == [.deliver([1], answer)])
  }

  @Test func `A frame without a request breaks the connection off, one of an unknown request does nothing`() {
    var run = MachineRun.open()
    #expect(run.receive("77", ["n": 1]).isEmpty)
    let outputs = run.machine.handle(
      .received(StreamReply(requestID: nil, answer: DataResponse(data: [:], source: .server))))
    #expect(outputs.first == .disconnect && run.machine.phase == .waiting)
  }

  @Test func `A connection that is refused for its token is made once more with a new one`() {
    var run = MachineRun.open()
    let error: JSONValue = ["message": "no", "extensions": ["code": "UNAUTHENTICATED"]]
    let reply = StreamReply(
      requestID: nil, answer: DataResponse(data: nil, errors: [error], source: .server), isCancelled: true)
    #expect(run.machine.handle(.received(reply)).first == .disconnect)
    #expect(run.machine.handle(.fired(.reconnect)) == [.connect(isRefused: true)])
    _ = run.machine.handle(.opened(Secret("u")))
    guard case .finish([1], let failure)? = run.machine.handle(.received(reply)).first else {
      return #expect(Bool(false))
    }
    #expect(failure.code == .unauthenticated && run.machine.isOver)
  }

  @Test func `More operations than a stream carries at once go alone`() {
    var run = MachineRun.open()
    for id in 0..<UInt64(StreamMachine.mostCalls) { #expect(run.execute(id, MachineRun.list).frames.count == 1) }
    #expect(run.execute(99, MachineRun.list) == [.single(99)])
  }

  @Test func `Another user ends everything`() {
    var run = MachineRun.open()
    _ = run.subscribe(2)
    _ = run.subscribe(3, MachineRun.list)
    _ = run.execute(4, MachineRun.create)
    _ = run.execute(5, MachineRun.movie)
    let outputs = run.machine.handle(.end(.userChanged))
    for output in [
      StreamMachine.Output.finish([1, 2], .userChanged), .finish([3], .userChanged), .fail(4, .userChanged),
      .fail(5, .userChanged), .disconnect,
    ] { #expect(outputs.contains(output)) }
    #expect(run.machine.isOver)
  }

  @Test func `More subscriptions than one connection carries are refused`() {
    var run = MachineRun.open()
    for id in 2...UInt64(StreamMachine.mostSubscriptions) {
      _ = run.subscribe(id, DataOperation("q\(id)", kind: .query))
    }
    guard case .finish([5_000], let failure)? = run.subscribe(5_000, MachineRun.list).first else {
      return #expect(Bool(false))
    }
    #expect(failure.code == .failed)
  }
}
