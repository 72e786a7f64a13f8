import Synchronization

extension EventLoop {
  /// Takes a job of an actor or a task that lives here. From any thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isOnLoop {
      jobs.append(job)
    } else {
      inbox.withLock { $0.jobs.append(job) }
      announceMail()
    }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  package func checkIsolated() {
    precondition(isOnLoop, "code isolated to an event loop ran on another thread")
  }

  package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  package func isSameExclusiveExecutionContext(other: EventLoop) -> Bool { self === other }
}
