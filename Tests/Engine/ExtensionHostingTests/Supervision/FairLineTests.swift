import EventLoop
import Testing

@testable import ExtensionHosting

/// Who gets in, and when.
@Suite(.timeLimit(.minutes(1)))
struct `A fair line` {
  private func line(inside: Int = 2, each: Int = 2, waiting: Int = 100) -> FairLineStateMachine {
    FairLineStateMachine(.init(inside: inside, insideOfEach: each, waiting: waiting))
  }

  @Test func `lets so many in, and the others in the order in which they came`() {
    var line = line()
    #expect([1, 2, 3, 4].map { line.come($0, "a") } == [.enters, .enters, .waits, .waits])
    #expect(line.leave("a") == [3])
    #expect(line.leave("a") == [4])
    #expect(line.leave("a") == [] && line.inside == 1 && line.waiting == 0)
  }

  @Test func `takes the kinds by turns, however many of one wait`() {
    var line = line(inside: 1, each: 1)
    _ = line.come(0, "many")
    for number in 1...50 { #expect(line.come(UInt64(number), "many") == .waits) }
    #expect(line.come(100, "few") == .waits && line.come(101, "other") == .waits)
    #expect(line.leave("many") == [1])
    #expect(line.leave("many") == [100])
    #expect(line.leave("few") == [101])
    #expect(line.leave("other") == [2])
  }

  @Test func `passes over a kind that has all it may have`() {
    var line = line(inside: 3, each: 1)
    #expect(line.come(1, "a") == .enters && line.come(2, "a") == .waits)
    #expect(line.come(3, "b") == .enters)
    #expect(line.leave("b") == [] && line.come(4, "b") == .enters)
    #expect(line.leave("a") == [2])
  }

  @Test func `refuses who comes when too many wait, and forgets who gives up`() {
    var line = line(inside: 1, each: 1, waiting: 2)
    #expect([1, 2, 3, 4].map { line.come($0, "a") } == [.enters, .waits, .waits, .refused])
    line.giveUp(2)
    #expect(line.waiting == 1 && line.come(5, "a") == .waits)
    #expect(line.leave("a") == [3])
    #expect(line.leave("a") == [5])
    #expect(line.leave("a") == [] && line.inside == 0 && line.waiting == 0)
  }

  @Test func `keeps nothing of those who come and give up for ever`() {
    var line = line(inside: 1, each: 1, waiting: 10)
    _ = line.come(0, "a")
    for number in 1...10_000 {
      #expect(line.come(UInt64(number), "a") == .waits)
      line.giveUp(UInt64(number))
    }
    #expect(line.remembered <= 200)
    #expect(line.leave("a") == [] && line.come(20_000, "a") == .enters)
  }

  @Test func `forgets who gave up when there are 65 of them, and all when it is closed`() {
    var line = line(inside: 1, each: 1, waiting: 10)
    #expect(line.come(0, "a") == .enters)
    for turn in 0..<2 as Range<UInt64> {
      for number in 1...64 as ClosedRange<UInt64> {
        #expect(line.come(turn * 100 + number, "a") == .waits)
        line.giveUp(turn * 100 + number)
      }
      #expect(line.remembered == 128 && line.waiting == 0)
      #expect(line.come(turn * 100 + 65, "a") == .waits)
      line.giveUp(turn * 100 + 65)
      #expect(line.remembered == 0 && line.waiting == 0)
    }
    #expect(line.come(300, "a") == .waits && line.come(301, "b") == .waits)
    line.giveUp(300)
    line.dismissAll()
    #expect(line.remembered == 0 && line.waiting == 0 && line.inside == 1)
    #expect(line.come(302, "a") == .waits && line.come(303, "b") == .waits)
    #expect(line.leave("a") == [302] && line.leave("a") == [303] && line.leave("b") == [])
    #expect(line.come(304, "b") == .enters)
  }

  @Test func `never has more inside than it may, and lets everybody in at last`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var line = line(inside: 3, each: 2, waiting: .max)
      var kinds: [UInt64: String] = [:]
      var (inside, waiting): (Set<UInt64>, Set<UInt64>) = ([], [])
      func leave() {
        guard let number = inside.randomElement(using: &random) else { return }
        inside.remove(number)
        for entering in line.leave(kinds[number] ?? "") {
          #expect(waiting.remove(entering) != nil)
          inside.insert(entering)
        }
      }
      for number in UInt64(0)..<60 {
        let kind = ["a", "b", "c"].randomElement(using: &random) ?? "a"
        kinds[number] = kind
        if line.come(number, kind) == .enters { inside.insert(number) } else { waiting.insert(number) }
        if Int.random(in: 0..<4, using: &random) == 0, let gone = waiting.randomElement(using: &random) {
          waiting.remove(gone)
          line.giveUp(gone)
        }
        if Bool.random(using: &random) { leave() }
        #expect(inside.count <= 3 && line.inside == inside.count && line.waiting == waiting.count)
        for kind in ["a", "b", "c"] { #expect(inside.count { kinds[$0] == kind } <= 2) }
      }
      for _ in 0..<60 { leave() }
      #expect(waiting.isEmpty && inside.isEmpty && line.waiting == 0)
    }
  }

  @Test func `lets in who waited, and refuses who comes when it is full or closed`() async throws {
    let loop = EventLoop.onThread(name: "fair-line")
    defer { loop.stop() }
    let line = FairLine(.init(inside: 1, insideOfEach: 1, waiting: 1), on: loop)
    try await line.enter("a", within: .seconds(50))
    for _ in 0..<2 {
      let next = Task { try await line.enter("a", within: .seconds(50)) }
      while await line.counts.waiting == 0 { await Task.yield() }
      await #expect(throws: FairLine.Refusal.full(1)) { try await line.enter("b", within: .seconds(50)) }
      await line.leave("a")
      try await next.value
      #expect(await line.counts == (1, 0))
    }
    await line.close()
    for _ in 0..<2 {
      await #expect(throws: FairLine.Refusal.closed) { try await line.enter("b", within: .seconds(50)) }
    }
    #expect(await line.counts == (1, 0))
  }

  @Test func `lets several in that wait at once, one after another, but for one that gives up`() async throws {
    let loop = EventLoop.onThread(name: "fair-line")
    defer { loop.stop() }
    let line = FairLine(.init(inside: 1, insideOfEach: 1, waiting: 10), on: loop)
    try await line.enter("a", within: .seconds(50))
    var waiting: [Task<FairLine.Refusal?, Never>] = []
    for count in 1...3 {
      let next = Task { () async -> FairLine.Refusal? in
        do throws(FairLine.Refusal) {
          try await line.enter("a", within: .seconds(50))
          return nil
        } catch {
          return error
        }
      }
      waiting.append(next)
      while await line.counts.waiting < count { await Task.yield() }
    }
    waiting[1].cancel()
    #expect(await waiting[1].value == .cancelled)
    #expect(await line.counts == (1, 2))
    for (turn, left) in [(0, 1), (2, 0)] {
      await line.leave("a")
      #expect(await waiting[turn].value == nil)
      #expect(await line.counts == (1, left))
    }
    await line.leave("a")
    #expect(await line.counts == (0, 0))
  }

  @Test func `ends the waiting of who is cancelled, late, or there when it closes`() async throws {
    let loop = EventLoop.onThread(name: "fair-line")
    defer { loop.stop() }
    let line = FairLine(.init(inside: 1, insideOfEach: 1, waiting: 10), on: loop)
    try await line.enter("a", within: .seconds(10))
    await #expect(throws: FairLine.Refusal.late(.milliseconds(20))) {
      try await line.enter("a", within: .milliseconds(20))
    }
    let cancelled = Task { () async -> FairLine.Refusal? in
      do throws(FairLine.Refusal) {
        try await line.enter("a", within: .seconds(50))
        return nil
      } catch {
        return error
      }
    }
    cancelled.cancel()
    #expect(await cancelled.value == .cancelled)
    let closed = Task { try await line.enter("b", within: .seconds(50)) }
    while await line.counts.waiting == 0 { await Task.yield() }
    await line.close()
    await #expect(throws: FairLine.Refusal.closed) { try await closed.value }
    await line.leave("a")
    #expect(await line.counts == (0, 0))
  }
}
