internal import CSQLite
internal import EventLoop
internal import Glibc

/// A serial executor on one named thread: the place where blocking calls of SQLite belong.
///
/// An actor that owns a `Database` keeps a `SQLiteThread` and returns it as its executor:
/// ```swift
/// package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
/// ```
/// The thread starts with the object and ends when the last reference to it is gone. Where the system has no thread left,
/// the work is done on the thread that asks for it, one piece after the other as ever, until there is one.
package final class SQLiteThread: SerialExecutor {
  /// Starts a thread of a name with a body; an error number when there is none.
  typealias Start = @Sendable (String, @escaping @Sendable () -> Void) -> Int32

  private let queue: JobQueue

  /// - Parameter name: what tools such as `top -H` show; cut after 15 bytes.
  package convenience init(name: String) {
    self.init(name: name) { SystemThread.start(name: $0, $1) }
  }

  init(name: String, start: @escaping Start) {
    queue = JobQueue(name: name, start: start)
    queue.begin()
  }

  deinit {
    queue.stop()
  }

  /// Runs a job on the thread, after those before it.
  package func enqueue(_ job: consuming ExecutorJob) {
    queue.append(UnownedJob(job), on: self)
  }

  /// Stops the program when called from another thread.
  package func checkIsolated() {
    precondition(queue.isCurrent, "not on the thread of this executor")
  }

  /// Whether the caller is on the thread.
  package func isIsolatingCurrentContext() -> Bool? {
    queue.isCurrent
  }
}

/// The jobs of one `SQLiteThread`.
///
/// `@unchecked Sendable`: `jobs`, `isStopped`, `hasThread` and `thread` are touched only between lock and unlock of `mutex`,
/// which is allocated once and never moves; `name` and `start` are constant.
@safe
private final class JobQueue: @unchecked Sendable {
  private let name: String
  private let start: SQLiteThread.Start
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// A job and the executor it runs on: the queue keeps the executor alive until the job is done.
  private var jobs: [(UnownedJob, SQLiteThread)] = []
  private var isStopped = false
  private var hasThread = false
  /// The thread that works on the jobs now, or waits for them.
  private var thread: pthread_t?

  init(name: String, start: @escaping SQLiteThread.Start) {
    self.name = name
    self.start = start
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  var isCurrent: Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
  }

  /// The thread holds the queue, never the executor, so that the executor's end can stop it.
  func begin() { hasThread = start(name) { self.run() } == 0 }

  func stop() {
    unsafe pthread_mutex_lock(mutex)
    isStopped = true
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  func append(_ job: UnownedJob, on executor: SQLiteThread) {
    unsafe pthread_mutex_lock(mutex)
    jobs.append((job, executor))
    if !hasThread, thread == nil {
      hasThread = start(name) { self.run() } == 0
      if !hasThread { runHere() }
    }
    unsafe pthread_mutex_unlock(mutex)
    // After the unlock: on one processor the thread would otherwise wake only to wait for the lock.
    unsafe pthread_cond_signal(condition)
  }

  private func run() {
    unsafe pthread_mutex_lock(mutex)
    thread = pthread_self()
    while true {
      while jobs.isEmpty, !isStopped { unsafe pthread_cond_wait(condition, mutex) }
      if jobs.isEmpty { break }
      performNext()
      unsafe pthread_mutex_lock(mutex)
    }
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Works on the calling thread until nothing is left; who adds jobs meanwhile leaves them to it. With the mutex locked.
  private func runHere() {
    thread = pthread_self()
    while !jobs.isEmpty {
      performNext()
      unsafe pthread_mutex_lock(mutex)
    }
    thread = nil
  }

  /// The jobs may hold the last reference to their executor, whose end locks the queue: they are let go before it is
  /// locked again.
  private func performNext() {
    let ready = jobs
    jobs = []
    unsafe pthread_mutex_unlock(mutex)
    for (job, executor) in ready { unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
  }
}
