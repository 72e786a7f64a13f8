import ConfigurationFiles
import JSON
import Testing

@testable import DataConnectClient

@Suite
struct `The machine of a stream that is lost` {
  @Test func `After a loss subscriptions and queries are sent again, mutations fail`() {
    var run = MachineRun.open()
    _ = run.subscribe(2, MachineRun.list)
    _ = run.receive("1", ["n": 1], etag: "e1")
    _ = run.execute(10, DataOperation("other", kind: .query))
    _ = run.execute(11, MachineRun.create)
    let outputs = run.lose()
    let failure = outputs.compactMap { if case .fail(11, let failure) = $0 { failure } else { nil } }.first
    #expect(failure?.message.hasPrefix("Stream terminated") == true)
    #expect(failure?.code == .unavailable)
    #expect(outputs.last == .set(.reconnect, .seconds(1)))
    #expect(run.machine.handle(.fired(.reconnect)) == [.connect(isRefused: false)])
    let frames = run.machine.handle(.opened(Secret("t"))).frames
    #expect(
      frames.map(\.action) == [
        .subscribe(MachineRun.movie, etag: "e1"), .subscribe(MachineRun.list, etag: nil),
        .execute(DataOperation("other", kind: .query)),
      ])
    #expect(frames.map(\.isFirst) == [true, false, false])
    let answer = DataResponse(data: ["n": 2], source: .server)
    #expect(run.receive("3", ["n": 2]) == [.answer(10, answer)])
    #expect(run.receive("1", ["n": 2]) == [.deliver([1], answer)])
  }

  @Test func `Who waits for an answer that may be the same gets it`() {
    var run = MachineRun.open()
    _ = run.receive("1", ["n": 1], etag: "e1")
    _ = run.execute(5, MachineRun.movie)
    _ = run.lose()
    _ = run.machine.handle(.fired(.reconnect))
    #expect(run.machine.handle(.opened(nil)).frames.map(\.action) == [.subscribe(MachineRun.movie, etag: nil)])
  }

  @Test func `Attempts wait longer and longer, until a connection holds for a while`() {
    var run = MachineRun.open()
    _ = run.receive("1", ["n": 1])
    var delays: [Duration] = []
    for _ in 0..<20 {
      if case .set(.reconnect, let delay)? = run.lose().last { delays.append(delay) }
      _ = run.machine.handle(.fired(.reconnect))
    }
    #expect(delays.prefix(3) == [.seconds(1), .milliseconds(1_300), .milliseconds(1_690)])
    #expect(delays.count == 20 && delays.last == .seconds(30))
    _ = run.machine.handle(.opened(nil))
    _ = run.receive("1", ["n": 1])
    #expect(run.lose().last == .set(.reconnect, .seconds(30)))
    _ = run.machine.handle(.fired(.reconnect))
    _ = run.machine.handle(.opened(nil))
    _ = run.machine.handle(.fired(.token))
    #expect(run.lose().last == .set(.reconnect, .seconds(1)))
  }

  @Test(arguments: [(1, 0.0, 900), (1, 1.0, 1_100), (2, 0.5, 1_300), (13, 1.0, 25_627), (1_000_000, 1.0, 30_000)])
  func `Delays vary by a tenth and have an end`(_ attempt: Int, _ random: Double, _ milliseconds: Int) {
    #expect(ReconnectDelay.after(attempt: attempt, random: random) == .milliseconds(milliseconds))
  }

  @Test func `Who has no answer is told after some attempts, who has one waits`() {
    var run = MachineRun.open()
    _ = run.receive("1", ["n": 1])
    _ = run.subscribe(2, MachineRun.list)
    for _ in 1..<StreamMachine.patientAttempts {
      #expect(!run.lose().contains(.finish([2], MachineRun.gone)))
      _ = run.machine.handle(.fired(.reconnect))
    }
    #expect(run.lose().contains(.finish([2], MachineRun.gone)))
    #expect(run.machine.subscriptions.keys.sorted() == ["getMovie"])
  }

  @Test func `A server without streams ends everything, and what waits goes alone`() {
    var run = MachineRun.open()
    _ = run.receive("1", ["n": 1])
    _ = run.execute(5, MachineRun.movie)
    _ = run.execute(6, MachineRun.list)
    _ = run.lose()
    _ = run.machine.handle(.fired(.reconnect))
    let outputs = run.machine.handle(.closed(MachineRun.gone, isFinal: true))
    for output in [StreamMachine.Output.finish([1], MachineRun.gone), .single(5), .single(6), .disconnect] {
      #expect(outputs.contains(output))
    }
    #expect(run.machine.isOver)
  }

  @Test func `The last who leaves while nothing is connected ends the attempts`() {
    var run = MachineRun.open()
    _ = run.lose()
    let outputs = run.machine.handle(.unsubscribe(1))
    #expect(outputs.contains(.clear(.reconnect)) && run.machine.isOver)
    #expect(run.machine.handle(.fired(.reconnect)).isEmpty)
  }

  @Test func `Who waits for an answer of what nobody follows any more asks alone`() {
    var run = MachineRun.open()
    _ = run.execute(5, MachineRun.movie)
    #expect(run.machine.handle(.unsubscribe(1)).contains(.single(5)))
  }

  @Test func `Whatever comes in whatever order, the machine stays sound`() {
    var random = SystemRandomNumberGenerator()
    let operations = (0..<4).map { DataOperation("q\($0)", kind: $0 == 3 ? .mutation : .query) }
    for _ in 0..<200 {
      var run = MachineRun()
      var following: Set<UInt64> = []
      var waiting: Set<UInt64> = []
      for id in 1...200 {
        let id = UInt64(id)
        let operation = operations[Int.random(in: 0..<4, using: &random)]
        let outputs: [StreamMachine.Output]
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1:
          following.insert(id)
          outputs = run.subscribe(id, operation)
        case 2, 3:
          waiting.insert(id)
          outputs = run.execute(id, operation)
        case 4:
          guard let one = following.popFirst() else { continue }
          outputs = run.machine.handle(.unsubscribe(one))
        case 5:
          guard let one = waiting.popFirst() else { continue }
          outputs = run.machine.handle(.abandon(one))
        case 6: outputs = run.machine.handle(.opened(Secret("\(id)")))
        case 7: outputs = run.receive(String(Int.random(in: 1...20, using: &random)), ["n": 1])
        case 8: outputs = run.refuse(String(Int.random(in: 1...20, using: &random)), "UNAUTHENTICATED")
        case 9: outputs = run.machine.handle(.closed(MachineRun.gone, isFinal: Bool.random(using: &random)))
        default: outputs = run.machine.handle(.fired([.reconnect, .idle, .token].randomElement(using: &random)!))
        }
        for output in outputs {
          switch output {
          case .finish(let ids, _):
            for id in ids { #expect(following.remove(id) != nil) }
          case .answer(let id, _), .fail(let id, _), .single(let id): #expect(waiting.remove(id) != nil)
          case .send: #expect(run.machine.phase == .open || run.machine.phase == .closed)
          default: break
          }
        }
      }
      let left = Set(run.machine.subscriptions.values.flatMap(\.subscribers))
      #expect(left == following)
      let calls = Set(run.machine.calls.values.map(\.id) + run.machine.subscriptions.values.flatMap(\.waiting))
      #expect(calls == waiting)
      if run.machine.phase == .closed { #expect(run.machine.isOver) }
      let outputs = run.machine.handle(.end(.cancelled))
      #expect(run.machine.isOver, "\(outputs)")
    }
  }
}
