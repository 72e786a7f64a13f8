import EventLoop
import Synchronization
import Testing

@testable import JSON
@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `Progress` {
  @Test func `is sent ten times a second, the last of several, and only while it grows`() {
    var meter = ProgressMeter()
    let step = ProgressMeter.interval
    #expect(verdict(&meter, 1, 1000) == .send)
    #expect(verdict(&meter, 1, 1000 + 2 * step) == .ignore)
    #expect(verdict(&meter, .nan, 1000 + 2 * step) == .ignore)
    #expect(verdict(&meter, 2, 1001) == .keep(until: 1000 + step))
    #expect(verdict(&meter, 3, 1002) == .keep(until: nil))
    let kept = meter.due(at: 1000 + step)
    #expect(kept == CallProgress(3))
    let nothing = meter.due(at: 1000 + 2 * step)
    #expect(nothing == nil)
    #expect(verdict(&meter, 4, 1000 + 3 * step) == .send)
    meter.finish()
    #expect(verdict(&meter, 5, 1000 + 9 * step) == .ignore)
  }

  @Test func `is sent from the end of the interval on, and kept until then`() {
    let step = ProgressMeter.interval
    for (late, expected) in [(step, ProgressMeter.Verdict.send), (step - 1, .keep(until: 1000 + step))] {
      var meter = ProgressMeter()
      #expect(verdict(&meter, -5, 1000) == .send)
      #expect(verdict(&meter, -4, 1000 + late) == expected)
    }
    var meter = ProgressMeter()
    for number in 0..<3 {
      let start = UInt64(number) * 10 * step + 1000
      #expect(verdict(&meter, Double(3 * number), start) == .send)
      #expect(verdict(&meter, Double(3 * number) + 1, start + 5) == .keep(until: start + step))
      // The timer is late: what comes before it is kept, too.
      #expect(verdict(&meter, Double(3 * number) + 2, start + 2 * step) == .keep(until: nil))
      #expect(meter.due(at: start + 3 * step) == CallProgress(Double(3 * number) + 2))
      #expect(meter.due(at: start + 3 * step) == nil)
    }
    let end = 23 * step + 1000
    #expect(verdict(&meter, 100, end + step - 1) == .keep(until: end + step))
    meter.finish()
    #expect(meter.due(at: end + step) == nil && verdict(&meter, .infinity, end + 9 * step) == .ignore)
  }

  private func verdict(_ meter: inout ProgressMeter, _ progress: Double, _ now: UInt64) -> ProgressMeter.Verdict {
    meter.report(CallProgress(progress), at: now)
  }

  @Test func `of a call puts its deadline off, but not the hard one`() {
    var calls = CallStateMachine<String>(limit: 4)
    let id = calls.nextID()
    _ = calls.begin(
      id, "a", due: 100, watch: .init(report: { _ in }, timeout: 100, hardDue: 250))
    #expect(describe(calls.progressed(id, to: 1, at: 90)) == "tell")
    #expect(calls.nextDue == 190)
    #expect(describe(calls.progressed(id, to: 1, at: 95)) == "ignore")
    #expect(calls.nextDue == 190)
    #expect(describe(calls.progressed(id, to: 2, at: 180)) == "tell")
    #expect(calls.nextDue == 250)
    #expect(describe(calls.progressed(99, to: 2, at: 180)) == "unknown")
    #expect(calls.expire(at: 250).map(\.waiter) == ["a"])
    #expect(describe(calls.progressed(id, to: 3, at: 260)) == "unknown")
  }

  private func describe(_ outcome: CallStateMachine<String>.Progressed) -> String {
    switch outcome {
    case .tell: "tell"
    case .ignore: "ignore"
    case .unknown: "unknown"
    }
  }

  @Test func `of a handler reaches the caller that asked, in order`() async throws {
    let heard = ProgressLog()
    try await withPair { client, _ in
      // The server of the pair knows no progress: the raw peer of the next test plays it.
      _ = try await client.call(
        "number", [1], returning: Int.self, deadline: .seconds(5), onProgress: { heard.add($0) })
    }
    #expect(heard.all.isEmpty)
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (near, far) = Connection.pair(on: loop)
    async let first = near.run(handler: Stepping())
    async let second = far.run(handler: NoHandler())
    _ = try await far.call(
      "step", [String: String](), returning: Nothing.self, deadline: .seconds(20),
      onProgress: { heard.add($0) })
    let reports = heard.all
    #expect(reports.first == CallProgress(1, total: 3, message: "one"))
    #expect(reports.map(\.progress) == reports.map(\.progress).sorted())
    await near.close(.finished)
    await far.close(.finished)
    _ = await (first, second)
    await near.closeDescriptors()
    await far.closeDescriptors()
  }

  @Test func `is not sent of a request that was answered, nor of a notification`() async throws {
    try await RawPeer.with { peer in
      let reporter = ProgressReporter(token: .string("t"), connection: peer.connection)
      reporter.report(CallProgress(1, total: 2, message: "m"))
      reporter.report(CallProgress(2))
      reporter.finish()
      reporter.isDue()
      reporter.report(CallProgress(3))
      let line = try #require(try await peer.value())
      let notice = try JSONCoding.decode(ProgressNotice.self, from: line["params"] ?? .null)
      #expect(line["method"] == "$/progress" && notice.token == .string("t") && notice.progress == 1)
      #expect(notice.total == 2 && notice.message == "m")
      try await peer.connection.notify("b", [1])
      #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"b","params":[1]}"#)
    }
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (near, far) = Connection.pair(on: loop)
    let (handler, peer) = (Keeping(), Peer())
    async let first = near.run(handler: handler)
    async let second = far.run(handler: peer)
    let token = JSONValue.object(["_meta": ["progressToken": "t"]])
    try await far.notify("keep", token)
    for hasOne in [false, true] {
      if hasOne { _ = try await far.call("keep", token, returning: Nothing.self, deadline: .seconds(20)) }
      await until { handler.reporters.withLock { $0.count } == (hasOne ? 2 : 1) }
    }
    let reporters = handler.reporters.withLock { $0 }
    #expect(reporters.map { $0 == nil } == [true, false])
    // The request is answered: what is reported now reaches nobody.
    for reporter in reporters { reporter?.report(CallProgress(1)) }
    try await near.notify("note", [1])
    await until { peer.heard.withLock { $0.notifications } == [1] }
    #expect(peer.heard.withLock { $0.events } == [])
    await near.close(.finished)
    await far.close(.finished)
    _ = await (first, second)
    await near.closeDescriptors()
    await far.closeDescriptors()
  }

  @Test func `that was kept is sent when its time has come, and again`() async throws {
    try await RawPeer.with { peer in
      let reporter = ProgressReporter(token: .number(7), connection: peer.connection)
      for progress in [1.0, 3] {
        for step in [progress, progress + 1] { reporter.report(CallProgress(step)) }
        // Nothing else follows that would bring the second one along.
        var last = 0.0
        while last < progress + 1 {
          let params = try #require(try await peer.value()?["params"])
          last = try JSONCoding.decode(ProgressNotice.self, from: params).progress
        }
        #expect(last == progress + 1)
      }
    }
  }

  @Test func `puts off the deadline of the call that it is about, and not beyond the hard one`() async throws {
    for hard in [nil, Duration.seconds(3_600)] {
      let heard = ProgressLog()
      try await RawPeer.with { peer in
        let call = Task {
          try await peer.connection.call(
            "a", JSONValue.object([:]), returning: Int.self, deadline: .seconds(3_600), hardDeadline: hard,
            onProgress: { heard.add($0) })
        }
        _ = await peer.line()
        let due = peer.connection.shared.withLock { $0.calls.nextDue }
        let before = try #require(due)
        await peer.notify("$/progress", #"{"token":1,"progress":1}"#)
        try await peer.settle()
        #expect(heard.all == [CallProgress(1)])
        let later = peer.connection.shared.withLock { $0.calls.nextDue }
        let after = try #require(later)
        #expect(hard == nil ? after > before : after <= before)
        await peer.send(#"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n")
        #expect(try await call.value == 5)
      }
    }
  }

  @Test func `is asked for with the id of the call, and what is not about a call goes to the handler`() async throws {
    let heard = ProgressLog()
    try await RawPeer.with { peer in
      async let call = peer.connection.call(
        "a", JSONValue.object([:]), returning: Int.self, deadline: .seconds(20),
        onProgress: { heard.add($0) })
      #expect(try await peer.value()?["params"]?["_meta"]?["progressToken"] == 1)
      for params in [
        #"{"token":1,"progress":1}"#, #"{"token":1,"progress":1}"#, #"{"token":1,"progress":0.5}"#,
        #"{"token":1,"progress":2,"total":4,"message":"m","more":1}"#,
      ] { await peer.notify("$/progress", params) }
      for params in [#"{"token":"1","progress":9}"#, #"{"token":2,"progress":9}"#, #"{"progress":9}"#] {
        await peer.notify("$/progress", params)
      }
      await peer.send(#"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n")
      #expect(try await call == 5)
      #expect(heard.all.map(\.progress) == [1, 2])
      try await peer.settle()
      #expect(peer.events.count == 3)
    }
  }
}

private final class ProgressLog: Sendable {
  private let reports = Mutex<[CallProgress]>([])
  func add(_ report: CallProgress) { reports.withLock { $0.append(report) } }
  var all: [CallProgress] { reports.withLock { $0 } }
}

private struct Nothing: Decodable, Sendable {}

/// Keeps what its requests and notifications are to report with.
private final class Keeping: MessageHandler {
  let reporters = Mutex<[ProgressReporter?]>([])

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    MessageWork { [self] in
      let reporter = ProgressReporter.current
      reporters.withLock { $0.append(reporter) }
      return .empty
    }
  }
}

/// Reports three steps at once.
private struct Stepping: MessageHandler {
  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    MessageWork {
      ProgressReporter.current?.report(CallProgress(1, total: 3, message: "one"))
      ProgressReporter.current?.report(CallProgress(2, total: 3))
      ProgressReporter.current?.report(CallProgress(3, total: 3))
      return .empty
    }
  }
}
