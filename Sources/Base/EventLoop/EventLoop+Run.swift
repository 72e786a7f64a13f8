import CLinux
import Synchronization

extension EventLoop {
  /// A loop on a new thread, which ends after `stop()`.
  ///
  /// - Parameters:
  ///   - name: shown by `ps -L`; the first 15 bytes count.
  ///   - stack: bytes of stack.
  /// - Throws: `EventLoopError` when no descriptor or no thread is left.
  package static func started(
    name: String, spin: Duration = EventLoop.defaultSpin, stack: Int = 1 << 20
  ) throws(EventLoopError) -> EventLoop {
    let loop = try EventLoop(opening: spin)
    let failure = SystemThread.start(name: name, stack: stack) { loop.run() }
    guard failure == 0 else { throw EventLoopError("pthread_create", errno: failure) }
    return loop
  }

  /// The same for tests and benchmarks: without a descriptor or a thread they end.
  package static func onThread(name: String, spin: Duration = EventLoop.defaultSpin) -> EventLoop {
    do throws(EventLoopError) {
      return try started(name: name, spin: spin)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Runs the loop on the calling thread until `stop()`.
  package func run() {
    precondition(thread.exchange(clinux_thread_current(), ordering: .sequentiallyConsistent) == 0, "runs already")
    while true {
      let isBusy = turn()
      if stopping.load(ordering: .sequentiallyConsistent), !isBusy { break }
      wait(atMost: isBusy ? 0 : nil)
    }
    stopping.store(false, ordering: .sequentiallyConsistent)
    thread.store(0, ordering: .sequentiallyConsistent)
  }

  /// Runs `operation` as a task of the loop, and the loop on the calling thread, until the operation has returned.
  package func run<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) -> Value {
    let outcome = Mutex<Value?>(nil)
    _ = Task(executorPreference: self) {
      let value = await operation()
      outcome.withLock { $0 = value }
      self.stop()
    }
    run()
    guard let value = outcome.withLock({ $0 }) else {
      preconditionFailure("the loop was stopped before its operation had returned")
    }
    return value
  }

  /// One turn: jobs and actions, due timers, then the gathered writes. True when work is left.
  private func turn() -> Bool {
    // Jobs may make jobs for ever; after this many rounds the descriptors have their turn.
    var rounds = 0
    repeat {
      drain()
      rounds += 1
    } while rounds < 16 && hasWork
    fireTimers()
    if hasWork { drain() }
    if !endOfTurn.isEmpty {
      var observers: [any TurnObserver] = []
      swap(&observers, &endOfTurn)
      for observer in observers { observer.turnEnded() }
      if endOfTurn.isEmpty {
        observers.clear()
        swap(&observers, &endOfTurn)
      }
    }
    return hasWork || !endOfTurn.isEmpty
  }

  private var hasWork: Bool { !jobs.isEmpty || hasMail.load(ordering: .sequentiallyConsistent) }

  private func drain() {
    if hasMail.load(ordering: .sequentiallyConsistent) { takeMail() }
    guard !jobs.isEmpty else { return }
    var ready: [LoopJob] = []
    swap(&ready, &jobs)
    let serial = unsafe asUnownedSerialExecutor()
    let task = unsafe asUnownedTaskExecutor()
    for job in ready {
      if job.isIsolated {
        unsafe job.job.runSynchronously(isolatedTo: serial, taskExecutor: task)
      } else {
        unsafe job.job.runSynchronously(on: task)
      }
    }
    if jobs.isEmpty {
      ready.clear()
      swap(&ready, &jobs)
    }
  }

  private func takeMail() {
    hasMail.store(false, ordering: .sequentiallyConsistent)
    var mail = Inbox()
    inbox.withLock { swap(&$0, &mail) }
    jobs.append(contentsOf: mail.jobs)
    for action in mail.actions { action() }
  }

  private func fireTimers() {
    // Jobs may have taken long. From here on the time holds until the loop has waited.
    forgetTime()
    guard !timers.isEmpty else { return }
    // What is set meanwhile has its turn later, though its time may be past: else one that sets itself anew would keep all
    // others waiting for ever.
    for timer in timers.takeDue(at: now) { timers.fire(timer)?() }
  }

  /// Waits for descriptors, at most `limit` milliseconds or until the next timer, and calls what became ready.
  private func wait(atMost limit: Int32?) {
    var timeout = limit ?? timers.timeout(from: { now }) ?? -1
    if watches.hasAlwaysReady { timeout = 0 }
    var count: Int32 = 0
    if timeout != 0, spin.beginWait() { count = poll() }
    if count == 0, !hasMail.load(ordering: .sequentiallyConsistent) {
      count = sleep(timeout)
    }
    forgetTime()
    if count > 0 { spin.workCame() }
    for index in 0..<Int(max(0, count)) { deliver(unsafe poller.ready[index]) }
    if watches.hasAlwaysReady {
      for watch in watches.alwaysReady { watch.deliver(watch.interest) }
    }
  }

  private func poll() -> Int32 {
    let end = now &+ spin.limit
    repeat {
      let count = poller.wait(milliseconds: 0)
      if count != 0 || hasMail.load(ordering: .sequentiallyConsistent) {
        spin.hit()
        return count
      }
    } while clinux_monotonic_nanoseconds() < end
    spin.miss()
    return 0
  }

  private func sleep(_ timeout: Int32) -> Int32 {
    spin.slept()
    if timeout == 0 { return poller.wait(milliseconds: 0) }
    // "Sleeping" is said before the last look at the mail, so that whoever posts later wakes the loop.
    sleeping.store(true, ordering: .sequentiallyConsistent)
    defer { sleeping.store(false, ordering: .sequentiallyConsistent) }
    if hasMail.load(ordering: .sequentiallyConsistent) || stopping.load(ordering: .sequentiallyConsistent) { return 0 }
    return poller.wait(milliseconds: timeout)
  }

  private func deliver(_ event: clinux_event) {
    if event.token == Poller.wakeToken {
      poller.drainWake()
      return
    }
    watches.find(event.token)?.deliver(Interest(ready: event.events))
  }
}

extension Array {
  /// Removes all elements and keeps the memory. Of one element, which is what a turn of the loop mostly has, nothing is
  /// cheaper to take away than the last; `removeAll(keepingCapacity:)` costs eight times as much.
  @inlinable @inline(__always)
  package mutating func clear() {
    if count == 1 { removeLast() } else { removeAll(keepingCapacity: true) }
  }
}
