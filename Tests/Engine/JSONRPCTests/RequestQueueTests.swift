import EventLoop
import Synchronization
import Testing

@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `The queue of a connection's requests` {
  /// Runs the body on the thread of a loop, as the queue's owner does.
  private func withQueue(
    limit: Int = 8, _ body: @escaping @Sendable (RequestQueue, PeerLedger) -> Void
  ) async {
    let loop = EventLoop.onThread(name: "queue-test")
    defer { loop.stop() }
    let ledger = PeerLedger()
    let queue = RequestQueue(on: loop, limit: limit, ledger: ledger)
    await withCheckedContinuation { continuation in
      loop.execute {
        body(queue, ledger)
        continuation.resume()
      }
    }
  }

  private static func message(_ number: Int, weight: Int = 0) -> AcceptedMessage {
    AcceptedMessage(id: .number(Int64(number)), slot: number, work: MessageWork { .empty }, weight: weight)
  }

  /// A worker that waits; `heard` is told what becomes of it.
  private static func idle(_ heard: @escaping @Sendable (Bool) -> Void) async -> IdleWorker {
    await withCheckedContinuation { given in
      Task { heard(await withUnsafeContinuation { given.resume(returning: IdleWorker($0)) }) }
    }
  }

  @Test func `gives what has waited longest, again and again`() async {
    await withQueue { queue, _ in
      #expect(queue.waiting == 0 && queue.take() == nil)
      // Beyond the places that are kept, and the second time round.
      for count in [3, 1_024, 1_025, 2] {
        for number in 0..<count { queue.add(Self.message(number)) }
        #expect(queue.waiting == count)
        for number in 0..<count {
          #expect(queue.take()?.slot == number)
          #expect(queue.waiting == count - number - 1)
        }
        #expect(queue.take() == nil)
      }
      queue.add(Self.message(1))
      queue.add(Self.message(2))
      _ = queue.take()
      queue.close()
      #expect(queue.waiting == 0 && queue.take() == nil)
      queue.add(Self.message(3))
      #expect(queue.take()?.slot == 3)
    }
  }

  @Test func `keeps account of what is not done`() async {
    await withQueue { queue, ledger in
      let large = Self.message(0, weight: 10 << 20)
      queue.add(large)
      #expect(ledger.held == 10 << 20)
      _ = queue.take()
      #expect(ledger.held == 10 << 20)
      #expect(queue.begin(.number(0)) == .accepted(slot: 0))
      queue.finished(.number(0), large)
      #expect(ledger.held == 0)
      #expect(queue.begin(.number(0)) == .accepted(slot: 0), "the id is free again")
      queue.drop(.number(0), 0)
      #expect(queue.begin(.number(0)) == .accepted(slot: 0))
      queue.add(large)
      _ = queue.take()
      #expect(queue.beginNotification(limit: 1))
      queue.finishedNotification(large)
      #expect(ledger.held == 0)
      queue.add(large)
      queue.close()
      #expect(ledger.held == 0)
    }
  }

  @Test func `works on so many notifications, and on the next one when one is done`() async {
    await withQueue { queue, _ in
      for _ in 0..<2 {
        #expect((0..<3).map { _ in queue.beginNotification(limit: 2) } == [true, true, false])
        for number in 0..<2 { queue.finishedNotification(Self.message(number)) }
      }
      #expect(!queue.beginNotification(limit: 0))
    }
  }

  @Test func `wakes one worker for a message, the last that became idle, and says when there is none`() async {
    let heard = Mutex<[Int]>([])
    let workers = [
      await Self.idle { if $0 { heard.withLock { $0.append(0) } } },
      await Self.idle { if $0 { heard.withLock { $0.append(1) } } },
    ]
    await withQueue { queue, _ in
      #expect(!queue.wakeWorker())
      for worker in workers { queue.addIdle(worker) }
      #expect(queue.wakeWorker())
    }
    await until { heard.withLock { $0.count } == 1 }
    #expect(heard.withLock { $0 } == [1])
    workers[0].resume(false)
  }

  @Test func `cancels the task that fills a stream while it does, and no other`() async {
    let loop = EventLoop.onThread(name: "queue-test")
    defer { loop.stop() }
    let queue = RequestQueue(on: loop, limit: 8, ledger: PeerLedger())
    func isCancelled(_ body: @escaping @Sendable (RequestQueue, RunningTask) -> Void) async -> Bool {
      await Task(executorPreference: loop) {
        let task = RunningTask()
        defer { task.end() }
        body(queue, task)
        return Task.isCancelled
      }.value
    }
    for _ in 0..<2 {
      let isDropped = await isCancelled { queue, task in
        queue.fills("s1", task, isOver: false)
        queue.cancelFilling(of: "s2")
        queue.cancelFilling(of: "s1")
        queue.filled("s1")
      }
      #expect(isDropped)
      let isLate = await isCancelled { queue, task in
        queue.fills("s1", task, isOver: false)
        queue.filled("s1")
        queue.cancelFilling(of: "s1")
      }
      #expect(!isLate, "the worker does something else now")
      let isOther = await isCancelled { queue, task in
        queue.fills("s1", task, isOver: false)
        queue.cancelFilling(of: "s2")
        queue.filled("s1")
      }
      #expect(!isOther)
      #expect(await isCancelled { queue, task in queue.fills("s1", task, isOver: true) }, "it was dropped before")
      #expect(await isCancelled { queue, _ in queue.cancelFilling(of: "s1") } == false)
    }
  }

  @Test func `keeps 64 idle workers, and none once it is over`() async {
    let heard = Mutex<[Int: Bool]>([:])
    var workers: [IdleWorker] = []
    for number in 0..<67 {
      workers.append(await Self.idle { isNeeded in heard.withLock { $0[number] = isNeeded } })
    }
    let all = workers
    await withQueue { queue, _ in
      for worker in all[..<65] { queue.addIdle(worker) }
      #expect(queue.wakeWorker())
      queue.addIdle(all[65])
      queue.dismissWorkers()
      #expect(!queue.wakeWorker())
      queue.addIdle(all[66])
    }
    await until { heard.withLock { $0.count } == 67 }
    // The 65th found no place; the 64th was woken.
    #expect(heard.withLock { $0.filter(\.value).map(\.key) } == [63])
  }
}
