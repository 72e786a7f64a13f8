import EventLoop
import ExtensionProtocol
import Synchronization
import Testing

@testable import ExtensionHosting

/// The small parts that count requests, and what hangs on them.
@Suite(.timeLimit(.minutes(1)))
struct `The requests of a host` {
  @Test func `are waited for, and none begins once it is closed`() throws {
    let requests = HostRequests()
    let ends = Mutex(0)
    try requests.begin()
    try requests.begin()
    requests.whenAllHaveEnded { ends.withLock { $0 += 1 } }
    #expect(requests.count == 2 && !requests.isClosed)
    #expect([requests.close(), requests.close()] == [true, false] && requests.isClosed)
    for _ in 0..<2 { #expect(throws: ExtensionError.hostIsShut) { try requests.begin() } }
    requests.end()
    #expect(requests.count == 1 && ends.withLock(\.self) == 0)
    requests.end()
    #expect(requests.count == 0 && ends.withLock(\.self) == 1)
    requests.whenAllHaveEnded { ends.withLock { $0 += 1 } }
    #expect(ends.withLock(\.self) == 2)
  }

  @Test func `are told of once, though others follow`() throws {
    let requests = HostRequests()
    let ends = Mutex(0)
    try requests.begin()
    requests.whenAllHaveEnded { ends.withLock { $0 += 1 } }
    for _ in 0..<2 {
      requests.end()
      #expect(ends.withLock(\.self) == 1)
      try requests.begin()
    }
  }

  @Test func `take the time in which one is open, each moment once`() {
    var time = AskedTime()
    #expect(!time.isOpen && time.total(at: 5) == 0)
    time.begin(at: 10)
    time.begin(at: 20)
    #expect(time.isOpen && time.total(at: 10) == 0 && time.total(at: 9) == 0 && time.total(at: 25) == 15)
    time.end(at: 30)
    #expect(time.isOpen && time.total(at: 35) == 25)
    time.end(at: 40)
    #expect(!time.isOpen && time.total(at: 40) == 30 && time.total(at: 100) == 30)
    time.begin(at: 100)
    #expect(time.isOpen && time.total(at: 99) == 30 && time.total(at: 105) == 35)
    // A clock that went back is no time.
    time.end(at: 90)
    #expect(!time.isOpen && time.total(at: 200) == 30)
  }

  @Test func `have numbers that are no call's, the oldest first`() {
    let work = OpenWork()
    #expect(work.oldest == nil)
    #expect([work.begin(), work.begin(), work.begin()] == [-1, -2, -3] && work.oldest == -1)
    work.end(-2)
    work.end(-7)
    #expect(work.oldest == -1)
    work.end(-1)
    #expect(work.oldest == -3)
    work.end(-3)
    #expect(work.oldest == nil && work.begin() == -4 && work.oldest == -4)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Work for a request` {
  private let requests = RequestWork()

  /// Starts work that never ends by itself, and returns when it has begun.
  private func endless(_ id: String, _ loop: EventLoop) async -> Task<Void, any Error> {
    let (begun, began) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [requests] in
      try await requests.whileOpen(id, on: loop) {
        began.finish()
        try await loop.sleep(for: .seconds(50))
      }
    }
    for await _ in begun {}
    return task
  }

  private func code(_ body: () async throws -> Void) async -> ExtensionError.Code? {
    do { try await body() } catch { return (error as? ExtensionError)?.code }
    return nil
  }

  @Test func `is done while it is open, ends with it, and begins again with the next one of its name`() async throws {
    let loop = EventLoop.onThread(name: "request-work")
    defer { loop.stop() }
    for _ in 0..<2 {
      #expect(await code { try await requests.whileOpen("a", on: loop) {} } == .requestUnknown)
      requests.begin("a")
      requests.begin("b")
      #expect(try await requests.whileOpen("a", on: loop) { 7 } == 7)
      let tasks = [await endless("a", loop), await endless("a", loop), await endless("b", loop)]
      requests.end("a")
      for task in tasks[..<2] { #expect(await code { try await task.value } == .cancelled) }
      #expect(await code { try await requests.whileOpen("a", on: loop) {} } == .requestUnknown)
      // The other request is open still.
      #expect(try await requests.whileOpen("b", on: loop) { 8 } == 8)
      requests.end("b")
      #expect(await code { try await tasks[2].value } == .cancelled)
      requests.end("b")
    }
  }

  @Test func `that fails says why`() async throws {
    let loop = EventLoop.onThread(name: "request-work")
    defer { loop.stop() }
    requests.begin("a")
    for _ in 0..<2 {
      #expect(
        await code {
          try await requests.whileOpen("a", on: loop) { () throws -> Void in
            throw ExtensionError(.limitExceeded, "No.")
          }
        } == .limitExceeded)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The soft deadline of a call` {
  private func deadline(
    _ loop: EventLoop, _ log: KeptLog, isHeld: @escaping @Sendable () -> Bool = { false }
  ) -> SoftDeadline {
    SoftDeadline(.milliseconds(2), of: "a/b", "com.example.a", log: log, on: loop, isHeld: isHeld)
  }

  @Test func `is told once when it passes, and not after the end, and begins anew while it is held`() async throws {
    let loop = EventLoop.onThread(name: "soft-deadline")
    defer { loop.stop() }
    let logs = (0..<4).map { _ in KeptLog(from: .warning) }
    let looks = Mutex(0)
    let ended = deadline(loop, logs[0])
    // In one turn of the loop, so that the deadline cannot pass between the two.
    loop.execute {
      ended.begin()
      ended.end()
    }
    let over = deadline(loop, logs[1])
    over.end()
    over.begin()
    let twice = deadline(loop, logs[2])
    twice.begin()
    twice.begin()
    let held = deadline(loop, logs[3]) {
      looks.withLock { looks in
        looks += 1
        return looks < 4
      }
    }
    held.begin()
    while logs[3].lines.isEmpty { await Task.yield() }
    // The others began before, and had the time of one only.
    #expect(logs.map(\.lines) == [[], [], ["slow to answer"], ["slow to answer"]])
    #expect(looks.withLock(\.self) == 4)
    held.begin()
    held.end()
    twice.end()
    #expect(logs.map(\.lines.count) == [0, 0, 1, 1])
  }
}
