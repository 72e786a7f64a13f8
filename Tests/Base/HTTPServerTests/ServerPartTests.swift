import Synchronization
import Testing

@testable import HTTPServer

/// What a server is made of, without its library.
@Suite(.timeLimit(.minutes(1)))
struct `A part of a server` {
  @Test func `goes wrong as often as was said, the first rule that applies first`() {
    let plan = FaultPlan<String>()
    #expect(plan.next(for: "/a") == nil)
    plan.add("twice", count: 2) { $0 == "/a" }
    plan.add("always", count: nil) { $0 != "/c" }
    plan.add("once", count: 1) { _ in true }
    #expect(
      ["/b", "/a", "/b", "/a", "/a", "/c", "/c", "/a"].map { plan.next(for: $0) } == [
        "always", "twice", "always", "twice", "always", "once", nil, "always",
      ])
    plan.clear()
    #expect(plan.next(for: "/a") == nil)
    for number in 0..<1_001 { plan.add("\(number)", count: 1) { $0 == "\(number)" } }
    #expect(plan.next(for: "999") == "999" && plan.next(for: "1000") == nil && plan.next(for: "999") == nil)
  }

  @Test func `has so many bytes, and those that were given back`() {
    let budget = ByteBudget(10)
    #expect(budget.take(4) && budget.take(6) && !budget.take(1) && budget.take(0))
    budget.give(5)
    #expect(!budget.take(6) && budget.take(5) && !budget.take(1))
    let none = ByteBudget(-1)
    #expect(none.take(0) && !none.take(1))
  }

  private final class Lasting: LastingResponse {
    let stops = Atomic(0)
    var hasConnection: Bool { false }
    func run() async {}
    func abandon() {}
    func stop() { stops.add(1, ordering: .relaxed) }
  }

  @Test func `keeps so many lasting responses, and stops each of them once`() {
    let table = LastingTable(most: 2)
    let all = (0..<4).map { _ in Lasting() }
    #expect(table.add(all[0]) && table.add(all[1]) && !table.add(all[2]))
    table.remove(all[0])
    table.remove(all[0])
    #expect(table.add(all[2]) && !table.add(all[3]))
    table.stop()
    #expect(all.map { $0.stops.load(ordering: .relaxed) } == [0, 1, 1, 0])
    table.remove(all[1])
    #expect(!table.add(all[3]))
    #expect(!LastingTable(most: 0).add(all[3]))
  }

  @Test func `leaves connections that last out of account, until they wait again`() {
    var table = ConnectionTable(most: 2)
    let (one, two) = (table.opened(11).id, table.opened(12).id)
    table.lasting(one)
    #expect(table.opened(13).leaving == nil)
    #expect(table.opened(14).leaving == 12)
    table.waiting(one)
    // Two wait, one is leaving, and the one that lasted has been waited for since just now.
    #expect(table.opened(15).leaving == 13)
    table.closed(two)
    #expect(table.count == 4)
    // What is not known any more is nothing.
    table.handling(two)
    table.waiting(two)
    #expect(table.count == 4)
  }
}

/// The body of a streamed response, without a connection.
@Suite(.timeLimit(.minutes(1)))
struct `The pipe of a streamed response` {
  private func read(_ pipe: ResponsePipe, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { pipe.read(into: $0) }
    return got < 0 ? nil : Array(bytes.prefix(got))
  }

  @Test func `gives its bytes in order, in pieces of any size, and then its end`() async throws {
    let pipe = ResponsePipe(budget: 10)
    try await pipe.write([1, 2, 3])
    try await pipe.write([])
    try await pipe.write([4, 5])
    pipe.finish(.whole)
    #expect(read(pipe, 2) == [1, 2] && read(pipe, 2) == [3] && read(pipe, 1) == [4] && read(pipe, 9) == [5])
    #expect(read(pipe, 1) == nil && read(pipe, 1) == nil)
  }

  @Test func `takes as much as there is room for, and one write however large it is`() async throws {
    for (first, second, waits) in [(4, 6, false), (4, 7, true), (11, 1, true), (10, 1, true)] {
      let pipe = ResponsePipe(budget: 10)
      try await pipe.write([UInt8](repeating: 1, count: first))
      let isWritten = Atomic(false)
      let writing = Task {
        try await pipe.write([UInt8](repeating: 2, count: second))
        isWritten.store(true, ordering: .releasing)
      }
      if waits {
        // Another that comes later does not overtake it.
        for _ in 0..<100 { await Task.yield() }
        let isEarly = isWritten.load(ordering: .acquiring)
        #expect(!isEarly, "\(first) and \(second)")
        #expect(read(pipe, first)?.count == first)
      }
      try await writing.value
      if !waits { #expect(read(pipe, first)?.count == first) }
      #expect(read(pipe, 20) == [UInt8](repeating: 2, count: second))
    }
  }

  @Test func `tells its writers the first reason why it is closed`() async throws {
    let pipe = ResponsePipe(budget: 1)
    try await pipe.write([1])
    let waiting = Task { try await pipe.write([2]) }
    let closing = Task { await pipe.waitUntilClosed() }
    pipe.close(.stopping)
    pipe.close(.clientGone)
    await closing.value
    await pipe.waitUntilClosed()
    let error = await #expect(throws: ServerStreamError.self) { try await waiting.value }
    #expect(error == .stopping || error == .clientGone)
    let next = await #expect(throws: ServerStreamError.self) { try await pipe.write([3]) }
    #expect(next == .stopping)
    try await pipe.write([])
  }

  @Test func `ends a write whose task is cancelled, and goes on with the next`() async throws {
    let pipe = ResponsePipe(budget: 1)
    try await pipe.write([1])
    let cancelled = Task { try await pipe.write([2]) }
    cancelled.cancel()
    let error = await #expect(throws: ServerStreamError.self) { try await cancelled.value }
    #expect(error == .cancelled)
    #expect(read(pipe, 5) == [1])
    try await pipe.write([3])
    #expect(read(pipe, 5) == [3])
    pipe.finish(.broken)
    pipe.finish(.whole)
    #expect(read(pipe, 1) == nil)
  }

  @Test func `keeps what was written when the server ends, and nothing for a client that has gone`() async throws {
    for (reason, left) in [(ServerStreamError.stopping, [1] as [UInt8]?), (.clientGone, nil)] {
      let pipe = ResponsePipe(budget: 10)
      try await pipe.write([1])
      pipe.close(reason)
      #expect(read(pipe, 5) == left)
      pipe.finish(.whole)
      #expect(read(pipe, 5) == nil)
    }
  }

  @Test func `lets as many go on as there is room for, when some of it was sent`() async throws {
    let pipe = ResponsePipe(budget: 10)
    try await pipe.write([UInt8](repeating: 1, count: 10))
    // Each runs until it waits.
    let writers = [4, 5, 2].map { count in
      Task.immediate { try await pipe.write([UInt8](repeating: UInt8(count), count: count)) }
    }
    #expect(read(pipe, 9)?.count == 9)
    #expect(read(pipe, 9) == [1])
    for writer in writers.dropLast() { try await writer.value }
    #expect(read(pipe, 20) == [4, 4, 4, 4])
    try await writers[2].value
    #expect(read(pipe, 20) == [5, 5, 5, 5, 5] && read(pipe, 20) == [2, 2])
  }
}
